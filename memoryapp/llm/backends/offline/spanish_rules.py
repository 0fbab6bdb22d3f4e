"""Spanish: the ways of saying something worth keeping, tried from top to bottom."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english_nouns import one_of
from memoryapp.llm.backends.offline.statements import rules

FAMILY = one_of(
    "madre padre mam[áa] pap[áa] padres hermanas? hermanos? herman[oa]s? mujer esposa esposo marido pareja novia novio prometid[oa] hij[oa]s? niñ[oa]s? beb[ée] "
    "mellizos gemel[oa]s t[íi][oa]s? prim[oa]s? sobrin[oa]s? abuel[oa]s? niet[oa]s? suegr[oa]s? cuñad[oa]s? nuera yerno ex padrino madrina ahijad[oa]"
)
OTHERS = one_of(
    "(?:mejor_)?amig[oa]s? vecin[oa]s? compañer[oa]s?(?:_de_(?:piso|trabajo|clase))? jef[ea] gerente encargad[oa] supervisora? colegas? soci[oa] asistente ayudante "
    "secretari[oa] becari[oa] aprendiz mentora? profesora? maestr[oa] tutora? entrenadora? m[ée]dic[oa] doctora? dentista fisio\\w* psic[óo]log[oa] terapeuta abogad[oa] "
    "contable gestora? caser[oa] inquilin[oa] client[ea]s? proveedora? contacto diseñadora? desarrolladora? programadora? ingenier[oa] arquitect[oa] editora? agente "
    "jardiner[oa] niñera canguro fontaner[oa] electricista perr[oa]s? gat[oa]s? mascotas? cachorr[oa] caballo yegua loro conejo tortuga gallinas? hámster"
)
PERSON = f"(?:{FAMILY}|{OTHERS})"
MONTH = one_of("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
WEEKDAY = one_of("lunes martes mi[ée]rcoles jueves viernes s[áa]bados? domingos?")
WHEN = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}} de {MONTH}|{MONTH}|{WEEKDAY}|mañana|hoy|pasado mañana|(?:la|el) (?:próxim[oa]|semana|mes|año)|primavera|verano|otoño|invierno|"
    r"navidad|semana santa|fin de (?:mes|año)|(?:dentro de|en) (?:\d+|un|una|dos|tres|cuatro|cinco|seis|diez) (?:días|semanas?|meses)|\d{1,2}/\d{1,2})"
)
EVENT = one_of(
    "boda fiesta feria festival conferencia congreso retiro taller reuni[óo]n cita examen entrevista operaci[óo]n cirug[íi]a revisi[óo]n auditor[íi]a viaje vuelo "
    "vacaciones mudanza lanzamiento estreno entrega plazo presentaci[óo]n charla curso concierto exposici[óo]n carrera marat[óo]n torneo partido cumpleaños aniversario "
    "bautizo comuni[óo]n funeral subasta mercado inauguraci[óo]n apertura beta demo proyecto tesis manuscrito libro informe solicitud beca propuesta cat[áa]logo campaña "
    "cosecha vendimia evento gala cena comida jornada versi[óo]n"
)
MACHINE = one_of(
    "servidor servidores m[áa]quina ordenador computadora port[áa]til equipo router nas impresora c[áa]mara monitor m[óo]vil tel[ée]fono cl[úu]ster contenedor base_de_datos "
    "repositorio dominio web sitio p[áa]gina blog wiki foro tienda app aplicaci[óo]n servicio api pasarela proxy bot agente cron script tarea canal copias? copias_de_seguridad "
    "backup backups hoja carpeta sensor dispositivo termostato microscopio espectr[óo]metro telescopio horno torno panel webhook entorno producci[óo]n pruebas redis mysql "
    "postgres\\w* nginx grafana jenkins gitlab correo relay cola cach[ée] backend frontend"
)
JOB = (
    r"(?:[\p{L}]+(?:or|ora|ista|ero|era|ólogo|óloga|ologo|ologa|ógrafo|ógrafa|ógeno|ante|ente|ario|aria|ivo|iva|ico|ica|ado|ada|eta|eña|eño|tra|tro|ogo|oga)|chef|jefe|jefa|juez|jueza|piloto|guía|poeta|taxista|estudiante|"
    r"autónom[oa]|freelance|jubilad[oa]|dueñ[oa]|propietari[oa]|fundador[a]?|responsable|albañil|matrona|barman|sastre|cartero)\b"
)
STANDING = r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|a partir de hoy|cada vez|por defecto|en todo momento|bajo ningún concepto|bajo ninguna circunstancia|en ningún caso|(?:en|para|con) (?:todos|todas|todo|toda|cada|cualquier))\b"
ADV = r"(?: (?:ya|también|siempre|nunca|solo|sólo|casi|ahora|aún|todavía|muy|realmente|normalmente|actualmente|además|personalmente|\p{L}+mente))*"
YO = (
    r"^(?:y |pero |así que |además |bueno |yo |nosotros |nosotras |en general |la verdad |para [^,]{2,30},? |en [^,]{2,30}, |ahora |ya |también |siempre |nunca |solo |sólo |casi |"
    r"actualmente |normalmente |hoy |ayer |anoche |(?:el|la|este|esta|el próximo|la próxima) (?:mes|semana|año|verano|invierno|otoño|primavera|lunes|martes|miércoles|jueves|viernes|sábado|domingo|mañana|tarde|noche|día \d+)(?: pasad[oa]| que viene| próxim[oa])?,? |hace [^,]{3,20},? |desde \w+ |este \w+ |\p{L}+mente )*(?:no )?(?:ya |también |siempre |nunca |solo |sólo |casi |\p{L}+mente )*"
)

RULES = (
    *rules(
        "project", "constraint",
        r"\bme (?:he )?(?:torcí|torcido|rompí|roto|lesioné|lesionado|fracturé|fracturado|hice daño|hecho daño|operaron|han operado|corté|cortado|quemé|quemado|disloqué|dislocado|esguincé)\b",
        r"\b(?:lesión|esguince|fractura|escayola|cirugía|operación|baja médica|gripe|neumonía|convaleciente|tendinitis)\b.*\b(?:no|nada|sin|hasta|durante|semanas|recuper)",
        r"\b(?:no puedo|no podré|no podemos|nada de|tengo prohibido|dejo de|aparco|en pausa|suspendid[oa])\b.*\b(?:hasta|durante|por (?:un|una|unos|unas|el momento|ahora)|semanas|meses|días|una temporada|un tiempo|de momento|este mes|esta semana)\b",
        r"\b(?:temporalmente|de forma temporal|por un tiempo|una temporada)\b",
        opens=True,
    ),
    *rules(
        "rule", "rule",
        rf"^(?:y |pero |además |por favor,? )*(?:nunca|jamás|siempre|bajo ningún concepto|bajo ninguna circunstancia|en ningún caso)\b(?! (?:he|había|me ha|lo he|pensé|supe|me ha|quise|fui|voy|he|tomo|como|uso|bebo|llevo|viajo|desayuno|compro|leo)\b)",
        r"\b(?:a partir de (?:ahora|hoy)|de ahora en adelante|de aquí en adelante|desde ahora|en adelante|de hoy en adelante)\b",
        r"^(?:y )?(?:por favor,? )?(?:cada vez que|siempre que|cuando) [^,]+, ?(?:por favor |siempre |nunca |no )*\p{L}+",
        r"^si [^,]+, ?(?:por favor |siempre |nunca |no |solo )*(?:preg[uú]nta|av[ií]sa|usa|escr[ií]be|cons[uú]lta|p[ií]de|espera|b[uú]sca|m[aá]nda|envía|elige|deja|conf[ií]rma|d[ií]me|llam|llám|no )\w*",
        r"^(?:y |pero )?(?:por favor,? )?(?:no|evita) (?:me |nos |le |les |lo |la |los |las )?(?:\p{L}+es|\p{L}+as|\p{L}+ar|\p{L}+er|\p{L}+ir)\b(?!.*\b(?:esto|eso|este|esta|ese|esa|ahora|todavía|aún|te preocupes)\b).*"
        rf"(?:\b(?:nunca|antes|después|sin|porque|ya que|salvo|excepto|a menos que|fines? de semana|{WEEKDAY}|por la (?:noche|mañana|tarde)|en mi|sobre|más)\b|,)",
        rf"^(?:y )?(?:por favor,? )?(?:usa|utiliza|escribe|responde|contesta|habla|firma|redondea|cita|manda|envía|pon|reserva|agenda|pregunta|trata|llama|formatea|traduce|da|dame|incluye|añade|guarda|nombra|resume)(?:me|nos|le|lo|la)?\b.*{STANDING}",
        r"^(?:y )?(?:por favor,? )?(?:pregúntame|consúltame|avísame|pídeme permiso|confírmame|dime)\b.*\b(?:antes|siempre|primero|cada vez)\b|^(?:y )?(?:por favor,? )?(?:trátame|háblame|llámame|respóndeme|contéstame|escríbeme) (?:de|por|en|como|siempre)\b",
        r"^(?:asegúrate|procura|cuida)\b.*\b(?:siempre|nunca|todos|todas|cada)\b",
        opens=True, directive=True,
    ),
    *rules(
        "rule", "rule",
        r"\b(?:está|están|queda|quedan) (?:totalmente |estrictamente |terminantemente )?(?:prohibid[oa]s?|vetad[oa]s?)\b|\bes obligatorio\b",
        r"\b(?:debe|deben|tiene que|tienen que|hay que|debes|tienes que|puede|pueden) (?:siempre|nunca|estar siempre|pasar|ser|tener|llevar|ir)\b",
        r"\b(?:nadie|nada|ningún|ninguna) .* (?:puede|debe|sale|pasa|va|entra|toca)\b|\bsin (?:mi|nuestra|una) (?:aprobación|permiso|autorización|visto bueno|consentimiento|revisión)\b",
        r"\b(?:quiero|queremos|necesito|exijo|espero|prefiero) que (?:me |nos |no |siempre |nunca |las |los |el |la |tod[oa]s )*\p{L}+.*" + STANDING,
        r"\b(?:la|nuestra|mi|una) (?:regla|norma|política|condición|consigna)(?: de [\p{L} ]+)? (?:es|:)|^(?:regla|norma|política)\s*:",
        r"\b(?:ventana|horario) de (?:despliegue|mantenimiento|cambios|entrega|atención)\b",
        r"^(?:nada de|ni|sin) [^,]+ (?:después|antes|los|por la|en|sin)\b",
        opens=True,
    ),
    *rules(
        "decision", "decision",
        r"\b(?:he|hemos|ha|han) (?:decidido|elegido|optado|acordado|escogido|descartado|adoptado|apostado)\b|\b(?:decidí|decidimos|elegí|elegimos|optamos|opté|acordamos|escogimos|escogí|descartamos|adoptamos|apostamos|nos quedamos con|me quedo con|nos decantamos|me decanté|vamos a usar|vamos con)\b",
        r"\b(?:la|nuestra|mi) decisión\b|\b(?:el equipo|la junta|la dirección|el cliente|la empresa|el comité) (?:ha )?(?:decidi|elegi|acord|opt|escogi)\w+",
        r"\b(?:lección aprendida|aprendimos|aprendí|he aprendido|hemos aprendido|la causa (?:raíz|principal)? ?(?:era|fue|es)|el error fue|resultó que)\b",
        r"\b(?:cambiamos|cambié|cambiaremos|migramos|migraremos|pasamos|pasaremos|sustituimos|reemplazamos|dejamos|usaremos|hemos (?:cambiado|pasado|migrado|dejado))\b.*\b(?:porque|ya que|por(?:que)?|debido|para (?:que|ahorrar|evitar)|en vez|en lugar)\b",
        opens=True,
    ),
    *rules(
        "identity", "name",
        rf"^(?:[Yy]o |[Hh]ola,? |[Yy] |[Bb]ueno,? )*[Ss]oy (?!(?:Yo|El|La|Un|Una)\b)\p{{Lu}}[\p{{L}}'-]+",
        r"\b(?:[Mm]e llamo|[Mm]i (?:nombre|apellido|apodo)(?: completo)? es|[Mm]e (?:llaman|dicen|conocen como|puedes llamar)|[Ll]lámame|[Pp]uedes llamarme|[Tt]odos me (?:llaman|dicen))\b",
        opens=True, cased=True,
    ),
    *rules(
        "identity", "health",
        r"\b(?:soy|estoy) (?:muy )?(?:al[ée]rgic[oa]|cel[íi]ac[oa]|diab[ée]tic[oa]|vegetarian[oa]|vegan[oa]|intolerante|asm[áa]tic[oa]|embarazada|hipertens[oa]|dalt[óo]nic[oa]|zurd[oa]|disl[ée]xic[oa]|sord[oa]|pescetarian[oa]|abstemi[oa])\b",
        r"\b(?:tengo|padezco|sufro(?: de)?|me han diagnosticado|me diagnosticaron) (?:una? )?(?:alergia|asma|diabetes|migrañas?|celiaquía|intolerancia|hipertensión|tdah|epilepsia|artritis|insomnio|tensión alta|anemia|colesterol|fibromialgia)\b",
        rf"^(?:y |pero |yo )*(?:no|nunca|ya no|tampoco|solo) (?:puedo (?:comer|beber|tomar)|como|bebo|tomo|fumo|tolero)\b",
        opens=True,
    ),
    *rules(
        "relationship", "person",
        r"^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*(?:,? (?:de|del) [^,]{2,30},?)? (?:es|era) (?:mi|nuestr[oa]|el|la) ",
        opens=True, cased=True,
    ),
    *rules(
        "relationship", "person",
        rf"^(?:y |pero |además )*(?:mi|mis|nuestr[oa]s?) (?:\p{{L}}+ ){{0,3}}?{PERSON}\b(?!.*\b(?:dice|dijo|cree|pregunta|quiere saber)\b).* (?:es|son|se llama|se llaman|vive|viven|trabaja|trabajan|estudia|estudian|tiene|tienen|cumple|lleva|llevan|gestiona|revisa|aprueba|dirige|está|están|se (?:encarga|ocupa|mudó|casa|casó|jubila)|nació|murió|falleció|juega|toca|prefiere|odia|adora|hace|va|viene|habla|cocina|nos|me|da|firma|decide|coordina|"
        r"enseña|maneja|lidera|colecciona|sabe|quiere|necesita|va a)\b",
        rf"^\p{{L}}+(?: \p{{L}}+){{0,3}} (?:se encarga|se ocupa|es responsable|lleva|dirige|gestiona|coordina|lidera|aprueba) (?:de |del |la |el |los |las )",
        rf"\b(?:es|será) (?:mi|nuestr[oa]) (?:\p{{L}}+ )?{PERSON}\b|\b(?:nuestr[oa]|mi) (?:nuev[oa] )?(?:contacto|persona de contacto)\b",
        rf"^(?:y )?(?:tengo|tenemos) (?:un|una|dos|tres|cuatro|cinco|\d+)\b[^,]*{PERSON}\b",
        r"\b(?:estoy|estamos|me|nos) (?:casad[oa]s?|divorciad[oa]s?|separad[oa]s?|comprometid[oa]s?|casé|casamos|divorcié|prometí|solter[oa])\b",
        opens=True,
    ),
    *rules(
        "identity", "work",
        rf"^(?:y |pero |yo |también |hola,? )*soy (?:(?:un|una|el|la) )?(?!de\b|muy\b|más\b|un poco|bastante\b|tan\b|feliz|consciente|partidari\w+\b|fan\b){JOB}",
        rf"{YO}(?:trabajo|trabajamos|trabajaba|curro|me dedico|ejerzo|doy clases|imparto|enseño|dirijo|llevo (?:una|un|el|la)|regento|tengo (?:una|un) (?:\p{{L}}+ )?(?:tienda|empresa|negocio|taller|estudio|bar|restaurante|consultora|panadería|librería|clínica|granja|viñedo))\b(?! en (?:ello|esto|eso|este)\b)",
        r"\bmi (?:trabajo|profesión|puesto|cargo|empresa|oficio|empleo|sector|carrera) (?:es|actual)\b|\b(?:estudio|estudiamos) (?:medicina|derecho|ingeniería|\p{L}+) (?:en|de|por)\b|\bestoy (?:estudiando|jubilad[oa]|en paro|de prácticas|opositando)\b",
        r"\b(?:me (?:han )?(?:ascendido|ascendieron|contrataron|contratado|despidieron|despedido|nombraron)|empecé a trabajar|he empezado (?:a trabajar|en)|empiezo (?:a trabajar )?en|cambié de trabajo|he cambiado de trabajo|ya no trabajo|dejé (?:mi|el) trabajo|soy (?:el|la) (?:nuev[oa]|responsable|jef[ea]|director[a]?))\b",
        opens=True,
    ),
    *rules(
        "identity", "residence",
        rf"{YO}(?:vivo|vivimos|resido|residimos|estoy viviendo|estamos viviendo|me (?:he )?(?:mudé|mudo|mudado|trasladé|traslado|instalé)|nos (?:hemos )?(?:mudamos|mudado|trasladamos|instalamos)|soy de(?!l? (?:los|las|que|acuerdo))|somos de|vengo de|nací|crecí|me crié)\b",
        r"^(?:nuestra|nuestro|mi|la|el) (?:nuev[oa] )?(?:oficina|sede|taller|tienda|estudio|empresa|escuela|laboratorio|almacén|clínica|granja|despacho|local|consulta) (?:está|se mudó|queda|se encuentra) (?:ahora )?(?:en|a)\b",
        r"\bmi (?:ciudad|pueblo|zona horaria|huso horario|dirección|domicilio|casa|nacionalidad|país|código postal) (?:es|está|natal)\b",
        opens=True,
    ),
    *rules(
        "identity", "person data",
        r"\bmi (?:cumpleaños|fecha de nacimiento|edad|lengua materna|idioma|correo|email|teléfono|número de (?:teléfono|calzado|móvil)|grupo sanguíneo|talla|signo) (?:es|son|materno)\b|\b(?:tengo|cumplo|cumplí|he cumplido) \d{1,3}(?: años|$)|\bhablo (?:un poco de )?\p{L}+",
        opens=True,
    ),
    *rules(
        "preference", "preference",
        rf"{YO}(?:prefiero|preferimos|odio|odiamos|adoro|detesto|aborrezco|disfruto|amo|evito|soy (?:muy )?(?:fan|partidari[oa]|más de|aficionad[oa])|aprecio|no soporto|no aguanto|soporto|aguanto)\b(?! (?:eso|esto)\b$)",
        r"\b(?:me|nos) (?:gusta|gustan|encanta|encantan|chifla|chiflan|flipa|apasiona|apasionan|molesta|molestan|irrita|horroriza|da (?:asco|igual|rabia)|dan (?:asco|rabia)|cuesta|resulta|resultan|va mejor|viene mejor|marea|saca de quicio|ponen? nervios[oa])\b(?! (?:tu|esa|esta|la idea|la respuesta|cómo|que me|hablar contigo|charlar)\b)",
        r"\b(?:mi|mis|nuestro|nuestra) (?:[\p{L}]+ )?(?:favorit[oa]s?|preferid[oa]s?|predilect[oa]s?) (?:es|son)\b|\bmi [\p{L} ]{2,30} (?:favorit[oa]|preferid[oa]|de cabecera|de siempre)\b",
        rf"{YO}(?:quiero|queremos|necesito) (?:los|las|mis|tus|todas|todos|respuestas|informes|resúmenes|mensajes|código)\b",
        r"\b(?:en todos los|en todas las|en cada) (?:informes?|respuestas?|mensajes?|correos?|gráficos?|documentos?)\b",
        rf"{YO}(?:he dejado|dejé|ya no (?:uso|tomo|bebo|como|leo)|me (?:he )?(?:pasé|pasado|cambié|cambiado) (?:a|al)|he cambiado|cambié|renuncié|me cansé|me harté)\b",
        rf"{YO}(?:siempre|nunca|normalmente|suelo|solemos|solo|casi siempre) (?:uso|utilizo|tomo|bebo|como|viajo|compro|leo|escribo|escucho|cocino|pago|duermo|desayuno|ceno|empiezo|reservo|pido|elegir|usar|tomar|beber|comer|viajar|leer|trabajar|desayunar|cenar|llevo|cojo)\b",
        opens=True,
    ),
    *rules(
        "preference", "routine",
        rf"\b(?:cada|todos los|todas las|los) (?:día|días|mañanas?|tardes?|noches?|semanas?|meses|años?|veranos?|inviernos?|fin(?:es)? de semana|{WEEKDAY})\b.*\b(?:\p{{L}}+o|\p{{L}}+mos|me|nos|mi)\b|\b(?:\p{{L}}+o|\p{{L}}+mos|me|nos)\b.*\b(?:cada|todos los|todas las) (?:día|días|mañanas?|tardes?|noches?|semanas?|meses|años?|fin(?:es)? de semana|{WEEKDAY})\b",
        r"\b(?:tradición|rutina|costumbre|ritual)\b",
        opens=True, companion=True,
    ),
    *rules(
        "identity", "life event",
        r"\b(?:me|nos) (?:he |hemos )?(?:casé|casado|casamos|divorcié|divorciado|gradué|graduado|jubilé|jubilado|comprometí|comprometido)\b|\b(?:adoptamos|adopté|hemos adoptado|he adoptado|esperamos (?:un|una|nuestro|mellizos)|estoy embarazada|falleció|murió|nació|compramos (?:una|un) (?:casa|piso)|me dieron las llaves|dejé de fumar|he dejado de fumar|aprobé|he aprobado)\b",
        r"\b(?:la mejor parte|el mejor momento|por primera vez|me siento|me hace sentir|echo de menos|extraño|sueño con|me recuerda|significa mucho|mi mayor (?:miedo|ilusión))\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "plan",
        r"\b(?:quiero|queremos|quisiera|me gustaría|nos gustaría|pienso|tengo ganas de|tengo pensado|sueño con) (?:aprender|viajar|ir|visitar|hacer|correr|montar|escribir|tener|adoptar|comprar|empezar|conocer|subir)\b|\bno veo la hora\b|\btengo muchas ganas\b",
        opens=True, companion=True,
    ),
    *rules(
        "preference", "activity",
        rf"{YO}(?:toco|juego|bailo|pinto|dibujo|tejo|escalo|corro|nado|surfeo|esquío|navego|cocino|medito|colecciono|canto|practico|cultivo|pesco|camino|hago (?:yoga|pilates|deporte|senderismo|teatro|cerámica)|voy (?:a|al) (?:clase|gimnasio|coro|piscina))\b",
        opens=True, companion=True,
    ),
    *rules(
        "project", "project",
        rf"{YO}(?:estoy|estamos|sigo|seguimos|ando) (?:ahora |también )?(?:montando|construyendo|desarrollando|escribiendo|preparando|organizando|planeando|planificando|diseñando|creando|haciendo (?:un|una|mi|el|la)|trabajando en|entrenando|restaurando|renovando|reformando|estudiando para|investigando|traduciendo|"
        r"aprendiendo|ahorrando|editando|grabando|migrando|reescribiendo|lanzando|abriendo|buscando (?:casa|piso|local)|rodando|componiendo|recopilando|programando|rehaciendo|opositando)\b(?! (?:eso|esto)\b)",
        rf"\b(?:vence|caduca|se entrega|hay que entregar\w*|entrega|fecha límite|plazo|tiene que estar|debe estar|ha de estar|sale|se publica|se lanza|se estrena|abre|abrimos|estrenamos|lanzamos|publicamos|entregamos)\b.*{WHEN}",
        rf"\b(?:el|la|los|las|mi|nuestr[oa]|tu) (?:\p{{L}}+ ){{0,4}}?{EVENT}\b.* (?:es|será|son|empieza|termina|acaba|comienza|tiene lugar|se celebra|cae|se (?:ha )?(?:mueve|movió|movido|aplaza|aplazó|aplazado|pospone|pospuso|retrasa|retrasado|adelanta|cancela|cancelado)|está|necesita|requiere|cuesta|tiene|queda)\b.*(?:{WHEN}|\d|necesita|requiere)",
        rf"(?:^|, |\by )(?:ayer |hoy |ya |por fin |esta semana |la semana pasada |el \w+ )*(?:he |hemos )?(?:terminamos|terminé|terminado|acabamos|acabé|acabado|completamos|completé|completado|entregamos|entregué|entregado|lanzamos|lancé|lanzado|publicamos|publiqué|publicado|firmamos|firmé|firmado|empezamos|empecé|empezado|"
        r"cerramos|cerré|cerrado|aprobamos|inauguramos|inaugurado|compramos|compré|comprado|vendimos|vendí|vendido|ganamos|gané|ganado|conseguimos|conseguido|presentamos|presenté|presentado|reservamos|reservé|reservado)\b(?! (?:de (?:comer|cenar|leer)|eso|esto|lo)\b)",
        r"\b(?:mi|nuestro|nuestra|el|la) (?:meta|objetivo|plan|propósito|sueño|reto|proyecto|presupuesto|hito)(?: \p{L}+){0,5} (?:es|son|consiste|sería)\b",
        rf"\b(?:tengo|tenemos|hay) (?:una?|el|la|que) (?:\p{{L}}+ ){{0,4}}.*\b(?:{WHEN})",
        rf"{YO}(?:voy|vamos|viajo|viajamos|salgo|salimos|vuelo|volamos|me voy|nos vamos|me caso|nos casamos|iré|iremos|estaré|estaremos|empezaré|empezaremos|trabajaré) .*{WHEN}",
        rf"{YO}(?:planeo|planeamos|pensamos|espero|pretendo|pretendemos|tengo (?:previsto|planeado)|tenemos (?:previsto|planeado))\b",
        rf"\bpara (?:la|el|nuestr[oa]|mi) (?:\p{{L}}+ )*?{EVENT}\b.*\b(?:necesit|queremos|hace falta|hacen falta|presupuesto)",
        opens=True,
    ),
    *rules("project", "need", r"\b(?:necesitamos|necesito|hacen falta|hace falta|se necesitan?) (?:un|una|dos|tres|cuatro|cinco|\d|al menos|espacio|sitio)"),
    *rules(
        "configuration", "set up",
        rf"{YO}(?:he |hemos )?(?:instalé|instalamos|instalado|configuré|configuramos|configurado|desplegué|desplegamos|desplegado|actualicé|actualizamos|actualizado|migré|migramos|migrado|activé|activamos|activado|desactivé|desactivado|programé|programamos|programado|conecté|conectado|moví|movimos|movido|renombré|creé|creamos|creado|puse|pusimos|puesto|monté|"
        r"cambié|cambiamos|cambiado|reemplacé|sustituí|subí|subimos|bajé)\b(?! (?:de (?:idea|opinión)|eso|esto)\b)",
        rf"\b(?:el|la|los|las|mi|nuestr[oa]s?) (?:[\p{{L}}\d.]+ ){{0,4}}?{MACHINE}\b.*\b(?:se llama|corre|corren|escucha|está en|están en|está alojad|apunta|usa|usan|tiene|vive|funciona|se ejecuta|se hace|se hacen|arranca|guarda|hace|hacen|es una?|publica|envía|lleva|pasa|cuelga)",
        r"\b(?:puerto|pin|vlan|ranura|rack|gpio|com) ?\d+|\b(?:cron|cada \d+ (?:min\w*|horas?|segundos?)|todas las noches a las|cada noche a las)\b|(?<=\s)/\w+/\S+",
        r"\b(?:reunión diaria|daily|standup|retro|reunión semanal)\b.*\d",
        rf"{YO}(?:desplegamos|despliego|alojamos|alojo) ",
    ),
    *rules(
        "technical", "stack",
        r"\b(?:stack|pila tecnológica|tecnologías|entorno de desarrollo)\b.*\b(?:es|son|usa|incluye|consiste)\b|\b(?:escrit[oa]|hech[oa]|programad[oa]|desarrollad[oa]|construid[oa]) (?:en|con)\b",
        rf"{YO}(?:uso|usamos|utilizo|utilizamos|programo|programamos|desarrollo en|desarrollamos|trabajo con|trabajamos con|empleamos)\b(?! (?:eso|esto|lo)\b)",
        r"\b(?:domino|manejo bien|tengo experiencia|años de experiencia|soy (?:nuev[oa]|novat[oa]|principiante) (?:en|con)|no (?:sé|conozco) (?:nada de )?(?:python|java\w*|rust|go|sql|docker|linux|git|excel|programar))\b|\b(?:el|nuestro|la|nuestra) (?:backend|frontend|base de datos|código|api|app) (?:es|usa|está)\b",
    ),
)  # fmt: skip
