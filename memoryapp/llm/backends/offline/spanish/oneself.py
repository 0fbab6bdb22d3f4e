"""Spanish: who somebody is, the people around them, what they like."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.pieces import JOB, PERSON, YO
from memoryapp.llm.backends.offline.statements import rules

PEOPLE_AND_LIKES = (
    *rules(
        "identity", "name",
        r"^(?:[Yy]o |[Hh]ola,? |[Yy] |[Bb]ueno,? )*[Ss]oy (?!(?:Yo|El|La|Un|Una)\b)\p{Lu}[\p{L}'-]+",
        r"^(?:[Yy]o )?(?:[Ss]oy|[Aa]c[áa]|[Aa]qu[íi]) (?:el|la|don|doña) \p{Lu}\p{L}+(?:,|\.|$| (?:de|y|"
        r"del)\b)",
        r"\b(?:[Mm]e llamo|[Mm]i (?:nombre|apellido|apodo)(?: completo)? es|(?:(?<!que )[Mm]e (?:llaman|"
        r"dicen)(?!$|[.,;!]| (?:por|al?|que|del?|desde)\b))|[Mm]e (?:"
        r"conocen como|puedes llamar)|[Ll]lámame|[Pp]uedes llamarme|[Tt]odos me (?:llaman|dicen))\b",
        opens=True, cased=True,
    ),
    *rules(
        "identity", "health",
        r"\b(?:soy|estoy) (?:(?:muy|s[úu]per|bastante|algo|un poco|totalmente|extremadamente|además) "
        r")*(?:al[ée]rgic[oa]|cel[íi]ac[oa]|diab[ée]tic[oa]|vegetarian[oa]|"
        r"vegan[oa]|intolerante|asm[áa]tic[oa]|embarazada|hipertens[oa]|dalt[óo]nic[oa]|zurd[oa]|"
        r"disl[ée]xic[oa]|sord[oa]|pescetarian[oa]|abstemi[oa])\b",
        r"\b(?:tengo|padezco|sufro(?: de)?|me han diagnosticado|me diagnosticaron) (?:una? )?(?:alergia|"
        r"asma|diabetes|migrañas?|celiaquía|intolerancia|hipertensión|tdah|epilepsia|artritis|insomnio|"
        r"\p{L}{3,}(?:itis|algia)|reflujo|úlcera|lumbago|ciática|hernia|vértigos|psoriasis|eczema|apnea|"
        r"tensión alta|anemia|colesterol|fibromialgia)\b",
        r"^(?:y |pero |yo )*(?:no|nunca|ya no|tampoco|solo) (?:puedo (?:comer|beber|tomar)|como|bebo|tomo|"
        r"fumo|tolero)\b",
        opens=True,
    ),
    *rules(
        "relationship", "person",
        r"^[Dd]el? (?:l[oa]s? )?[^,]{3,40} se (?:encarga|ocupa)n? \p{Lu}\p{L}+",
        r"^(?:[Pp]ara|[Cc]on|[Ss]obre|[Ee]n|[Ss]i)\b [^,]{3,60}?,? (?:hay que |tienes que |debes |puedes |"
        r"conviene |mejor )?"
        r"(?:hablar con|preguntar a|pregunta a|pregúntale a|habla con|hablá con|contacta (?:con|a)|"
        r"contactar (?:con|a)|llama a|"
        r"llamar a|escribe a|escríbele a|acude a|dirígete a|consulta (?:con|a)|la persona es|el contacto "
        r"es|est[áa]) "
        r"(?:(?:mi|nuestr[oa]) \p{L}+ )?\p{Lu}\p{L}+",
        opens=True, cased=True, directive=True,
    ),
    *rules(
        "relationship", "person",
        r"^\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*(?:,? (?:de|del) [^,]{2,30},?)? (?:es|era) (?:mi|nuestr[oa]|el|la) ",
        r"^(?:[Ee]l que|[Ll]a que|[Qq]uien) (?!falla|funciona|peta|va |sirve|da |corre|usa|uso|me |más |"
        r"mejor|peor|manda )[^,]{3,50}? es (?:(?:mi|nuestr[oa]) \p{L}+ |don |doña "
        r")?\p{Lu}\p{L}+",
        r"^(?:[Ll]as|[Ll]os|[Ll]a|[Ee]l) [^,]{3,30} (?:las?|los?) (?:lleva|gestiona|firma|revisa|aprueba|"
        r"coordina|hace|prepara|"
        r"supervisa|mantiene|tramita|paga) (?:mi \p{L}+ )?\p{Lu}\p{L}+",
        r"^(?:[Ee]l|[Ll]a) (?:responsable|encargad[oa]|jef[ea]|persona|contacto|directora?|coordinadora?) "
        r"(?:de|del|para|que) "
        r"[^,]{2,40}? es \p{Lu}",
        rf"^(?:[Ee]l|[Ll]a) {PERSON} (?:nuestr[oa]|m[íi][oa]) (?:es|se llama) \p{{Lu}}",
        rf"^(?:[Yy] |[Aa]demás )*(?:[Ee]l|[Ll]as?|[Ll]os) (?:\p{{L}}+ ){{0,2}}?{PERSON}\b(?: de "
        r"[^,]{2,30})? "
        r"(?:se llaman?|es|son) \p{Lu}",
        opens=True, cased=True,
    ),
    *rules(
        "relationship", "person",
        rf"^(?:y |pero |además )*(?:mi|mis|nuestr[oa]s?) (?:\p{{L}}+ ){{0,3}}?{PERSON}\b(?!.*\b(?:dice|"
        r"dijo|cree|pregunta|quiere saber)\b).* (?:es|son|se llama|se llaman|vive|viven|trabaja|trabajan|"
        r"estudia|estudian|tiene|tienen|cumple|lleva|llevan|gestiona|revisa|aprueba|dirige|está|están|"
        r"se (?:encarga|ocupa|mudó|casa|casó|jubila)|nació|murió|falleció|juega|toca|prefiere|odia|adora|"
        r"hace|va|viene|habla|cocina|nos|me|da|firma|decide|coordina|"
        r"enseña|maneja|lidera|colecciona|sabe|quiere|necesita|va a)\b",
        r"^\p{L}+(?: \p{L}+){0,3}(?:,? del? [^,]{2,40},|, [^,]{2,40},)? (?:se encarga|se ocupa|es "
        r"responsable|lleva|dirige|gestiona|coordina|"
        r"lidera|aprueba) (?:de |del |la |el |los |las )",
        rf"\b(?:es|será) (?:mi|nuestr[oa]) (?:\p{{L}}+ )?{PERSON}\b|\b(?:nuestr[oa]|"
        r"mi) (?:nuev[oa] )?(?:contacto|persona de contacto)\b",
        rf"^(?:y )?(?:tengo|tenemos) (?:un|una|dos|tres|cuatro|cinco|\d+)\b[^,]*{PERSON}\b",
        r"\b(?:estoy|estamos|me|nos) (?:casad[oa]s?|divorciad[oa]s?|separad[oa]s?|comprometid[oa]s?|casé|"
        r"casamos|divorcié|prometí|solter[oa])\b",
        opens=True,
    ),
    *rules(
        "identity", "work",
        r"^(?:y |pero |yo |también |hola,? )*soy (?:(?:un|una|el|la) )?(?!de\b|muy\b|más\b|un poco|"
        rf"bastante\b|tan\b|feliz|consciente|partidari\w+\b|fan\b){JOB}",
        rf"{YO}(?:trabajo|trabajamos|trabajaba|curro|me dedico|ejerzo|doy clases|imparto|enseño|dirijo|"
        r"llevo (?:una|un|el|la)|regento|tengo (?:una|un) (?:\p{L}+ )?(?:tienda|empresa|negocio|taller|"
        r"estudio|bar|restaurante|consultora|panadería|librería|clínica|granja|viñedo))\b(?! en (?:ello|"
        r"esto|eso|este)\b)",
        r"\bmi (?:trabajo|profesión|puesto|cargo|empresa|oficio|empleo|sector|carrera) (?:es|actual)\b|"
        r"\b(?:estudio|estudiamos) (?:medicina|derecho|ingeniería|\p{L}+) (?:en|de|por)\b|"
        r"\bestoy (?:estudiando|jubilad[oa]|en paro|de prácticas|opositando)\b",
        r"\b(?:me (?:han )?(?:ascendido|ascendieron|contrataron|contratado|despidieron|despedido|"
        r"nombraron)|empecé a trabajar|he empezado (?:a trabajar|en)|empiezo (?:a trabajar )?en|"
        r"cambi[ée] de (?:trabajo|laburo|curro|chamba|pega|empleo|empresa)|he cambiado de (?:trabajo|curro|"
        r"empleo|empresa)|ya no trabajo|dejé (?:mi|el) trabajo|soy (?:el|"
        r"la) (?:nuev[oa]|responsable|jef[ea]|director[a]?))\b",
        opens=True,
    ),
    *rules(
        "identity", "residence",
        rf"{YO}(?:vivo|vivimos|resido|residimos|estoy viviendo|estamos viviendo|me (?:he )?(?:mudé|mudo|"
        r"mudado|trasladé|traslado|instalé)|nos (?:hemos )?(?:mudamos|mudado|trasladamos|instalamos)|"
        r"soy de(?!l? (?:los|las|que|acuerdo))|somos de|vengo de|nací|crecí|me crié)\b",
        r"^(?:nuestra|nuestro|mi|la|el) (?:nuev[oa] )?(?:oficina|sede|taller|tienda|estudio|empresa|"
        r"escuela|laboratorio|almacén|clínica|granja|despacho|local|consulta) (?:está|se mudó|queda|"
        r"se encuentra) (?:ahora )?(?:en|a)\b",
        r"\bmi (?:ciudad|pueblo|zona horaria|huso horario|dirección|domicilio|casa|nacionalidad|país|"
        r"código postal) (?:es|está|natal)\b",
        opens=True,
    ),
    *rules(
        "identity", "person data",
        r"\bmi (?:cumpleaños|fecha de nacimiento|edad|lengua materna|idioma|correo|email|teléfono|"
        r"número de (?:teléfono|calzado|móvil)|grupo sanguíneo|talla|signo) (?:es|son|materno)\b|"
        r"\b(?:tengo|cumplo|cumplí|he cumplido) \d{1,3}(?: años|$)|\bhablo (?:un poco de )?\p{L}+",
        opens=True,
    ),
    *rules(
        "preference", "preference",
        r"\bme (?:he )?(?:pas[ée]|pasado|cambi[ée]|cambiado) (?:de [\p{L}\d ]+ )?a (?!vivir|la casa|"
        r"otro piso)",
        rf"{YO}(?:prefiero|preferimos|odio|odiamos|adoro|detesto|aborrezco|disfruto|amo|evito|"
        r"soy (?:muy )?(?:fan|partidari[oa]|más de|aficionad[oa])|aprecio|no soporto|no aguanto|soporto|"
        r"aguanto)\b(?! (?:eso|esto)\b$)",
        r"\b(?:me|nos) (?:gusta|gustan|encanta|encantan|chifla|chiflan|flipa|apasiona|apasionan|molesta|"
        r"molestan|irrita|horroriza|da (?:asco|igual|rabia)|dan (?:asco|rabia)|cuesta|resulta|resultan|"
        r"dan? (?:much[oa] |un poco de |tanto |tanta )?(?:pánico|miedo|pereza|grima|vértigo|terror|"
        r"ansiedad|repelús|vergüenza)(?! que\b)|"
        r"vuelven? loc[oa]s?|priva|va mejor|viene mejor|marea|saca de quicio|ponen? nervios[oa])\b(?! "
        r"(?:tu|esa|esta|la idea|"
        r"la respuesta|cómo|que me|hablar contigo|charlar)\b)",
        r"^(?:cuando|mientras) (?:\p{L}+o|estoy \p{L}+|voy [^,]{2,20})(?: (?!no\b)[^,]{1,20}?)?,? "
        r"(?:siempre |solo |casi siempre )?(?:escucho|uso|"
        r"tomo|bebo|prefiero|llevo|leo|pongo)\b",
        rf"{YO}me (?:manejo|entiendo|apaño|aclaro|organizo|concentro|oriento|defiendo) (?:mucho |bastante "
        rf")?(?:mejor|más)\b.* (?:con|por|en|si|cuando|\p{{L}}+ndo)\b|"
        r"\b(?:se me dan?|me van?|me resultan?|me salen?|me queda) (?:mucho |bastante )?(?:mejor|más "
        r"(?:fácil|cómod[oa]|claro))",
        r"\b(?:mi|mis|nuestro|nuestra) (?:[\p{L}]+ )?(?:favorit[oa]s?|preferid[oa]s?|"
        r"predilect[oa]s?) (?:es|son)\b|\bmi [\p{L} ]{2,30} (?:favorit[oa]|preferid[oa]|de cabecera|"
        r"de siempre)\b",
        rf"{YO}(?:quiero|queremos|necesito) (?:los|las|mis|tus|todas|todos|respuestas|informes|resúmenes|"
        r"mensajes|código)\b",
        r"\b(?:en todos los|en todas las|en cada) (?:informes?|respuestas?|mensajes?|correos?|gráficos?|"
        r"documentos?)\b",
        rf"{YO}(?:he dejado|dejé|ya no (?:uso|tomo|bebo|como|leo)|me (?:he )?(?:pasé|pasado|cambié|"
        r"cambiado) (?:a|al)|he cambiado(?! de (?:trabajo|curro|empleo|empresa|idea|casa))|cambié(?! de "
        r"(?:trabajo|laburo|curro|chamba|pega|empleo|empresa|idea|casa))|renuncié|me cansé|me harté)\b",
        rf"{YO}(?:siempre|nunca|normalmente|suelo|solemos|solo|casi siempre) (?:uso|utilizo|tomo|bebo|"
        r"como|viajo|compro|leo|escribo|escucho|cocino|pago|duermo|desayuno|ceno|empiezo|reservo|pido|"
        r"elegir|usar|tomar|beber|comer|viajar|leer|trabajar|desayunar|cenar|llevo|cojo)\b",
        opens=True,
    ),
)  # fmt: skip
