"""Which rules read which language."""

from __future__ import annotations

from memoryapp.llm.backends.offline.chinese import PACK as CHINESE
from memoryapp.llm.backends.offline.english import PACK as ENGLISH
from memoryapp.llm.backends.offline.german import PACK as GERMAN
from memoryapp.llm.backends.offline.japanese import PACK as JAPANESE
from memoryapp.llm.backends.offline.spanish import PACK as SPANISH
from memoryapp.llm.backends.offline.statements import LanguagePack

PACKS: dict[str, LanguagePack] = {pack.code: pack for pack in (ENGLISH, CHINESE, SPANISH, GERMAN, JAPANESE)}


def pack_for(language: str) -> LanguagePack:
    """The rules of a language; those of English where there are none, which then recognise nothing."""
    return PACKS.get(language, ENGLISH)
