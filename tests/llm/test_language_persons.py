"""What people say of themselves, told in the third person."""

from __future__ import annotations

import pytest

from memoryapp.llm.language.chinese_person import third_person as chinese
from memoryapp.llm.language.english_person import third_person as english
from memoryapp.llm.language.german_person import third_person as german
from memoryapp.llm.language.japanese_person import third_person as japanese
from memoryapp.llm.language.persons import in_third_person, starts_in_first_person
from memoryapp.llm.language.spanish_person import third_person as spanish


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I live in Oslo and work at Statkraft", "user lives in Oslo and works at Statkraft"),
        ("I'm Dag and I live in Bergen", "user is Dag and lives in Bergen"),
        ("I don't eat pork", "user doesn't eat pork"),
        ("I've been doing it for 22 years", "user has been doing it for 22 years"),
        ("I'd rather call", "user would rather call"),
        ("I always take the train to visit my mother", "user always takes the train to visit their mother"),
        ("I moved to Bristol", "user moved to Bristol"),
        ("My sister Maya lives in Portland", "user's sister Maya lives in Portland"),
        ("My wife and I live in Oslo", "user's wife and user live in Oslo"),
        ("it reminds me of summers", "it reminds the user of summers"),
        ("the cron runs at 7 am", "the cron runs at 7 am"),
        ('I say "I never sleep" a lot', 'user says "I never sleep" a lot'),
    ],
)
def test_english(said: str, told: str) -> None:
    assert english(said) == told


def test_english_we_is_whom_the_caller_says() -> None:
    assert english("We deploy to Fly.io with our own script", group="user's team") == (
        "user's team deploys to Fly.io with their own script"
    )
    assert english("I only eat fish", owner="Imke") == "Imke only eats fish"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Soy Candela, trabajo como bióloga en Vigo", "es Candela, trabaja como bióloga en Vigo"),
        (
            "Prefiero las respuestas cortas porque leo en el móvil",
            "prefiere las respuestas cortas porque lee en el móvil",
        ),
        ("No me gusta el café, me da acidez", "No le gusta el café, le da acidez"),
        ("Me mudé a Cuenca", "se mudó a Cuenca"),
        ("Ayer terminamos la auditoría", "Ayer terminó la auditoría"),
        ("una vez perdí las fotos de mi tesis", "una vez perdió las fotos de su tesis"),
        ("sin preguntarme antes", "sin preguntarle antes"),
        ("Mi trabajo es enseñar órganos en Sevilla", "su trabajo es enseñar órganos en Sevilla"),
        ("mi nombre completo", "su nombre completo"),
    ],
)
def test_spanish(said: str, told: str) -> None:
    assert spanish(said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我叫周晓棠，住在昆明", "用户叫周晓棠，住在昆明"),
        ("我们决定用Loki", "用户团队决定用Loki"),
        ("不要给我发提醒，我要接孩子", "不要给用户发提醒，要接孩子"),
        ("我家的猫叫豆包", "用户家的猫叫豆包"),
        ("他说“我不来”", "他说“我不来”"),
    ],
)
def test_chinese(said: str, told: str) -> None:
    assert chinese(said) == told


def test_german_states_no_gender() -> None:
    assert (
        german("Ich heiße Wiebke und arbeite in Flensburg")
        == "Nutzer/in heißt Wiebke und arbeitet in Flensburg"
    )
    assert german("Wir haben entschieden, es zu lassen") == "das Team hat entschieden, es zu lassen"
    assert german("Mein Bruder wohnt in Kiel") is None


def test_japanese() -> None:
    assert japanese("私は大阪に住んでいます") == "ユーザーは大阪に住んでいます"
    assert japanese("私たちはRustを使っています") == "ユーザーのチームはRustを使っています"


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("I prefer tea", "en", True),
        ("We're in Oslo", "en", True),
        ("User prefers tea", "en", False),
        ("User: I prefer tea", "en", True),
        ("Soy de Vigo", "es", True),
        ("El usuario es de Vigo", "es", False),
        ("我住在成都", "zh", True),
        ("用户住在成都", "zh", False),
        ("Whatever", "fi", False),
    ],
)
def test_the_first_person_is_recognised(text: str, language: str, first: bool) -> None:
    assert starts_in_first_person(text, language) is first


def test_an_unknown_language_stays_as_it_is() -> None:
    assert in_third_person("Asun Oulussa", "fi") == "Asun Oulussa"
