"""The words by which conflicts are told: questions with one answer, opposites, and what is only for a while."""

from __future__ import annotations

import regex

from memoryapp.llm.language.wording import stem


def _pattern(text: str) -> regex.Pattern[str]:
    return regex.compile(text, regex.IGNORECASE | regex.VERBOSE)


def _any(*lines: str) -> str:
    """An alternative of whole words; `_` stands for a space within one."""
    words = " ".join(lines).replace(".", r"\.").replace("_", r"\s").split()
    return rf"\b(?:{'|'.join(words)})\b"


_BEFORE = r"^(?P<subject>[^,.;:]{0,60}?)\s*\b"
_BEFORE_HAN = r"^(?P<subject>[\p{Han}\w]{0,10}?)"
_NAME = r"\p{Lu}[\p{L}'’-]+"
_VALUE = r"\s+(?P<value>[^,.;(]{1,80})"
_VALUE_HAN = r"(?P<value>[^，。；、,.;\s]{1,20})"

# A question with a single answer, and how a fact answers it. The subject is whom it is asked of.
ATTRIBUTES = (
    ("home", _pattern(rf"{_BEFORE}(?:lives?|living|resides?|is\s+based|moved)\s+(?:now\s+)?(?:in|at|to){_VALUE}")),
    ("home", _pattern(rf"{_BEFORE}(?:vive|reside|se\s+mudó)\s+(?:ahora\s+)?(?:en|a){_VALUE}")),
    ("home", _pattern(rf"{_BEFORE}wohnt\s+(?:jetzt\s+)?in{_VALUE}")),
    ("home", _pattern(rf"{_BEFORE_HAN}(?:现在)?(?:住在|居住在|定居在|搬到了?|家在){_VALUE_HAN}")),
    ("employer", _pattern(rf"{_BEFORE}(?:works?|is\s+employed)\s+(?:now\s+)?(?:at|for){_VALUE}")),
    ("employer", _pattern(rf"{_BEFORE}trabaja\s+(?:ahora\s+)?(?:en|para){_VALUE}")),
    ("employer", _pattern(rf"{_BEFORE}arbeitet\s+(?:jetzt\s+)?bei{_VALUE}")),
    ("employer", _pattern(rf"{_BEFORE_HAN}(?:现在)?(?:就职于|任职于|供职于){_VALUE_HAN}")),
    ("employer", _pattern(rf"{_BEFORE_HAN}(?:现在)?在(?P<value>[^，。；]{{1,20}}?)(?:工作|上班|任职)")),
    ("occupation", _pattern(rf"{_BEFORE}works?\s+as\s+an?{_VALUE}")),
    ("occupation", _pattern(rf"{_BEFORE}trabaja\s+como{_VALUE}")),
    ("name", _pattern(rf"{_BEFORE}(?:name\s+is|is\s+(?:called|named)){_VALUE}")),
    ("name", _pattern(rf"{_BEFORE}(?:se\s+llama|nombre\s+es|heißt){_VALUE}")),
    ("name", _pattern(rf"{_BEFORE_HAN}(?:名叫|叫做|的?名字(?:叫|是)){_VALUE_HAN}")),
    ("birthday", _pattern(rf"{_BEFORE}(?:birthday\s+is(?:\s+on)?|was\s+born\s+on|cumpleaños\s+es(?:\s+el)?){_VALUE}")),
    ("birthday", _pattern(rf"{_BEFORE_HAN}生日(?:是|在){_VALUE_HAN}")),
    ("time zone", _pattern(rf"{_BEFORE}(?:time\s?zone\s+is|zona\s+horaria\s+es|Zeitzone\s+ist){_VALUE}")),
    ("partner", _pattern(rf"{_BEFORE}(?:wife|husband|spouse|partner)\s+is\s+(?:called\s+)?(?P<value>{_NAME})")),
    ("partner", _pattern(rf"{_BEFORE}is\s+married\s+to{_VALUE}")),
    ("favourite", _pattern(rf"^(?P<subject>[^,.;:]{{0,40}}\bfavou?rite\s+[^,.;:]{{1,40}}?)\s+is{_VALUE}")),
    ("favourite", _pattern(rf"^(?P<subject>[^,.;:]{{0,40}}\bfavorit[oa]s?\b[^,.;:]{{0,40}}?)\s+es{_VALUE}")),
    ("favourite", _pattern(rf"^(?P<subject>[\p{{Han}}\w]{{0,10}}最喜欢的[\p{{Han}}]{{1,6}}?)是{_VALUE_HAN}")),
    # "Editor: vim", as files keep it.
    ("value", _pattern(r"^(?P<subject>\p{L}[^:,.;\n]{1,38}?)\s?[:：]\s*(?P<value>[^,;:\n]{1,60})$")),
)  # fmt: skip

# Things of which there is one, so that another day, time or amount for them is another claim.
ONE_ANSWER = _pattern(
    _any(
        "is are fall falls due deadline scheduled moved start starts begins ends take_place takes_place happens happen",
        "set costs cost closes close opens open run runs meets meet leaves arrives es son vence empieza cuesta cierra",
        "abre ist findet beginnt kostet",
    )
    + "|截止|定在|改到|开始|结束|举行|每(?:周|天|月)|是"
)
_MONTH = _any(
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october",
    "nov november dec december enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre",
    "diciembre januar februar märz mai juni juli oktober dezember",
)
_DATE = rf"""\d{{4}}-\d{{2}}-\d{{2}} | \b\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?{_MONTH}(?:\s\d{{4}})?
    | {_MONTH}\s\d{{1,2}}\b | \d{{1,2}}月\d{{1,2}}[日号]"""
_WEEKDAY = (
    _any(
        "mondays? tuesdays? wednesdays? thursdays? fridays? saturdays? sundays?",
        "lunes martes miércoles jueves viernes sábados? domingos?",
        "montags? dienstags? mittwochs? donnerstags? freitags? samstags? sonntags?",
    )
    + "|(?:周|星期)[一二三四五六日天]"
)
_TIME = r"\b\d{1,2}[:.h]\d{2}\b | \b\d{1,2}\s?[ap]\.?m\b\.? | \d{1,2}点半?"
_UNITS = (
    "euros? dollars? pounds? yuan usd eur gbp percent km kg miles? hours? minutes? people años horas".replace(
        " ", "|"
    )
)
_AMOUNT = rf"[$€£¥]\s?\d[\d.,]* | \b\d[\d.,]*\s?(?:(?:{_UNITS})\b|%|元|块)"
VALUE_KINDS = tuple(
    (kind, _pattern(text))
    for kind, text in (("day", _DATE), ("weekday", _WEEKDAY), ("time", _TIME), ("amount", _AMOUNT))
)

# Two of these cannot both be preferred for the same thing.
_OPPOSITES = (
    "dark light", "short long", "short detailed", "concise detailed", "concise thorough", "brief lengthy",
    "formal casual", "formal informal", "window aisle", "tabs spaces", "metric imperial", "morning evening",
    "mornings evenings", "morning afternoon", "hot iced", "hot cold", "email phone", "quiet loud",
    "public private", "oscuro claro",
    "oscura clara", "breves largos", "breves largas", "remote onsite", "remotely office", "celsius fahrenheit",
    "red white", "deutsch englisch", "english spanish", "inglés español", "early late",
)  # fmt: skip
ANTONYMS = frozenset(frozenset(stem(word) for word in pair.split()) for pair in _OPPOSITES)
NOT_HAN = regex.compile("从不|不再|不|没有|没|别|勿")
PREFERENCE = _pattern(
    _any("prefers? wants? likes? uses? always prefiere quiere bevorzugt") + "|更?喜欢|偏好|习惯"
)

# What is said to hold for a while only contradicts nothing.
TEMPORARY = _pattern(
    _any(
        "today tonight tomorrow this_week this_weekend this_morning this_afternoon this_evening this_month this_time",
        "next_week for_now for_the_moment for_a_while for_this for_today until till temporarily at_the_moment",
        "temporary",
        "meanwhile while_on while_travell?ing while_away while_visiting on_holiday on_vacation on_a_trip on_sick_leave",
        "visiting travell?ing staying just_once except hoy mañana esta_semana esta_noche esta_vez este_mes por_ahora",
        "de_momento hasta temporalmente de_vacaciones heute morgen diese_Woche vorläufig vorübergehend bis_zum",
        "bis_Ende im_Urlaub",
    )
    + r"|\bfor\s(?:a|one|two|three|a\sfew|the\snext)\s(?:days?|weeks?|months?)\b"
    + "|今天|今晚|明天|这周|本周|这个月|暂时|临时|目前先|直到|出差|旅行|度假"
)
# What is told of the past is no claim about now.
FAR_PAST = _pattern(
    _any(
        "used_to formerly previously in_the_past back_in as_a_child years_ago once_lived once_worked once_had was were",
        "lived worked had_been no_longer_lives no_longer_works antes solía vivía trabajaba vivió früher wohnte",
        "arbeitete war",
    )
    + r"|\bin\s(?:19|20)\d\d\b|以前|曾经|过去|从前|小时候|[上前]年"
)
