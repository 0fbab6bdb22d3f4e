"""German: what somebody says of themselves, told in the third person without stating a gender."""

from __future__ import annotations

import regex

from memoryapp.llm.language.wordlists import pairs

OWNER, GROUP = "Nutzer/in", "das Team"
_TOKEN = regex.compile(
    r"\"[^\"]*\"|„[^“]*“|https?://\S+|[\p{L}\p{N}]+(?:[-_./@][\p{L}\p{N}]+)*|\s+|.", regex.DOTALL
)
_IRREGULAR = pairs(
    "bin=ist habe=hat mag=mag will=will kann=kann muss=muss darf=darf soll=soll werde=wird esse=isst "
    "spreche=spricht lese=liest sehe=sieht fahre=fährt trage=trägt schlafe=schläft nehme=nimmt "
    "gebe=gibt treffe=trifft vergesse=vergisst laufe=läuft helfe=hilft weiß=weiß möchte=möchte "
    "würde=würde war=war hatte=hatte wurde=wurde konnte=konnte wollte=wollte heiße=heißt haben=hat "
    "sind=ist waren=war werden=wird wollen=will können=kann müssen=muss hatten=hatte wurden=wurde "
    "nehmen=nimmt geben=gibt lesen=liest sehen=sieht sprechen=spricht essen=isst fahren=fährt tragen=trägt "
    "behalten=behält lassen=lässt halten=hält werfen=wirft treffen=trifft helfen=hilft messen=misst "
    "laufen=läuft schlafen=schläft vergessen=vergisst wissen=weiß mögen=mag dürfen=darf sollen=soll"
)
_OBJECTS = {"mich": "sich", "mir": OWNER, "uns": "sich"}
_POSSESSIVE = regex.compile(r"^(?:mein|unser)(?:e|en|em|er|es)?$")


def third_person(text: str) -> str | None:
    """The statement in the third person; nothing when it cannot be told without stating a gender."""
    told: list[str] = []
    tokens = _TOKEN.findall(text)
    plural = verb_due = False
    last = ""
    for at, token in enumerate(tokens):
        word = token.lower()
        if _POSSESSIVE.match(word):
            return None
        if word in ("ich", "wir"):
            plural, verb_due = word == "wir", True
            told.append(GROUP if plural else OWNER)
            # "Heute bin ich", "weil ich lese": the verb stands before or at the end.
            if told[:-1] and last in _IRREGULAR:
                _turn_last(told, last)
                verb_due = False
        elif verb_due and token[0].isalpha() and (at_end(tokens, at) or last not in ("weil", "dass", "wenn")):
            turned = _verb(word, plural)
            told.append(turned or token)
            verb_due = turned is None
        elif word == "arbeite" or (last in ("und",) and word in _IRREGULAR):
            told.append(_verb(word, plural) or token)
        else:
            told.append(_OBJECTS.get(word, token))
        last = word if token[0].isalpha() else last
    return "".join(told).strip()


def at_end(tokens: list[str], at: int) -> bool:
    """Whether no further word follows."""
    return not any(token[0].isalpha() for token in tokens[at + 1 :])


def _turn_last(told: list[str], last: str) -> None:
    for place in range(len(told) - 2, -1, -1):
        if told[place].lower() == last:
            told[place] = _IRREGULAR[last]
            return


def _verb(word: str, plural: bool) -> str | None:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if plural and word.endswith("en"):
        stem = word[:-2]
        return stem + ("et" if stem.endswith(("t", "d")) else "t")
    if word.endswith("te"):
        return word if not word.endswith(("eite", "bete", "iete", "ichte")) else word[:-1] + "et"
    if word.endswith("e") and len(word) > 3:
        stem = word[:-1]
        return stem + ("et" if stem.endswith(("t", "d")) else "t")
    return None
