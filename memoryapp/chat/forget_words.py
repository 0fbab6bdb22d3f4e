"""What is answered to a request to forget: short, in the language of the request, and without the words that went."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.llm.language.detection import detect_language

# Every answer begins like no other text, so that the next message is known to be about it.
WORDS = {
    "en": {
        "forgotten": "Forgotten, everywhere it stood. Say “undo” within ten minutes to take it back.",
        "forgotten_many": (
            "Forgotten, {n} things, everywhere they stood. Say “undo” within ten minutes to take it back."
        ),
        "dropped": "Forgotten. What you just said is not kept.",
        "which": "Which of these shall I forget?\n{list}\nSay a number, “all”, or “never mind”.",
        "this": "Shall I forget this?\n{list}\nSay “yes” or “never mind”.",
        "everything": "Shall I forget everything I know about you, {n} things? Say “yes” or “never mind”.",
        "unknown": "There is nothing of that kind that I remember.",
        "unclear": "What shall I forget? Say it in a few words.",
        "kept": "All right, nothing was forgotten.",
        "back": "It is back; I remember it again.",
        "late": "It is too late to take that back.",
        "off": "Forgetting is switched off here.",
    },
    "es": {
        "forgotten": "Olvidado, en todos los sitios donde estaba. Di «deshacer» en diez minutos para recuperarlo.",
        "forgotten_many": (
            "Olvidado: {n} cosas, en todos los sitios donde estaban. Di «deshacer» en diez minutos para recuperarlo."
        ),
        "dropped": "Olvidado. No guardo lo que acabas de decir.",
        "which": "¿Cuál de estas debo olvidar?\n{list}\nDi un número, «todas» o «déjalo».",
        "this": "¿Debo olvidar esto?\n{list}\nDi «sí» o «déjalo».",
        "everything": "¿Debo olvidar todo lo que sé de ti, {n} cosas? Di «sí» o «déjalo».",
        "unknown": "No recuerdo nada de eso.",
        "unclear": "¿Qué debo olvidar? Dilo en pocas palabras.",
        "kept": "De acuerdo, no he olvidado nada.",
        "back": "Ha vuelto; lo recuerdo de nuevo.",
        "late": "Ya es tarde para recuperarlo.",
        "off": "Aquí no se puede olvidar.",
    },
    "de": {
        "forgotten": "Vergessen, überall, wo es stand. „Rückgängig“ innerhalb von zehn Minuten holt es zurück.",
        "forgotten_many": (
            "Vergessen, {n} Dinge, überall, wo sie standen. „Rückgängig“ innerhalb von zehn Minuten holt sie zurück."
        ),
        "dropped": "Vergessen. Was du eben gesagt hast, behalte ich nicht.",
        "which": "Was davon soll ich vergessen?\n{list}\nSag eine Nummer, „alle“ oder „egal“.",
        "this": "Soll ich das vergessen?\n{list}\nSag „ja“ oder „egal“.",
        "everything": "Soll ich alles vergessen, was ich über dich weiß, {n} Dinge? Sag „ja“ oder „egal“.",
        "unknown": "Daran erinnere ich mich nicht.",
        "unclear": "Was soll ich vergessen? Sag es in wenigen Worten.",
        "kept": "Gut, nichts wurde vergessen.",
        "back": "Es ist wieder da.",
        "late": "Das lässt sich nicht mehr zurückholen.",
        "off": "Vergessen ist hier ausgeschaltet.",
    },
    "zh": {
        "forgotten": "已经忘掉了，所有地方都已清除。十分钟内说“撤销”可以恢复。",
        "forgotten_many": "已经忘掉了{n}件事，所有地方都已清除。十分钟内说“撤销”可以恢复。",
        "dropped": "已经忘掉了，您刚才说的不会保留。",
        "which": "要忘掉下面哪一条？\n{list}\n请说序号、“全部”或者“算了”。",
        "this": "要忘掉这一条吗？\n{list}\n请说“是”或者“算了”。",
        "everything": "要忘掉我所知道的关于您的一切吗？共{n}件事。请说“是”或者“算了”。",
        "unknown": "我没有关于这件事的记忆。",
        "unclear": "要忘掉什么？请用几个字告诉我。",
        "kept": "好的，什么都没有忘掉。",
        "back": "已经恢复，我又记得了。",
        "late": "已经太晚，无法恢复。",
        "off": "这里不能遗忘。",
    },
}
ASKING = ("which", "this", "everything")
DONE = ("forgotten", "forgotten_many")


def language_of(text: str, *before: str) -> str:
    """The language to answer in: that of the question it answers, else the message's, else of what was said before."""
    if before and (asked := _language_of_answer(before[0])):
        return asked
    for said in (text, *before):
        found = detect_language(said)
        if found in WORDS and any(char.isalpha() for char in said):
            return found
    return "en"


def tell(key: str, language: str, named: Sequence[str] = (), count: int = 0) -> str:
    """One answer, with the things it names in a numbered list."""
    listed = "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(named, start=1))
    return WORDS[language][key].format(list=listed, n=count)


def is_about_forgetting(answer: str) -> bool:
    """Whether an answer is one of these that a next message may go on with, whatever was struck from it since."""
    return bool(_language_of_answer(answer))


def _language_of_answer(answer: str) -> str:
    """The language of one of these answers; empty for any other text."""
    found = (
        language
        for language, words in WORDS.items()
        if any(answer.startswith(_beginning(words[key])) for key in (*ASKING, *DONE))
    )
    return next(found, "")


def _beginning(text: str) -> str:
    """What comes before anything that is filled in."""
    return text.partition("{")[0].partition("\n")[0]
