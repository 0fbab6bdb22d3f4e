"""Spanish: what somebody says of themselves, told in the third person."""

from __future__ import annotations

import regex

from memoryapp.llm.language.spanish_verbs import (
    A_VERBS,
    AFTER_DETERMINER,
    ALSO_NOUNS,
    E_VERBS,
    IRREGULAR,
    NOT_VERBS,
    third_person_verb,
)
from memoryapp.llm.language.wordlists import pairs, words

_TOKEN = regex.compile(
    r'"[^"]*"|«[^»]*»|https?://\S+|`[^`]*`|[\p{L}\p{N}]+(?:[-_./@][\p{L}\p{N}]+)*|\s+|.', regex.DOTALL
)
_PLAIN = pairs(
    "mi=su mis=sus mío=suyo mía=suya míos=suyos mías=suyas nuestro=su nuestra=su nuestros=sus "
    "nuestras=sus conmigo=consigo nos=se"
)
_TO_THE_PERSON = regex.compile(
    r"^(?:gust|encant|chifl|flip|pirr|entusiasm|sabe|huele|vuelv|priv|sentab|sentó|sienta|molest|interes|"
    r"import|"
    r"apasion|fascin|horroriz|"
    r"cuest|result|parec|duel|falt|convien|"
    r"sient|da$|dan$|dio$|"
    r"hac|hizo|recuerd|record|recomend|dij|dic|permit|sirv|va$|van$|llev|llam|escrib|mand|envi|preocup|"
    r"ayud|avis|pregunt|"
    r"salv|cost|tranquiliz|relaj|deprim|agobi|estres|pon|viene|quit)"
)
_REFLEXIVE_FIRST = regex.compile(
    r"^(?:llamo|mudé|muevo|levanto|acuesto|despierto|jubilé|casé|gradué|dedico|encargo|ocupo|llevo)$"
)
_ATTACHED = regex.compile(
    r"^(\p{L}{2,}(?:[aeií]r|ándo|iéndo))(?:me|nos)$|^(\p{L}*[áéíóú]\p{L}{0,4}[aei]|d[ia]|pon|haz)(?:me|nos)$"
)
# "Externos" is no order to us.
_ADJECTIVE = regex.compile(
    r"(?:exte|inte|mode|ete|cuade|gobie|invie|tie|cue|infie|mate|pate|alte|frate|ye|pe)rnos$",
    regex.IGNORECASE,
)
_BEFORE_VERB = words(
    "y e o u que no yo ya también siempre nunca jamás solo sólo me se lo la los las le les te nos ahora "
    "porque pero si cuando donde como aunque "
    "mientras pues casi aún todavía hoy ayer así entonces además tampoco normalmente quien qué cómo , ; : "
    "lunes martes miércoles jueves viernes sábados domingos mañanas tardes noches semanas días meses día "
    "tarde noche mes año enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre "
    "verano invierno otoño primavera"
)
_ATTACHED_BOTH = regex.compile(
    r"^(\p{L}{2,}(?:[áéí]r|ándo|iéndo|[áéíóú]\p{L}{0,4}[aei]))(?:me|nos)(l[oa]s?)$"
)
_PAUSES = frozenset(",;:")
_SURELY_VERB_AFTER = frozenset(("porque", "yo", "no", "me", "donde", "cuando"))
_PAST = regex.compile(
    r"\b(?:ayer|anoche|anteayer|hace \w+|(?:la|el) \w+ pasad[oa]|esta mañana|en (?:19|20)\d\d)\b|"
    r"\b\d{4}-\d\d-\d\d\b",
    regex.IGNORECASE,
)


def third_person(text: str) -> str:
    """The statement with yo, me, mi, nosotros … and their verbs put into the third person; quoted words stay."""
    tokens, past = _TOKEN.findall(text), bool(_PAST.search(text))
    told: list[str] = []
    before, last = "", ""
    for at, token in enumerate(tokens):
        word = token.lower()
        if word in ("yo", "nosotros", "nosotras") and last != "y":
            following = tokens[at + 1] if at + 1 < len(tokens) else ""
            tokens[at + 1 : at + 2] = [""] if following.isspace() else [following]
            continue
        told.append(
            _retell(token, word, last, tokens[at + 1 :], past, before)
            if token and token[0].isalpha()
            else token
        )
        if token and (token[0].isalpha() or token in _PAUSES):
            before, last = last, word
    return regex.sub(r"\s{2,}", " ", "".join(told)).strip()


def _retell(token: str, word: str, last: str, following: list[str], past: bool, before: str) -> str:
    if word == "me":
        return _object_pronoun(following)
    if word == "mí":
        return "sí"
    if word in _PLAIN:
        return _PLAIN[word]
    both = _ATTACHED_BOTH.match(word)
    if both:
        return f"{both[1]}se{both[2]}"
    attached = _ATTACHED.match(word) if not _ADJECTIVE.search(word) else None
    if attached and (attached[1] or _plain_stem(attached[2]) in A_VERBS | E_VERBS or len(attached[2]) <= 3):
        return (attached[1] or attached[2]) + (
            "se"
            if (attached[1] and last in ("a", "para", "y", "quiero", "puedo", "necesito", "suelo", "debo"))
            else "le"
        )
    is_pronoun = last in ("lo", "la", "los", "las") and before in _BEFORE_VERB
    surely = word in IRREGULAR and word not in ALSO_NOUNS
    may_be_noun = word.endswith("o") and not surely and not _verb_may_follow(last)
    may_be_noun = may_be_noun and before not in ("cuando", "mientras")
    if (last in AFTER_DETERMINER and not is_pronoun) or may_be_noun:
        return token
    if token.istitle() and last and last not in _PAUSES:
        return token  # "Noemí" is a name and no verb
    told = third_person_verb(word, past=past)
    if (
        told is None
        and last in _SURELY_VERB_AFTER
        and len(word) > 4
        and word.endswith("o")
        and word not in NOT_VERBS
    ):
        return word[:-1] + "a"
    return told or token


def _plain_stem(imperative: str) -> str:
    """avísa as in avísanos is avis."""
    return imperative[:-1].translate(str.maketrans("áéíóú", "aeiou"))


def _verb_may_follow(last: str) -> bool:
    """Whether a word in -o after this one is a verb rather than a noun or an adjective."""
    return not last or last in _BEFORE_VERB or last.endswith("mente")


def _object_pronoun(following: list[str]) -> str:
    """le where somebody or something acts on the person, se where the person acts."""
    word = next((token.lower() for token in following if token and token[0].isalpha()), "")
    if word in ("lo", "la", "los", "las"):
        return "se"
    if third_person_verb(word) or _REFLEXIVE_FIRST.match(word):
        return "se"
    return "le" if _TO_THE_PERSON.match(word) else "le" if word.endswith(("s", "as", "es")) else "se"
