"""Spanish: what a plain statement without a rule of its own is about."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.spanish.pieces import JOB, MACHINE, MONTH, PERSON, WEEKDAY
from memoryapp.llm.language.spanish_person import third_person

_PROBLEM = regex.compile(
    r"\b(?:error\w*|falla\w*|fallo|bug|problemas?|mal|roto|no funciona|no (?:veo|encuentro|entiendo|sé|"
    r"puedo|carga|abre|compila)|otra vez|de nuevo|prob(?:é|ado)|intent\w+|gracias|por favor|tú|tu|tus|te|"
    r"usted|aquí está|este (?:archivo|código|error)|creo|pienso|quiero saber|necesito)\b"
)
_TIME = regex.compile(
    rf"\b(?:\d{{1,2}} de {MONTH}|en {MONTH}|{MONTH}|mañana|pasado mañana|(?:la|el) (?:semana|mes|"
    rf"año) (?:que viene|próxim[oa]|pasad[oa])|(?:el|este|próximo) {WEEKDAY}|(?:dentro de|en|hace|"
    r"desde hace) (?:\d+|un|una|dos|tres|cuatro|cinco|seis|diez) (?:días?|semanas?|mes(?:es)?|años?)|"
    r"\d{4}-\d\d|desde \d{4}|en (?:19|20)\d\d)\b"
)
_SPECIFIC = regex.compile(
    r"(?<=[\p{Ll}\d,;] )\p{Lu}[\p{L}\d]+|\d|\b(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|"
    r"veinte|cien|cada|todos los|todas las)\b"
)
_OWN = regex.compile(r"^(?:y |pero )?(?:mi|mis|nuestr[oa]s?) ")
_THING = regex.compile(
    r"^(?:el|la|los|las) [\p{L} ]{2,40}? (?:es|son|está|están|tiene|tienen|se|\p{L}+[aeó]n?)\b"
)
_CARD = regex.compile(
    rf"^\p{{Lu}}[\p{{L}}'-]+(?: (?:de |del |la )*\p{{Lu}}[\p{{L}}'-]+)+, (?:el |la |un |una )?{JOB}"
)
_NOT_TELLING = regex.compile(
    r"^(?:y |pero |ya |yo )*(?:no )?(?:creo|pienso|sé|veo|quiero|necesito|espero|supongo|entiendo|"
    r"recuerdo|digo|vi|fui|hice|dije|comí|acabo|acabé|estoy|estaba|probé|intenté|he (?:visto|probado|"
    r"intentado|hecho)|me parece|puedo)\b"
)


def guess(text: str, plain: str, companion: bool) -> tuple[str, str] | None:
    """Category and kind of a statement that no rule fits; none for what is vague, momentary or about a problem."""
    if _CARD.match(text) and not _PROBLEM.search(plain):
        return "identity", "name"
    if len(plain.split()) < 4 or _PROBLEM.search(plain) or _NOT_TELLING.match(plain):
        return None
    own, of_oneself = _OWN.match(plain), third_person(plain) != plain
    if not (own or of_oneself or _THING.match(plain)):
        return None
    if _TIME.search(plain):
        return "project", "project"
    if not _SPECIFIC.search(text):
        return None
    if own and regex.search(rf"\b{PERSON}\b", plain):
        return "relationship", "person"
    if own or not of_oneself:
        return ("configuration", "system") if regex.search(rf"\b{MACHINE}\b|\d", plain) else None
    return ("preference", "activity") if companion else ("identity", "work")
