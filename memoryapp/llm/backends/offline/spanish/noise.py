"""Spanish: the ways of saying something that no later conversation needs, and why each is left out."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import one_of
from memoryapp.llm.backends.offline.statements import noise

_ONE_TIME_VERBS = one_of(
    "ejecuta corre abre muestra muéstrame lista busca búscame mira dime cuéntame dame manda envía escribe "
    "redacta resume resúmeme traduce tradúceme explica explícame arregla corrige crea genera añade quita "
    "elimina borra actualiza cambia mueve renombra para(?=$|,|_(?:ya|un_momento|de|eso|esto|todo)) "
    "detén inicia reinicia continúa sigue reintenta "
    "intenta prueba despliega compila instala imprime lee compara calcula convierte ayúdame ayuda "
    "recuérdame programa reserva pide pon haz usa entra copia pega sube descarga baja revierte deshaz "
    "cierra guarda carga revisa describe sugiere recomienda recomiéndame imagina deja ve déjame repite "
    "espera "
    "elige ordena cuenta dibuja comprueba verifica analiza extrae clasifica repasa enséñame apaga "
    "enciende vuelve acorta amplía"
)

NOISE = (
    *noise("factual", "denies something that nobody needs to know", r"\b(?:yo )?(?:nunca|no|jamás) (?:te |"
                                                                    r"lo |he |te he |lo he )*(?:dije|"
                                                                    r"dicho|mencioné|mencionado|pedí|"
                                                                    r"pedido)\b|\bde dónde (?:has sacado|"
                                                                    r"sacaste)\b"),
    *noise(
        "factual", "said by somebody else",
        r"\b(?:la documentación|el manual|el artículo|el libro|la reseña|el autor|el error|el log|"
        r"el mensaje|la página|el correo|el cliente|la gente) (?:dice|dijo|pone|afirma|recomienda|sugiere|"
        r"indica)\b",
        r"^(?:mi|mis|un|una|el|la) [\p{L} ]{2,25} (?:dice|dijo|cree|piensa|opina|me (?:dijo|contó|"
        r"preguntó)|asegura)\b|^(?:dicen|dice que|según (?!mi|nuestr))\b|\bal parecer\b",
    ),
    *noise(
        "factual", "a hypothetical, not a fact",
        r"^(?:y |pero )?si (?:yo )?(?:\p{L}+(?:ara|iera|ese|iese|áramos|iéramos|aras|ieras)|fuera|fuese|"
        r"tuviera|viviera|pudiera|hubiera)\b|\b(?:ojalá|imagina que|imaginemos|supongamos|supón|"
        r"hipotéticamente|en teoría|qué pasaría)\b",
        r"\b(?:me habría|hubiera sido|habría sido|estaría bien que)\b|\bsi (?:yo )?(?:viviera|tuviera|"
        r"fuera|trabajara|pudiera)\b",
    ),
    *noise(
        "factual", "too vague to rely on",
        r"^(?:no (?:sé|estoy segur[oa]|lo sé|tengo (?:ni )?idea|recuerdo|tengo claro)|quizás?|tal vez|"
        r"a lo mejor|puede (?:ser|que)|creo que (?:sí|no)|supongo|me pregunto|estoy (?:pensando|dudando|"
        r"considerando)|lo (?:pensaré|miraré|probaré)|ya veremos|voy a (?:pensar|mirar|ver|probar)|"
        r"déjame)\b",
    ),
    *noise(
        "factual", "a question",
        r"\?\s*$|^¿",
        r"^(?:y |pero |entonces )?(?:qué|quién|quiénes|cuál|cuáles|cómo|cuándo|dónde|adónde|por qué|"
        r"cuánt[oa]s?)\b",
        r"^(?:me |nos )?(?:puedes(?! (?:llamar|decir)me \p{L}+(?:$|[,;.]))|podrías|puede|podría|sabes|"
        r"sabe(?! a )|crees|conoces|hay alguna?|te "
        r"importa|"
        r"tienes)\b",
    ),
    *noise(
        "utility", "small talk",
        r"^(?:gracias|muchas gracias|mil gracias|perfecto|genial|estupendo|vale|ok(?:ay)?|de acuerdo|sí|"
        r"no|claro|bien|muy bien|entendido|hecho|listo|hola|buenos días|buenas(?: tardes| noches)?|adiós|"
        r"hasta luego|hasta mañana|qué tal|cómo estás|"
        r"jaja\w*|guay|excelente|fantástico|correcto|exacto|eso es(?: todo)?|nada más|ya está|de nada|"
        r"por favor|adelante|encantad[oa]|igualmente|no pasa nada|tranquilo|da igual|olvídalo|funciona|"
        r"ya funciona)"
        r"(?:[,!. ]+(?:gracias|muchas gracias|por todo|por la ayuda|eso es todo|de verdad|mil|a ti|todo|"
        r"sigue|ahora|perfecto|era justo lo que necesitaba|justo lo que necesitaba|"
        r"me has ahorrado [\p{L} ]+|qué tal(?: estás)?|cómo (?:estás|va)))*[,!. ]*$",
        r"\b(?:lo|la) dejamos (?:así|aquí|ahí|para (?:mañana|luego|otro día|después))\b|^(?:y )?(?:mañana|"
        r"luego|después|ahora) "
        r"(?:seguimos|continuamos|hablamos|te digo|te cuento|lo vemos|lo miro)\b",
        r"^(?:eres|sois) (?:muy |tan |un |una |el |la |genial|lo máximo|increíble|majo|graciosa?|"
        r"gracioso)\b|\bme (?:gusta|encanta) (?:hablar|charlar) contigo\b",
        r"^(?:estoy|estamos) (?:(?:muy|un poco|tan|bastante|super|súper|ya|aquí) )*(?:cansad[oa]s?|"
        r"hambrient[oa]s?|aburrid[oa]s?|ocupad[oa]s?|agotad[oa]s?|lista?|listo|bien|mal|contenta?|"
        r"contento|triste|nervios[oa]|de vuelta|en (?:una reunión|el autobús|el tren|camino)|perdid[oa]|"
        r"confundid[oa]|sorprendid[oa]|al teléfono|content[oa])\b|^tengo (?:mucha |mucho |"
        r"un poco de )?(?:hambre|sed|sueño|prisa|frío|calor|miedo)\b",
    ),
    *noise(
        "utility", "a passing state",
        r"^(?:uf+|ay|puf+|madre mía|vaya)\b.*\b(?:hoy|ahora|día|tráfico|calor|frío)\b|^qué (?:calor|frío|"
        r"día|lluvia|tráfico|bochorno|viento|sueño|cansancio)\b|\b(?:hace|está haciendo) (?:mucho |un |"
        r"tanto )?(?:calor|frío|viento|sol|buen tiempo|mal tiempo)\b|\b(?:está )?(?:lloviendo|nevando|"
        r"llueve|nieva|nublado)\b(?!.*(?:gusta|encanta))",
        r"^(?:acabo de|hoy (?:he )?|esta mañana (?:he )?|he )?(?:comido|desayunado|cenado|almorzado|comer|"
        r"cenar|comí|desayuné|cené|almorcé)\b(?!.*\b(?:siempre|cada|todos)\b)|\bahora mismo\b|"
        r"\b(?:el tráfico|el día) (?:ha sido|estaba|está|fue) (?:horrible|terrible|largo|fatal)",
        r"^(?:el|mi) (?:móvil|teléfono|portátil|ordenador) (?:está al|tiene|se queda|está sin)\b.*(?:%|"
        r"por ciento|batería)",
        r"\b(?:jaja\w*|es broma|de broma)\b.*\b(?:soy|estoy)\b|\b(?:soy|estoy hech[oa]) (?:un|"
        r"una) (?:desastre|patata|vag[oa]|idiota|zombi|marmota)\b",
    ),
    *noise(
        "utility", "a status that passes",
        r"\b(?:la (?:descarga|subida|compilación|instalación|copia|migración)|el (?:despliegue|proceso|"
        r"script|build|servidor|servicio)|los tests|las pruebas) (?:está|están|va|van|sigue|siguen|ha|"
        r"han) (?:al|por|en|corriendo|ejecutando|fallando|terminad|acabad|bloquead|caíd|colgad)|"
        r"\b(?:descarga|subida|compilación|instalación|copia|conexión|sincronización) se (?:ha |me ha "
        r")?(?:cort|par|ca[íy]|colg|bloque|interrump|qued)|\d+ ?(?:%|"
        r"por ciento)\s*$",
        r"^(?:son|es) las? (?:\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|"
        r"doce)\b(?:[:.]\d\d| y | menos |$)|\bestoy en (?:la|el) (?:página|pantalla|panel|menú|pestaña|"
        r"ventana|configuración)\b|\b(?:todavía|aún|sigue) (?:sincronizando|cargando|descargando|"
        r"esperando|corriendo)\b|\bme sale (?:un|este|el) (?:error|mensaje)\b",
    ),
    *noise(
        "utility", "a request for this moment only",
        rf"^(?:(?:por favor|ahora|luego|y|pues|venga|oye|ok|vale|rápido|entonces),? )*{_ONE_TIME_VERBS}\b",
        r"^(?:necesito|quiero|quisiera|me gustaría) (?:que me |ayuda|saber|preguntar|entender|ver (?:un|"
        r"una|el|la)|un (?:ejemplo|resumen)|una (?:lista|idea|explicación|recomendación))",
        r"\b(?:esta vez|solo por (?:hoy|esta vez)|en esta respuesta|para esta respuesta|por esta vez)\b|"
        r"\b(?:en|máximo|menos de|no más de|como máximo) (?:\d+|un|dos|tres|cinco|diez) (?:palabras?|"
        r"frases?|líneas?|párrafos?|puntos?)\b(?!.*\b(?:siempre|nunca|cada|a partir)\b)",
        r"^(?:no te preocupes|no hace falta|no importa|déjalo|no,? (?:ese|esa|eso|el otro|la otra|ese no))\b",
    ),
)  # fmt: skip
