"""Spanish: what somebody says of themselves, told in the third person."""

from __future__ import annotations

import regex

from memoryapp.llm.language.spanish_verbs import AFTER_DETERMINER, third_person_verb

_TOKEN = regex.compile(r'"[^"]*"|«[^»]*»|https?://\S+|`[^`]*`|[\p{L}\p{N}]+(?:[-_./@][\p{L}\p{N}]+)*|\s+|.', regex.DOTALL)
_PLAIN = {
    "mi": "su", "mis": "sus", "mío": "suyo", "mía": "suya", "míos": "suyos", "mías": "suyas", "nuestro": "su",
    "nuestra": "su", "nuestros": "sus", "nuestras": "sus", "conmigo": "consigo", "nos": "se",
}  # fmt: skip
_TO_THE_PERSON = regex.compile(
    r"^(?:gust|encant|molest|interes|import|apasion|fascin|horroriz|cuest|result|parec|duel|falt|convien|sient|da$|dan$|dio$|"
    r"hac|hizo|recuerd|record|recomend|dij|dic|permit|sirv|va$|van$|llev|llam|escrib|mand|envi|preocup|ayud|avis|pregunt|"
    r"salv|cost|tranquiliz|relaj|deprim|agobi|estres|pon|viene|quit)"
)
_REFLEXIVE_FIRST = regex.compile(r"^(?:llamo|mudé|muevo|levanto|acuesto|despierto|jubilé|casé|gradué|dedico|encargo|ocupo|llevo)$")
_ATTACHED = regex.compile(r"^(\p{L}{2,}(?:[aeií]r|ándo|iéndo))(?:me|nos)$|^(\p{L}*[áéíóú]\p{L}{0,4}[aei]|d[ia]|pon|haz)(?:me|nos)$")
_PAST = regex.compile(
    r"\b(?:ayer|anoche|anteayer|hace \w+|(?:la|el) \w+ pasad[oa]|esta mañana|en (?:19|20)\d\d)\b|\b\d{4}-\d\d-\d\d\b", regex.IGNORECASE
)


def third_person(text: str) -> str:
    """The statement with yo, me, mi, nosotros … and their verbs put into the third person; quoted words stay."""
    tokens, past = _TOKEN.findall(text), bool(_PAST.search(text))
    told: list[str] = []
    last = ""
    for at, token in enumerate(tokens):
        word = token.lower()
        if word in ("yo", "nosotros", "nosotras") and last != "y":
            following = tokens[at + 1] if at + 1 < len(tokens) else ""
            tokens[at + 1 : at + 2] = [""] if following.isspace() else [following]
            continue
        told.append(_retell(token, word, last, tokens[at + 1 :], past) if token and token[0].isalpha() else token)
        last = word if token and token[0].isalpha() else last
    return regex.sub(r"\s{2,}", " ", "".join(told)).strip()


def _retell(token: str, word: str, last: str, following: list[str], past: bool) -> str:
    if word == "me":
        return _object_pronoun(following)
    if word == "mí":
        return "sí"
    if word in _PLAIN:
        return _PLAIN[word]
    attached = _ATTACHED.match(word)
    if attached:
        return (attached[1] or attached[2]) + ("se" if (attached[1] and last in ("a", "para", "y", "quiero", "puedo", "necesito", "suelo", "debo")) else "le")
    if last in AFTER_DETERMINER:
        return token
    return third_person_verb(word, past=past) or token


def _object_pronoun(following: list[str]) -> str:
    """le where somebody or something acts on the person, se where the person acts."""
    word = next((token.lower() for token in following if token and token[0].isalpha()), "")
    if word in ("lo", "la", "los", "las"):
        return "se"
    if third_person_verb(word) or _REFLEXIVE_FIRST.match(word):
        return "se"
    return "le" if _TO_THE_PERSON.match(word) else "le" if word.endswith(("s", "as", "es")) else "se"
