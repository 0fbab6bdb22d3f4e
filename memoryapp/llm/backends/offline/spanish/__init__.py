"""Spanish: tidying, clauses, and how a recognised statement is written down."""

from __future__ import annotations

from functools import partial

import regex

from memoryapp.llm.backends.offline.finishing import Phrasing, finish_fact
from memoryapp.llm.backends.offline.spanish.guess import guess
from memoryapp.llm.backends.offline.spanish.noise import NOISE
from memoryapp.llm.backends.offline.spanish.table import RULES
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Statement
from memoryapp.llm.language.spanish_person import third_person

_LEAD = regex.compile(
    r"^(?:¡?(?:hola (?:otra vez|de nuevo)|otra vez yo|(?:aquí )?otra vez|soy yo(?:,? (?:otra vez|de "
    r"nuevo))?|qué (?:onda|tal|hay|más)|hola|buenas|buenos días|buenas tardes|buenas noches|hey|ey|bueno|"
    r"pues|vale|ok|oye|mira|"
    r"a ver|ah|oh|eh|mmm+|este|sí|no(?=\s*[,;.!:])|perdón|perdona|disculpa|gracias|perfecto|genial|por "
    r"cierto|además|"
    r"también|ademas|la verdad|"
    r"en realidad|para que (?:lo )?sepas|para tu información|para contexto|por si acaso|"
    r"como (?:ya )?sabes|como te dije|como siempre|te cuento|te comento|un dato|una cosa|otra cosa|"
    r"recuérdalo(?: bien)?|apúntalo|anótalo|ojo|importante|atención|nota|contexto|breve presentación|"
    r"enviado desde [\p{L} ]{3,20}|me presento|aquí(?= \p{Lu}\p{L}+ \p{Lu})|te has equivocado|"
    r"eso está mal|eso no es (?:así|correcto)|no es (?:así|correcto|cierto)|te equivocas|lo tienes mal|"
    r"corrección|corrijo|rectifico|actualización|novedades|encantad[oa]|un momento|"
    r"claro)!?(?:\s*[,:;.!–—\p{Extended_Pictographic}-]+\s*|"
    r"\s+que\s+(?=(?:los|las|el|la|no|mi|soy|tengo)\b)|"
    r"\s+(?=(?:oye|mira|pues|una cosa|te cuento|te comento|los|las|soy|me|mi|mis|yo|tengo|vivo|trabajo|"
    r"prefiero|no|nunca|siempre|por|estoy|he|hemos|nos|"
    r"nuestr[oa]|el|la)\b)))+",
    regex.IGNORECASE,
)
# As it is typed on a telephone.
_SHORTHAND = tuple(
    (regex.compile(rf"(?<![\p{{L}}\p{{N}}./-]){short}(?![\p{{L}}\p{{N}}./-])"), whole)
    for short, whole in (
        (r"(?:q|k(?= (?:me|no|te|la|el|los|las)\b))", "que"),
        ("(?:xq|pq|porq)", "porque"),
        ("(?:tb|tmb|tbn)", "también"),
        ("(?:xfa|xfi|porfis?|porfas)", "porfa"),
        ("xa", "para"),
        ("dnd", "donde"),
        ("(?:cdo|cnd)", "cuando"),
    )
)
# "Aquí Yolanda Pons, gestora cultural": as on a visiting card.
_HERE = regex.compile(
    r"^(?:aqu[íi]|ac[áa]|les? escribe|te escribe|les? habla|te habla|habla)\s+(?=(?-i:\p{Lu}\p{L}+ "
    r"\p{Lu}\p{L}+),)",
    regex.IGNORECASE,
)
_TAIL = regex.compile(
    r"(?:[\s,;.!¡–—-]+(?:gracias|muchas gracias|por favor|porfa|porfi|vale|ok|eh|jaja\w*|saludos|"
    r"un saludo|ya sabes|como sabes|perdona|perdón))+[\s.!]*$",
    regex.IGNORECASE,
)
EXPLICIT = regex.compile(
    r"^(?:(?:por favor|y|oye|puedes|quiero que)[\s,]+)*(?:recuerda|recuerde|recordad|acuérdate de|"
    r"acuerdate de|ten en cuenta|ten presente|no olvides|no te olvides de|apunta|anota|toma nota(?: de)?|"
    r"memoriza|guarda|guárdate|para (?:el )?futuro|que no se te olvide)"
    r"(?:\s*[:,–—-]\s*(?:que\s+)?|\s+que\s+|\s+(?=(?:mi|soy|tengo|la|el|los|las|nunca|siempre|no)\b))",
    regex.IGNORECASE,
)
KEEP_IN_MIND = regex.compile(
    r"(?:^|[,;.]?\s+)(?:así que |así q |y |por favor,? )*(?:tenlo en cuenta|recuérdalo|recuerda esto|"
    r"apúntalo|"
    r"anótalo|no lo olvides|guárdalo|toma nota|tenlo presente|acuérdate)(?: (?:para|cuando|"
    r"en) [^.!;]*)?[.!]*\s*$",
    regex.IGNORECASE,
)
CHANGED = regex.compile(
    r"\b(?:ya no|ahora|en realidad|cambié|cambiado|cambiamos|mudé|mudado|mudamos|actualicé|actualizado|"
    r"actualizamos|migramos|migrado|dejé|dejado|dejamos|en vez de|en lugar de|sino|terminamos|terminado|"
    r"terminé|cancel\w+|aplaz\w+|pospu\w+|"
    r"ascendi\w+|renombr\w+|sustitu\w+|reemplaz\w+|vendí|divorci\w+|nuev[oa]|empecé|empiezo|pasé|pasado|"
    r"pasamos|jubil\w+|equivoc\w+|antes)\b|, no ",
    regex.IGNORECASE,
)
ANAPHORIC = regex.compile(
    r"^(?:y |pero |además |también )?(?:es|está|tiene|son|eso|esto|esa|ese|este|esta|ella|él|ellos|ellas|"
    r"allí|ahí|porque|por eso|si no|la última vez|una vez|después|necesita|necesitamos|hacen? falta|habrá|"
    r"vamos a llevar|llevamos|el presupuesto|el motivo|los dos|ambos|su|sus|le|les|lo|la que)\b|"
    r"\bpor eso\b",
    regex.IGNORECASE,
)
DETAIL = regex.compile(
    r"^(?:y |además |también )*(?:(?:el|la|los|las|un|una|habrá|hay|somos|seremos|vienen|necesitamos|"
    r"tenemos|unos|unas|"
    r"en total)\s+)*(?:presupuesto|lugar|fecha|plazo|precio|coste|costo|tarifa|aforo|dirección|puerto|hora|"
    r"hotel|vuelos?|"
    r"autobús|entradas?|comida|música|menú|invitad[oa]s|personas|todo|todos|\d[\d.,]*|dos|tres|cuatro|cinco|"
    r"seis|diez|"
    r"veinte|treinta)\b",
    regex.IGNORECASE,
)
CORRECTED = regex.compile(
    r"^(?:(?:no|perdón|perdona|ups|espera|ay|uy|corrección|disculpa|me equivoqué|mejor dicho|"
    r"digo)[,.!:\s–—-]+)+(?:quise decir|quería decir|me refería a|es|era|digo|en realidad es|corrijo:?|"
    r"que es)?\s*(?:en |el |la )?(?P<value>[^.!?]+?)(?:,? (?:perdón|no [^.!?]+|disculpa))*[.!]*$",
    regex.IGNORECASE,
)
_JOINTS = regex.compile(
    r"\s*;\s*|\s+[–—-]\s+|,?\s+(?:y|pero|además)\s+(?=(?:mi|mis|me|no|nunca|siempre|prefiero|odio|trabajo|"
    r"vivo|soy|tengo|hemos|he|por favor|nos)\b)|"
    r",\s+(?=(?:mi|mis|me|no|nunca|siempre|prefiero|odio|trabajo|vivo|soy|tengo|hemos|he|por favor|el|la|"
    r"los|las|y|que|ahora|yo|nos|nuestr[oa]|puedes|podrías|así que)\b)",
    regex.IGNORECASE,
)


def matchable(text: str) -> str:
    """The clause as the rules read it."""
    return text.lower().strip(" ,;.!¡")


def tidy(text: str) -> str:
    """The sentence without greetings, fillers and thanks."""
    text = regex.sub(r"(\p{L})\1{2,}", r"\1", text.strip())
    for short, whole in _SHORTHAND:
        text = short.sub(whole, text)
    text = _HERE.sub("", _LEAD.sub("", text))
    text = KEEP_IN_MIND.sub("", text)
    return _TAIL.sub("", text).strip(" ,;–—-")


def clauses(text: str) -> list[Clause]:
    """The sentence cut where a clause with a subject of its own begins."""
    found, start, joint = [], 0, ""
    for match in _JOINTS.finditer(text):
        if match.start() > start:
            found.append(Clause(joint, text[start : match.start()]))
            start, joint = match.end(), match.group()
    found.append(Clause(joint, text[start:]))
    return _with_the_new(found)


# "Ya no tomo café, me he pasado al té": what was and what is instead are told together.
_NO_LONGER = regex.compile(r"^(?:yo )?(?:ya no|he dejado|dejé|hemos dejado|dejamos)\b", regex.IGNORECASE)
_INSTEAD = regex.compile(
    r"^(?:y )?(?:(?:me|nos) (?:he |hemos )?(?:pas|cambi)\p{L}+ (?:a|al)|ahora prefiero|prefiero|"
    r"preferimos)\b",
    regex.IGNORECASE,
)


def _with_the_new(clauses: list[Clause]) -> list[Clause]:
    if len(clauses) < 2 or not (_NO_LONGER.match(clauses[0].text) and _INSTEAD.match(clauses[1].text)):
        return clauses
    old, new, *rest = clauses
    return [Clause(old.joint, f"{old.text}{new.joint}{new.text}"), *rest]


_NO_OWNER = frozenset(("rule",))


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person, without its date."""
    words = statement.words
    told = third_person(words).strip(" ,;").rstrip(".!")
    owner = statement.sentence.speaker or "Usuario"
    if statement.category in _NO_OWNER or not _speaks_of_owner(words, told):
        return told
    return f"{owner}: {told[:1].lower() + told[1:] if not _name_first(told) else told}"


def _speaks_of_owner(words: str, told: str) -> bool:
    """Whether the subject is the user, which Spanish leaves out."""
    return words.lower() != told.lower()


def _name_first(told: str) -> bool:
    first = told.split(" ", 1)[0]
    return first.isupper() or bool(regex.match(r"\p{Lu}\p{L}+ (?:es|tiene|lleva|vive|trabaja|se)\b", told))


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one."""
    head, *rest = bodies
    told = head
    for body in rest:
        plain = regex.sub(r"^(?:usuario: |ella |él |ellos |ellas )", "", body, flags=regex.IGNORECASE)
        told += f". Motivo: {plain}" if category == "rule" and "Motivo:" not in told else f"; {plain}"
    return told


PHRASING = Phrasing(
    language="es",
    rule="Regla del usuario: {text}",
    dated="A fecha de {day}, {text}",
    noted="{text} (a fecha de {day})",
    unknown="{text} (fecha desconocida; anotado el {day})",
    action=regex.compile(
        r"\b(?:\p{L}+ó|ha \p{L}+|ahora|nuev[oa]|\p{L}+ad[oa]|\p{L}+id[oa])\b", regex.IGNORECASE
    ),
    unknown_date=regex.compile(
        r"\b(?:hace tiempo|hace un tiempo|no sé cuándo|en algún momento|no recuerdo cuándo)\b",
        regex.IGNORECASE,
    ),
    past=regex.compile(r"\b\p{L}+(?:ó|aron|ieron)\b|\bha \p{L}+"),
    keeps_capital=False,
)

PACK = LanguagePack(
    code="es",
    rules=RULES,
    noise=NOISE,
    explicit=EXPLICIT,
    keep_in_mind=KEEP_IN_MIND,
    changed=CHANGED,
    anaphoric=ANAPHORIC,
    corrected=CORRECTED,
    detail=DETAIL,
    matchable=matchable,
    guess=guess,
    tidy=tidy,
    clauses=clauses,
    render=render,
    join=join,
    finish=partial(finish_fact, PHRASING),
)
