"""Spanish: word lists and pieces of regular expressions that the rule tables share."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import one_of

FAMILY = one_of(
    "madre padre mam[áa] pap[áa] padres hermanas? hermanos? herman[oa]s? mujer esposa esposo marido "
    "pareja novia novio prometid[oa] hij[oa]s? niñ[oa]s? beb[ée] "
    "mellizos gemel[oa]s t[íi][oa]s? prim[oa]s? sobrin[oa]s? abuel[oa]s? niet[oa]s? suegr[oa]s? "
    "cuñad[oa]s? nuera yerno ex padrino madrina ahijad[oa]"
)
OTHERS = one_of(
    "(?:mejor_)?amig[oa]s? vecin[oa]s? compañer[oa]s?(?:_de_(?:piso|trabajo|"
    "clase))? jef[ea] gerente encargad[oa] supervisora? colegas? soci[oa] asistente ayudante "
    "secretari[oa] becari[oa] aprendiz mentora? profesora? maestr[oa] tutora? entrenadora? m[ée]dic[oa] "
    "doctora? dentista fisio\\w* psic[óo]log[oa] terapeuta abogad[oa] "
    "contable contadora? gestora? caser[oa] inquilin[oa] client[ea]s? proveedora? contacto diseñadora? "
    "desarrolladora? programadora? ingenier[oa] arquitect[oa] editora? agente "
    "jardiner[oa] niñera canguro fontaner[oa] electricista perr[oa]s? gat[oa]s? mascotas? cachorr[oa] "
    "recepcionista conserje porter[oa] limpiadora? cociner[oa] camarer[oa] administrativ[oa] "
    "inform[áa]tic[oa] "
    "t[ée]cnic[oa] comercial peluquer[oa] enfermer[oa] veterinari[oa] pediatra ch[óo]fer celadora? bedel "
    "caballo yegua loro conejo tortuga gallinas? hámster"
)
PERSON = f"(?:{FAMILY}|{OTHERS})"
MONTH = one_of("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
WEEKDAY = one_of("lunes martes mi[ée]rcoles jueves viernes s[áa]bados? domingos?")
WHEN = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}} de {MONTH}|{MONTH}|{WEEKDAY}|mañana|hoy|pasado mañana|(?:la|"
    r"el) (?:próxim[oa]|semana|mes|año)|primavera|verano|otoño|invierno|"
    r"navidad|semana santa|fin de (?:mes|año)|(?:dentro de|en) (?:\d+|un|una|dos|tres|cuatro|cinco|seis|"
    r"diez) (?:días|semanas?|meses)|\d{1,2}/\d{1,2})"
)
EVENT = one_of(
    "boda fiesta feria festival conferencia congreso retiro taller reuni[óo]n cita examen entrevista "
    "operaci[óo]n cirug[íi]a revisi[óo]n auditor[íi]a viaje vuelo "
    "vacaciones mudanza lanzamiento estreno entrega plazo presentaci[óo]n charla curso concierto "
    "exposici[óo]n carrera marat[óo]n torneo partido cumpleaños aniversario "
    "bautizo comuni[óo]n funeral subasta mercado inauguraci[óo]n apertura beta demo proyecto tesis "
    "manuscrito libro informe solicitud beca propuesta cat[áa]logo campaña "
    "cosecha vendimia evento gala cena comida jornada versi[óo]n"
)
MACHINE = one_of(
    "servidor servidores m[áa]quina ordenador computadora port[áa]til equipo router nas impresora "
    "c[áa]mara monitor m[óo]vil tel[ée]fono cl[úu]ster contenedor base_de_datos "
    "repositorio dominio web sitio p[áa]gina blog wiki foro tienda app aplicaci[óo]n servicio api "
    "pasarela proxy bot agente cron script tarea canal copias? copias_de_seguridad "
    "backup backups hoja carpeta sensor dispositivo termostato microscopio espectr[óo]metro telescopio "
    "horno torno panel webhook entorno producci[óo]n pruebas redis mysql "
    "postgres\\w* nginx grafana jenkins gitlab correo relay cola cach[ée] backend frontend"
)
JOB = (
    r"(?:[\p{L}]+(?:or|ora|ista|ero|era|ólogo|óloga|ologo|ologa|ógrafo|ógrafa|ógeno|ante|ente|ario|aria|"
    r"ivo|iva|ico|ica|ado|ada|eta|eña|eño|tra|tro|ogo|oga)|chef|jefe|jefa|juez|jueza|piloto|guía|poeta|"
    r"taxista|estudiante|"
    r"autónom[oa]|freelance|jubilad[oa]|dueñ[oa]|propietari[oa]|fundador[a]?|responsable|albañil|matrona|"
    r"barman|sastre|cartero)\b"
)
STANDING = (
    r"\b(?:siempre|nunca|jamás|a partir de ahora|de ahora en adelante|desde ahora|en adelante|"
    r"en el futuro|a partir de hoy|cada vez|por defecto|en todo momento|bajo ningún concepto|"
    r"bajo ninguna circunstancia|en ningún caso|(?:en|para|con) (?:todos|todas|todo|toda|cada|"
    r"cualquier))\b"
)
YO = (
    r"^(?:y |pero |así que |además |bueno |yo |nosotros |nosotras |en general |la verdad |"
    r"para [^,]{2,30},? |de (?:los|las) [^,]{2,30}?,? |antes que [^,]{2,30}?,? |en [^,]{2,30}, |ac[áa] |"
    r"aqu[íi] |en casa |en el "
    r"trabajo |en la oficina |ahora |ya "
    r"|también |siempre |nunca |solo |sólo |casi |"
    r"actualmente |normalmente |hoy |ayer |anoche |(?:el|la|este|esta|el próximo|la próxima) (?:mes|"
    r"semana|año|verano|invierno|otoño|primavera|lunes|martes|miércoles|jueves|viernes|sábado|domingo|"
    r"mañana|tarde|noche|día \d+)(?: pasad[oa]| que viene| próxim[oa])?,? |hace [^,]{3,20},? |desde \w+ |"
    r"este \w+ |\p{L}+mente )*(?:no )?(?:ya |también |siempre |nunca |solo |sólo |casi |\p{L}+mente )*"
)
# "Mándame", "recuérdame", "avisame": an order to somebody, also as it is said in the Río de la Plata.
ORDER = (
    r"(?:m[áa]nd[ae]|env[íi][ae]|recu[ée]rd[ae]|av[íi]s[ae]|d[ia]|d[íi]|haz|hac[ée]|escr[íi]b[ea]|"
    r"prep[áa]r[ae]|p[áa]s[ae]|"
    r"mu[ée]str[ae]|res[úu]m[ea]|ll[áa]m[ae]|pon|pon[ée]|sac[ae]|revis[ae]|actual[íi][zc]\w+|prepar[ae]|"
    r"record[áa]|"
    r"envi[áa]|mand[áa]|avis[áa]|pas[áa]|imprim[ei]|gu[áa]rd[ae]|desp[ié]+rt[ae])"
)
