"""Spanish: plans, milestones, deadlines, systems, and what stands in their way for a while."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.pieces import EVENT, MACHINE, WHEN, YO
from memoryapp.llm.backends.offline.statements import rules

CONSTRAINTS = (
    *rules(
        "project", "constraint",
        r"\bme (?:he )?(?:torcí|torcido|rompí|roto|lesioné|lesionado|fracturé|fracturado|hice daño|"
        r"hecho daño|operaron|han operado|corté|cortado|quemé|quemado|disloqué|dislocado|esguincé)\b",
        r"\b(?:lesión|esguince|fractura|escayola|cirugía|operación|baja médica|gripe|neumonía|"
        r"convaleciente|tendinitis)\b.*\b(?:no|nada|sin|hasta|durante|semanas|recuper)",
        r"\b(?:no puedo|no podré|no podemos|nada de|tengo prohibido|dejo de|aparco|en pausa|"
        r"suspendid[oa])\b.*\b(?:hasta|durante|por (?:un|una|unos|unas|el momento|ahora)|semanas|meses|"
        r"días|una temporada|un tiempo|de momento|este mes|esta semana)\b",
        r"\b(?:me|nos) han? (?:quitado|prohibido|suprimido|desaconsejado)\b.*\b(?:hasta|durante|por|"
        r"semanas?|mes(?:es)?|días|temporada|tiempo)\b",
        r"\b(?:temporalmente|de forma temporal|por un tiempo|una temporada)\b",
        opens=True,
    ),
)  # fmt: skip

PROJECTS_AND_SYSTEMS = (
    *rules(
        "project", "project",
        rf"{YO}(?:estoy|estamos|sigo|seguimos|ando) (?:ahora |también )?(?:montando|construyendo|"
        r"desarrollando|escribiendo|preparando|organizando|planeando|planificando|diseñando|creando|"
        r"haciendo (?:un|una|mi|el|la)|trabajando en|entrenando|restaurando|renovando|reformando|"
        r"estudiando para|investigando|traduciendo|"
        r"aprendiendo|ahorrando|editando|grabando|migrando|reescribiendo|lanzando|abriendo|"
        r"buscando (?:casa|piso|local)|rodando|componiendo|recopilando|programando|rehaciendo|"
        r"opositando)\b(?! (?:eso|esto)\b)",
        rf"^(?:para )?(?:la|el|mi|nuestr[oa]) (?:\p{{L}}+ ){{0,3}}?{EVENT}[^:]{{0,25}}: ",
        r"\b(?:vence|caduca|se entrega|hay que entregar\w*|entrega|fecha límite|plazo|tiene que estar|"
        r"debe estar|ha de estar|sale|se publica|se lanza|se estrena|abre|abrimos|estrenamos|lanzamos|"
        rf"publicamos|entregamos)\b.*{WHEN}",
        rf"\b(?:el|la|los|las|mi|nuestr[oa]|tu) (?!{MACHINE}\b)(?:\p{{L}}+ ){{0,4}}?{EVENT}\b.* (?:es|será|"
        rf"son|empieza|"
        r"termina|acaba|comienza|tiene lugar|se celebra|cae|se (?:ha )?(?:mueve|movió|movido|aplaza|"
        r"aplazó|aplazado|pospone|pospuso|retrasa|retrasado|adelanta|cancela|cancelado)|está|necesita|"
        rf"requiere|cuesta|tiene|queda)\b.*(?:{WHEN}|\d|necesita|requiere)",
        r"(?:^|, |\by )(?:ayer |anteayer |antier |anoche |hace [^,]{3,20} |el mes pasado |el año pasado |"
        r"esta mañana |hoy |ya |por fin |esta semana |la semana pasada |el \w+ )*(?:he |"
        r"hemos )?(?:terminamos|terminé|terminado|acabamos|acabé|acabado|completamos|completé|completado|"
        r"entregamos|entregué|entregado|lanzamos|lancé|lanzado|publicamos|publiqué|publicado|firmamos|"
        r"firmé|firmado|empezamos|empecé|empezado|"
        r"cerramos|cerré|cerrado|aprobamos|inauguramos|inaugurado|compramos|compré|comprado|vendimos|"
        r"vendí|vendido|ganamos|gané|ganado|conseguimos|conseguido|presentamos|presenté|presentado|"
        r"reservamos|reservé|reservado)\b(?! (?:de (?:comer|cenar|leer)|eso|esto|lo)\b)",
        r"\b(?:mi|nuestro|nuestra|el|la) (?:meta|objetivo|plan|propósito|sueño|reto|proyecto|presupuesto|"
        r"hito)(?: \p{L}+){0,5} (?:es|son|consiste|sería)\b",
        rf"\b(?:tengo|tenemos|hay) (?:una?|el|la|que) (?:\p{{L}}+ ){{0,4}}.*\b(?:{WHEN})",
        rf"^(?:antes del? |para |en |durante )(?:el |la |los |finales de |mediados de |principios de "
        rf")?{WHEN}[^,]{{0,20}},? (?:tengo|tenemos|hay|debo|debemos|"
        r"quiero|queremos) (?:que )?\p{L}+r\b",
        rf"{YO}(?:voy|vamos|viajo|viajamos|salgo|salimos|vuelo|volamos|me voy|nos vamos|me caso|"
        rf"nos casamos|iré|iremos|estaré|estaremos|empezaré|empezaremos|trabajaré) .*{WHEN}",
        rf"{YO}(?:planeo|planeamos|pensamos|espero|pretendo|pretendemos|tengo (?:previsto|planeado)|"
        r"tenemos (?:previsto|planeado))\b",
        rf"\bpara (?:la|el|nuestr[oa]|mi) (?:\p{{L}}+ )*?{EVENT}\b.*\b(?:necesit|queremos|hace falta|"
        r"hacen falta|presupuesto)",
        opens=True,
    ),
    *rules("project", "need", r"\b(?:necesitamos|necesito|hacen falta|hace falta|se necesitan?) (?:un|una|"
                              r"dos|tres|cuatro|cinco|\d|al menos|espacio|sitio)"),
    *rules(
        "configuration", "set up",
        rf"{YO}(?:he |hemos )?(?:instalé|instalamos|instalado|configuré|configuramos|configurado|"
        r"desplegué|desplegamos|desplegado|actualicé|actualizamos|actualizado|migré|migramos|migrado|"
        r"activé|activamos|activado|desactivé|desactivado|programé|programamos|programado|conecté|"
        r"conectado|moví|movimos|movido|renombré|creé|creamos|creado|puse|pusimos|puesto|monté|"
        r"cambié|cambiamos|cambiado|reemplacé|sustituí|subí|subimos|bajé)\b(?! (?:de (?:idea|opinión)|eso|"
        r"esto)\b)",
        rf"\b(?:el|la|los|las|mi|nuestr[oa]s?) (?:[\p{{L}}\d.]+ ){{0,4}}?{MACHINE}\b.*\b(?:se llama|corre|"
        r"corren|escucha|está en|están en|está alojad|apunta|usa|usan|tiene|vive|funciona|se ejecuta|"
        r"se hace|se hacen|arranca|guarda|hace|hacen|es una?|publica|envía|lleva|pasa|cuelga)",
        r"^[\p{L}][\w.-]* (?:está|corre|escucha|vive|va|queda) en (?:https?://|\S*\d[\d.:]*)",
        r"\b(?:puerto|pin|vlan|ranura|rack|gpio|com) ?\d+|\b(?:cron|cada \d+ (?:min\w*|horas?|segundos?)|"
        r"todas las noches a las|cada noche a las)\b|(?<=\s)/\w+/\S+",
        r"\b(?:reunión diaria|daily|standup|retro|reunión semanal)\b.*\d",
        rf"{YO}(?:desplegamos|despliego|alojamos|alojo) ",
    ),
    *rules(
        "technical", "stack",
        r"\b(?:stack|pila tecnológica|tecnologías|entorno de desarrollo)\b.*\b(?:es|son|usa|incluye|"
        r"consiste)\b|\b(?:escrit[oa]|hech[oa]|programad[oa]|desarrollad[oa]|construid[oa]) (?:en|con)\b",
        rf"{YO}(?:uso|usamos|utilizo|utilizamos|programo|programamos|desarrollo en|desarrollamos|"
        r"trabajo con|trabajamos con|empleamos|(?:orquest|model|monitoriz|prob|teste|compil|document|"
        r"version|maquet)amos (?:todo )?(?:con|en))\b(?! (?:eso|esto|lo)\b)",
        r"\b(?:orquest|model|monitoriz|teste|compil|version|maquet)amos (?:todo )?(?:con|en) \p{L}",
        r"\b(?:domino|manejo bien|tengo experiencia|años de experiencia|soy (?:nuev[oa]|novat[oa]|"
        r"principiante) (?:en|con)|no (?:sé|conozco) (?:nada de )?(?:python|java\w*|rust|go|sql|docker|"
        r"linux|git|excel|programar))\b|\b(?:el|nuestro|la|nuestra) (?:backend|frontend|base de datos|"
        r"código|api|app) (?:es|usa|está)\b",
    ),
)  # fmt: skip
