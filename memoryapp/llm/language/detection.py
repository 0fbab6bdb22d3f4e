"""Which language a sentence is in, told by script and by its commonest words."""

from __future__ import annotations

from functools import lru_cache

import regex

from memoryapp.llm.language.wordlists import words

_HAN = regex.compile(r"\p{Han}")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_LATIN_WORD = regex.compile(r"[\p{Latin}]+(?:['’][\p{Latin}]+)?")

_NAME = regex.compile(r"\b\p{Lu}[\p{L}'’-]*")

_COMMON: dict[str, frozenset[str]] = {
    "en": words(
        "the a an is are was i i'm im i've my me we our you your it it's its this that of to in on at for "
        "with and or "
        "but not no never always don't please because have has had do does did will would can could be "
        "been from by as "
        "so just what which who when where how why there they he she his her like prefer use user user's"
    ),
    "es": words(
        "el la los las un una unos unas es son soy está estoy eres y o pero no sí que de del al en por "
        "para con sin mi "
        "mis me te se le lo su sus nos nuestro nuestra yo tú usted como cómo más muy ya hoy ayer mañana "
        "nunca siempre "
        "porque cuando donde qué quién tengo tiene vivo vive trabajo trabaja hola gracias usuario este "
        "esta esto eso "
        "prefiero prefiere hemos ha he fue llamo llama gusta gustan favor ahora desde hasta también he "
        "había a semana mes año hay sin sobre todo todos cada estoy nosotros usa usamos uso puede soy "
        "nada "
        "mejor después antes otra otro casa hijo hija hermano hermana"
    ),
    "de": words(
        "der die das ein eine einen einem einer ist sind bin war ich wir du sie er es mein meine meinen "
        "unser unsere "
        "mich mir uns und oder aber nicht kein keine nie immer bitte weil mit von zu zum zur im in am auf "
        "für aus bei "
        "nach auch nur schon noch wie was wer wo wann warum haben habe hat hatte werden wird als den dem "
        "des danke "
        "heiße statt nutzer dass daß wenn künftig lieber gern gerne"
    ),
}
_SIGNS: dict[str, regex.Pattern[str]] = {
    "es": regex.compile(r"[¿¡ñáéíóú]|(?<=\p{L})(?:ción|ciones)\b", regex.IGNORECASE),
    "de": regex.compile(r"[ßäöü]", regex.IGNORECASE),
}


@lru_cache(maxsize=4096)
def detect_language(text: str, default: str = "en") -> str:
    """The ISO code of the text's language; the default when nothing tells."""
    if _KANA.search(text):
        return "ja"
    han = len(_HAN.findall(text))
    words = [word.lower().replace("’", "'") for word in _LATIN_WORD.findall(text)]
    if han and han * 2 >= len(words):
        return "zh"
    scores = {code: sum(word in common for word in words) for code, common in _COMMON.items()}
    # A foreign name does not make a sentence foreign: what counts are the words around it.
    plain = _NAME.sub(" ", text) if scores["en"] or default == "en" else text
    for code, sign in _SIGNS.items():
        scores[code] += min(2, len(sign.findall(plain if not scores[code] else text)))
    best = max(scores, key=lambda code: (scores[code], code == default))
    return best if scores[best] else default


def is_cjk(language: str) -> bool:
    """Whether the language is written without spaces between words."""
    return language in ("zh", "ja")
