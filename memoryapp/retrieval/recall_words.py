"""The words by which a message is read as a search: what stands around the question, which kind of memory it means.

A kind of memory is told by what people say ("my rules", "why did we pick") and bridged to the words in which such
memories are written ("rule", "decided because").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import regex

Pattern = regex.Pattern[str]


def _any(*alternatives: str) -> Pattern:
    return regex.compile("|".join(alternatives), regex.IGNORECASE)


# A message that is nothing but one of these asks memory for nothing.
SMALL_TALK: Final = regex.compile(
    r"(?:\s|\p{P}|\p{S}|\b(?:"
    r"hi|hey|hello|hiya|yo|good (?:morning|afternoon|evening|night)|morning|bye|goodbye|see you(?: later"
    r"| soon)?|later"
    r"|thanks|thank you|thx|cheers|many|much|so|very|a lot|ok|okay|sure|yes|yeah|yep|no|nope|great|cool"
    r"|nice|perfect"
    r"|awesome|fine|good|got it|sounds good|alright|all right|please|there|again|everyone|continue|go on"
    r"|stop|never ?mind"
    r"|done|lol|haha+|how are you(?: doing)?(?: today)?|what'?s up|welcome|for now|you too|i see"
    r"|understood|exactly|right"
    r"|hola|buenos días|buenas(?: tardes| noches)?|gracias|muchas|vale|sí|adiós|hasta luego|genial"
    r"|perfecto|de acuerdo"
    r"|qué tal|cómo estás|sigue|para"
    r"|hallo|guten (?:morgen|tag|abend)|danke|vielen dank|tschüss|ja|nein|gut|alles klar|weiter|genau|passt"
    r"|bonjour|salut|merci|au revoir|ciao|grazie"
    r")\b|你好|您好|早上好|早安|晚上好|晚安|谢谢|多谢|好的|好|嗯|是的|对|再见|继续|停|没事|了|啊|吧|哦"
    r"|こんにちは|おはよう|ありがとう|はい)*",
    regex.IGNORECASE,
)

# What people say around the thing they ask for.
FILLER: Final = _any(
    r"\b(?:hi|hey|hello)(?: there)?(?: \p{Lu}\p{Ll}+)?[,!.]+",
    r"\b(?:can|could|would|will) you(?: please| maybe| perhaps| quickly| just| possibly)*(?: (?:tell"
    r"|remind|show|give|help|let)"
    r" me(?: know| out)?(?: with| about| of)?)?",
    r"\b(?:please|kindly)\b",
    r"\b(?:tell|remind|show|give|help) me(?: again| about| of| with)?\b",
    r"\bi(?:'m| am| was)? (?:just )?(?:wondering|curious)(?: if| whether| about)?(?: you (?:know|remember"
    r"|could|can))?\b",
    r"\bi(?:'d| would)? (?:like|want|need|love) to know\b",
    r"\b(?:do|would|did) you (?:happen to |still |even |by any chance )?(?:remember|recall|know)(?: if"
    r"| whether| that)?\b",
    r"\b(?:by the way|quick question|one more thing|any idea|any chance|if you (?:can|could|remember"
    r"|know)|if possible"
    r"|as far as you (?:know|remember)|for me|in general|just|actually|basically|again|anyway|well|so"
    r"|okay|ok|um+|uh+)\b",
    r"\b(?:thanks|thank you)(?: so much| a lot| in advance)?\b",
    r"\bis there anything\b",
    r"\b(?:throughout|across|in|during|from) (?:all )?(?:our|the|my|past|previous|earlier) (?:past "
    r"|previous |earlier )?"
    r"(?:chats?|conversations?|messages?|discussions?|sessions?)\b",
    r"\bpor favor\b|\b(?:puedes|podrías|me puedes|me podrías) (?:decir|recordar|ayudar|mostrar)(?:me)?(?: a)?\b"
    r"|\b(?:me preguntaba si|quería saber|quisiera saber|recuérdame|dime|te acuerdas(?: de)?|recuerdas"
    r"|sabes)\b|\boye\b",
    r"\b(?:bitte|kannst du|könntest du|weißt du|erinnerst du dich(?: an)?|sag mir|erinnere mich(?: an)?"
    r"|ich wollte wissen"
    r"|ich frage mich|eigentlich|nochmal|noch mal|mal)\b",
    r"请问?|麻烦你?|帮我(?:看看|查查|想想)?|能不能|可不可以|可以(?:告诉我)?|告诉我|提醒我"
    r"|你(?:还)?(?:记得|知道)|我想(?:知道|问)|一下",
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of memory: its categories, how people ask for it, and the words that such memories have."""

    categories: tuple[str, ...]
    asked: Pattern
    bridge: dict[str, str]
    # Only a question for the kind itself narrows the search to it.
    wanted: Pattern | None = None


KINDS: Final = (
    Kind(
        ("rule",),
        _any(
            r"\b(?:standing )?rules?\b|\bpolic(?:y|ies)\b|\balways do\b|\bnever do\b|\b(?:told"
            r"|asked) you (?:to )?(?:always|never)\b"
            r"|\b(?:am|are) (?:i|we|you) (?:allowed|supposed) to\b|\binstructions?\b",
            r"\breglas?\b|\bnormas?\b|\bRegeln?\b|\bVorgaben?\b|规则|规定|总是要|绝不",
        ),
        {"en": "rule always never", "es": "regla siempre nunca", "de": "Regel immer nie", "zh": "规则"},
        _any(
            r"\b(?:my|our|any|all|which|what)\b.{0,20}\brules?\b|\b(?:mis|nuestras|qué) (?:reglas|normas)\b"
            r"|\b(?:meine|unsere|welche) Regeln\b|(?:我的|我们的|哪些|什么)规则"
        ),
    ),
    Kind(
        ("preference",),
        _any(
            r"\b(?:do|did|would) (?:i|we) (?:like|prefer|want|love|hate|dislike|enjoy)\b|\bpreferences?\b"
            r"|\bfavou?rites?\b"
            r"|\b(?:i|we) (?:usually )?(?:like|prefer)\b",
            r"\bpreferenc\w+|\bprefier[oe]\b|\bfavorit[oa]s?\b|\bme gusta\b|\bmag ich\b|\bbevorzuge\b"
            r"|\bLieblings\w+"
            r"|喜欢|偏好|最爱",
        ),
        {
            "en": "prefers preference",
            "es": "prefiere preferencia",
            "de": "bevorzugt Vorliebe",
            "zh": "喜欢 偏好",
        },
        _any(
            r"\b(?:my|our|what|which|any|all)\b.{0,12}\bpreferences?\b|\b(?:mis|qué) preferencias\b"
            r"|\bmeine Vorlieben\b"
            r"|(?:我的|哪些|什么)偏好"
        ),
    ),
    Kind(
        ("decision",),
        _any(
            r"\b(?:decid\w+|decisions?|chose|choose|chosen|picked?|settled?(?: on)?|agreed?(?: on)?"
            r"|went with|lessons?)\b",
            r"\bdecid\w+|\bdecisi[oó]n(?:es)?\b|\beleg\w+|\bacord\w+|\bentschieden\b"
            r"|\bEntscheidung(?:en)?\b|\bgewählt\b"
            r"|决定|选择了?|选了|教训",
        ),
        {"en": "decided because", "es": "decidió porque", "de": "entschieden weil", "zh": "决定 因为"},
        _any(
            r"\b(?:what|which|all|any|our|my|the)\b.{0,12}\bdecisions?\b|\bwhat (?:did|have) (?:we"
            r"|i) decided?\b"
            r"|\bqué (?:decidimos|decidí|hemos decidido|decisiones)\b|\bwas haben wir entschieden\b"
            r"|(?:做了)?(?:什么|哪些)决定"
        ),
    ),
    Kind(
        ("identity",),
        _any(
            r"\bwho am i\b|\bwhat(?:'s| is) my (?:name|job|role|age|time ?zone|occupation|title)\b"
            r"|\btime ?zone\b"
            r"|\b(?:know|remember) about me\b|\bwhere (?:do|am) i\b|\bwhat do i do\b",
            r"\bquién soy\b|\bsabes de mí\b|\bcómo me llamo\b|\bdónde (?:vivo|trabajo)\b|\bwer bin ich\b"
            r"|\bweißt du über mich\b"
            r"|\bwo (?:wohne|arbeite) ich\b|我是谁|我叫什么|我住|我的(?:名字|职业|工作|时区)|(?:知道|记得"
            r"|了解)我的?(?:什么|哪些)",
        ),
        {
            "en": "user name role location based",
            "es": "usuario nombre trabajo vive",
            "de": "Nutzer Name Beruf wohnt",
            "zh": "用户 名字 职业",
        },
        _any(
            r"\b(?:know|remember) about me\b|\bwho am i\b|\bquién soy\b|\bsabes de mí\b|\bwer bin ich\b"
            r"|\bweißt du über mich\b"
            r"|我是谁|(?:知道|记得|了解)我的?(?:什么|哪些)"
        ),
    ),
    Kind(
        ("relationship",),
        _any(
            r"\bwho (?:was|is|are|were)\b|\bwhose\b|\b(?:wife|husband|sister|brother|mother|father|mom"
            r"|mum|dad|son|daughter"
            r"|friends?|boss|colleagues?|partner|dog|cat|pet)\b.{0,30}\b(?:name|called|birthday)\b"
            r"|\b(?:name|birthday) of my\b",
            r"\bquién (?:era|es|fue)\b|\b(?:cómo se llama|cumpleaños de) mi\b|\bwer (?:war|ist)\b"
            r"|\bwie heißt mein"
            r"|谁是|是谁|叫什么名字|生日",
        ),
        {"en": "relationship name", "es": "nombre relación", "de": "Name Beziehung", "zh": "名字"},
    ),
    Kind(
        ("project",),
        _any(
            r"\bwhere are we (?:with|on)\b|\bstatus\b|\bprogress\b|\bmilestones?\b|\bproject updates?\b"
            r"|\bdeadlines?\b|\bhow (?:far|is)\b"
            r".{0,30}\b(?:going|coming along)\b",
            r"\bcómo va\b|\bestado del?\b|\bplazos?\b|\bwie steht es um\b|\bStand (?:der|des|von)\b"
            r"|\bFristen?\b|进展|进度|状态|截止",
        ),
        {"en": "project status as of", "es": "proyecto estado", "de": "Projekt Stand", "zh": "项目 进展"},
        _any(
            r"\bproject updates?\b|\b(?:my|our|which|what|all) (?:current |active |open )?projects\b"
            r"|\b(?:mis|nuestros|qué) proyectos\b|\b(?:meine|unsere|welche) Projekte\b|(?:我的|哪些|什么)项目"
        ),
    ),
    Kind(
        ("configuration", "technical"),
        _any(
            r"\b(?:set ?up|configured?|configuration|installed|settings?|stack|versions?)\b",
            r"\bconfigur\w+|\binstal\w+|\bversi[oó]n\b|\beingerichtet\b|\bkonfigurier\w+|配置|安装|版本",
        ),
        {"en": "configured runs on", "es": "configurado", "de": "eingerichtet läuft", "zh": "配置 使用"},
    ),
)

# A time narrows the search only when the message asks what was said or decided then; what took place then is found by
# the time in its own words.
TOLD: Final = _any(
    r"\b(?:decid\w+|discuss\w*|talk\w*|sa(?:y|id)|told|tell|mention\w*|agree\w*|chat\w*|conversations?"
    r"|ask(?:ed)?|promis\w+)\b",
    r"\b(?:decid\w+|habl\w+|dij\w+|coment\w+|acord\w+|cont[aéó]\w*|conversaci\w+)\b",
    r"\b(?:entschieden|besprochen|gesagt|gesprochen|erwähnt|erzählt|vereinbart|Gespräch)\b|决定|讨论|聊"
    r"|说|提到|谈|问",
)
LATELY: Final = _any(
    r"\b(?:recent(?:ly)?|latest|lately|últimamente|recientes?|neulich|zuletzt|kürzlich)\b|最近"
    r"|近来"
)
