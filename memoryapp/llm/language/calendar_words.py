"""Words for days, months and amounts in the languages whose dates are resolved."""

from __future__ import annotations

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon lunes montag 一",
            "tuesday tue tues martes dienstag 二",
            "wednesday wed miércoles miercoles mittwoch 三",
            "thursday thu thurs jueves donnerstag 四",
            "friday fri viernes freitag 五",
            "saturday sat sábado sabado samstag 六",
            "sunday sun domingo sonntag 日 天",
        )
    )
    for name in names.split()
}

NUMBERS = {
    word: number
    for number, words in {
        1: "one a an un una ein eine einem einer 一",
        2: "two dos zwei 二 两 兩",
        3: "three tres drei 三",
        4: "four cuatro vier 四",
        5: "five cinco fünf 五",
        6: "six seis sechs 六",
        7: "seven siete sieben 七",
        8: "eight ocho acht 八",
        9: "nine nueve neun 九",
        10: "ten diez zehn 十",
        11: "eleven once elf 十一",
        12: "twelve doce zwölf 十二",
    }.items()
    for word in words.split()
}

UNITS = {
    word: unit
    for unit, words in {
        "day": "day days día días dia dias tag tage tagen 天 日",
        "week": "week weeks semana semanas woche wochen 周 星期 个星期 礼拜 个礼拜",
        "month": "month months mes meses monat monate monaten 个月 月",
        "year": "year years año años jahr jahre jahren 年",
    }.items()
    for word in words.split()
}


def number_of(word: str) -> int | None:
    """The amount a word or numeral stands for."""
    return int(word) if word.isdigit() else NUMBERS.get(word.lower())
