"""Spanish: directives that hold for good, and decisions."""

from __future__ import annotations

from memoryapp.llm.backends.offline.spanish.pieces import ORDER, STANDING, WEEKDAY
from memoryapp.llm.backends.offline.statements import rules

STANDING_RULES = (
    *rules(
        "rule", "rule",
        r"^(?:y |pero |además |por favor,? )*(?:nunca|jamás|siempre|bajo ningún concepto|"
        r"bajo ninguna circunstancia|en ningún caso)\b(?! (?:he|había|me ha|lo he|pensé|supe|me ha|quise|"
        r"fui|voy|he|tomo|como|uso|bebo|llevo|viajo|desayuno|compro|leo)\b)",
        r"^(?:antes|después) de (?!nada)[^,]{3,40}, (?:por favor,? )?(?:siempre |primero )?(?:no "
        r")?(?:consulta|pregunta|av[ií]sa|"
        r"pid[ea]|p[ií]de|habla|confirma|comprueba|revisa|mira|haz|guarda|espera|llama|escr[ií]be|d[ií]|"
        r"ens[eé][ñn]a)\w*",
        r"^(?:antes|después) de (?!nada)[^,;]{3,70}? (?:siempre |primero )?(?:p[íi]deme|preg[úu]ntame|"
        r"av[íi]same|cons[úu]lta(?:me)?|"
        r"ens[ée][ñn]ame|m[áa]ndame|d[íi]me(?:lo)?|conf[íi]rma(?:me)?|h[áa]blalo)\b",
        r"\b(?:le|te|os|les) (?:ruego|pido|agradecería|agradezco|suplico) que (?:no |siempre |nunca |jamás )",
        r"\bde ahora en más\b|\bde acá en (?:más|adelante)\b|^(?:terminantemente |totalmente |queda |está "
        r")*prohibid[oa]s?\b",
        r"\b(?:a partir de (?:ahora|hoy)|de ahora en adelante|de aquí en adelante|desde ahora|en adelante|"
        r"de hoy en adelante)\b",
        r"^(?:y )?(?:por favor,? )?(?:cada vez que|siempre que|cuando(?! (?:puedas|pueda|quieras|acabes|"
        r"termines|tengas (?:un )?(?:rato|momento|tiempo|hueco))\b)) [^,]+, ?(?:por favor |siempre |"
        r"nunca |no )*\p{L}+",
        rf"^(?:y )?(?:por favor,? )?(?:cada (?:día|mañana|tarde|noche|semana|mes|trimestre|{WEEKDAY})|"
        rf"tod[oa]s l[oa]s "
        rf"(?:días|mañanas|tardes|noches|semanas|meses|{WEEKDAY})|los {WEEKDAY}|una vez (?:al|a la|por) "
        rf"\p{{L}}+)"
        rf"(?: (?:a|por|al|de) [^,]{{2,25}}?)*,? (?:por favor,? )?(?:que )?(?:me |nos |le |les "
        rf")?{ORDER}(?:me|nos|le|les|selo|se)?\b",
        rf"^(?:y )?(?:por favor,? )?{ORDER}(?:me|nos|le|les)\b.*\b(?:cada (?:día|mañana|tarde|noche|semana|"
        rf"mes|trimestre|"
        rf"{WEEKDAY})|tod[oa]s l[oa]s (?:días|mañanas|tardes|noches|semanas|meses|{WEEKDAY})|los {WEEKDAY})",
        r"^si [^,]+, ?(?:por favor |siempre |nunca |no |solo )*(?:preg[uú]nta|av[ií]sa|usa|escr[ií]be|"
        r"cons[uú]lta|p[ií]de|espera|b[uú]sca|m[aá]nda|envía|elige|deja|conf[ií]rma|d[ií]me|llam|llám|"
        r"no )\w*",
        r"^(?:y |pero )?(?:por favor,? )?(?:no|evita) (?:me |nos |le |les |lo |la |los |las )?(?:\p{L}+es|"
        r"\p{L}+as|\p{L}+ar|\p{L}+er|\p{L}+ir)\b(?![^,;]*\b(?:esto|eso|este|esta|ese(?! (?:día|rato))|"
        r"esa(?! hora)|ahora|todavía|aún|"
        r"te preocupes)\b).*"
        r"(?:\b(?:a esas? horas?|es[eo]s? (?:días?|ratos?)|entonces|mientras|durante|nunca|antes|después|"
        r"sin|porque|ya que|salvo|excepto|a menos que|fines? de semana|"
        rf"{WEEKDAY}|por la (?:noche|mañana|tarde)|en mi|sobre|más)\b|,)",
        r"^(?:y )?(?:por favor,? )?(?:usa|utiliza|escribe|responde|contesta|habla|firma|redondea|cita|"
        r"manda|envía|pon|reserva|agenda|pregunta|trata|llama|formatea|traduce|da|dame|incluye|añade|"
        rf"guarda|nombra|resume)(?:me|nos|le|lo|la)?\b.*{STANDING}",
        r"^(?:y )?(?:por favor,? )?(?:pregúntame|consúltame|avísame|pídeme permiso|confírmame|"
        r"dime)\b.*\b(?:antes|siempre|primero|cada vez)\b|^(?:y )?(?:por favor,? )?(?:trátame|háblame|"
        r"llámame|respóndeme|contéstame|escríbeme) (?:de|por|en|como|siempre)\b",
        r"^(?:asegúrate|procura|cuida)\b.*\b(?:siempre|nunca|todos|todas|cada)\b",
        opens=True, directive=True,
    ),
    *rules(
        "rule", "rule",
        r"^(?:los|las|el|la|mis|nuestr\w+) [\p{L} ]{3,40}? (?:siempre|nunca|solo|sólo) (?:con|sin|en|por|"
        r"antes|después|a)\b",
        r"\b(?:está|están|queda|quedan) (?:totalmente |estrictamente |terminantemente )?(?:prohibid[oa]s?|"
        r"vetad[oa]s?)\b|\bes obligatorio\b",
        r"\b(?:debe|deben|tiene que|tienen que|hay que|debes|tienes que|puede|pueden) (?:siempre|nunca|"
        r"estar siempre|pasar|ser|tener|llevar|ir)\b",
        r"\b(?:nadie|nada|ningún|ninguna) .* (?:puede|debe|sale|pasa|va|entra|toca)\b|\bsin (?:mi|nuestra|"
        r"una) (?:aprobación|permiso|autorización|visto bueno|consentimiento|revisión)\b",
        r"\b(?:quiero|queremos|necesito|exijo|espero|prefiero) que (?:me |nos |no |siempre |nunca |las |"
        r"los |el |la |tod[oa]s )*\p{L}+.*" + STANDING,
        r"\b(?:la|nuestra|mi|una) (?:regla|norma|política|condición|consigna)(?: de [\p{L} ]+)? (?:es|:)|"
        r"^(?:regla|norma|política)\s*:",
        r"\b(?:ventana|horario) de (?:despliegue|mantenimiento|cambios|entrega|atención)\b",
        r"^(?:nada de|ni|sin) [^,]+ (?:después|antes|los|por la|en|sin|cuando|al|para|con)\b",
        r"^(?:los|las|por las?|en|durante|después de|antes de|a partir de) [^,]{3,30} no (?:me |nos |le |"
        r"les )?\p{L}+[ae]s\b",
        opens=True,
    ),
    *rules("preference", "preference", r"^entre .{3,50} (?:me quedo con|prefiero|elijo|escojo|siempre)\b", opens=True),
    *rules(
        "decision", "decision",
        r"\b(?:he|hemos|ha|han) (?:decidido|elegido|optado|acordado|escogido|descartado|adoptado|"
        r"apostado)\b|\b(?:decidí|decidimos|elegí|elegimos|optamos|opté|acordamos|escogimos|escogí|"
        r"descartamos|adoptamos|apostamos|resolvimos|resolví|convinimos|quedamos en|hemos resuelto|nos "
        r"quedamos con|me quedo con|nos decantamos|me decanté|"
        r"vamos a usar|vamos con)\b",
        r"^(?:al final|finalmente|total),? .*\b(?:vamos|voy) a\b|\b(?:vamos|voy) a [^,]+ y no (?:a|al|con|"
        r"en|el|la)\b",
        r"\bse (?:ha )?(?:decidi[óo]|decidido|acordó|acordado|optó|optado|eligió|elegido|resolvió) (?:no |"
        r"finalmente |por |que )*(?:\p{L}+r\b|por\b|que\b)",
        r"\b(?:la|nuestra|mi) decisión\b|\b(?:el equipo|la junta|la dirección|el cliente|la empresa|"
        r"el comité) (?:ha )?(?:decidi|elegi|acord|opt|escogi)\w+",
        r"\b(?:lección aprendida|aprendimos|aprendí|he aprendido|hemos aprendido|la causa (?:raíz|"
        r"principal)? ?(?:era|fue|es)|el error fue|resultó que)\b",
        r"\b(?:cambiamos|cambié|cambiaremos|migramos|migraremos|pasamos|pasaremos|sustituimos|"
        r"reemplazamos|dejamos|usaremos|hemos (?:cambiado|pasado|migrado|dejado))\b.*\b(?:porque|ya que|"
        r"por(?:que)?|debido|para (?:que|ahorrar|evitar)|en vez|en lugar)\b",
        opens=True,
    ),
)  # fmt: skip
