"""What a person really said in a message: recalled memories, code, logs, quotations and routing marks taken out."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoryapp.llm.backends.offline.listings import Line, with_lists_told
from memoryapp.llm.language.han import compile_both

_FENCE = regex.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", regex.DOTALL)
_TAGGED = regex.compile(
    r"<(?P<tag>[\w-]*(?:memor|recall|context|system|tool|snippet|document|"
    r"retriev)[\w-]*)\b[^>]*>.*?(?:</(?P=tag)>|\Z)",
    regex.DOTALL | regex.IGNORECASE,
)
_JSON_LINE = regex.compile(r"^[ \t]*[\[{]\s*[\"{\[].*[\]}],?[ \t]*$", regex.MULTILINE)
# <msg id='12' via='matrix'>…</msg>
_WRAPPING = regex.compile(
    r"^\s*<(?:msg|message|m|post|chat|line)(?:\s+[\w-]+=(?:'[^']*'|\"[^\"]*\"|\S+?))*\s*>|"
    r"</(?:msg|message|m|post|chat|line)>\s*$",
    regex.MULTILINE | regex.IGNORECASE,
)
# "[shares a photo of a sunset]"
_STAGE = regex.compile(
    r"\[(?:\w+ )?(?:shar(?:es|ed)|sen(?:ds|t)|attach(?:es|ed|ment)|photo|image|picture|video|sticker|gif|"
    r"voice|laugh(?:s|ing)|"
    r"smil(?:es|ing)|sigh(?:s|ing))\b[^\]\n]*\]",
    regex.IGNORECASE,
)
_MEMORY_HEAD = regex.compile(
    r"^\W*(?:(?:relevant|recalled|stored|retrieved|known|related|existing|user|long-term|my|your|here are|"
    r"the following|some) )*"
    r"(?:memor(?:y|ies)|facts|context|background)(?: (?:about|for|of|from|on|i have about|"
    r"known about)\b[^\n:：]{0,40})?\W*[:：]\W*$|"
    r"^\W*(?:相关|已知|用户)?(?:的)?(?:记忆|背景|信息)\W*[:：]\W*$|^\W*(?:recuerdos|memorias|"
    r"memoria)(?: \w+){0,4}\W*[:：]\W*$",
    regex.IGNORECASE,
)
_LIST_ITEM = regex.compile(r"^\s*(?:[-*•·]|\d+[.)、]|\[\d+\])\s+")
_LABEL = regex.compile(r"^\s*\[[\w -]{1,20}\]\s*")
_ROUTING = regex.compile(
    r"^\s*(?:(?:(?:fwd?|re|aw|wg|tr)\s*:(?=\s*\[)|sent from my \w+\s*:|\[[^\]\n]*(?:\d{4}-\d\d-\d\d|"
    r"\d{1,2}:\d\d|\w+=|id\b|"
    r"channel|chan\b|from\b|thread|msg\b|"
    r"message|ticket|post\b|user\b)[^\]\n]*\]|<[@#!]?[\w.-]+>|"
    r"\((?:msg|message|id|sender|from|(?:thread|chan|channel|ticket|ref)\b)[^)\n]*\)|\[#[\w-]+\]|"
    r"\p{L}{1,6}_\d+(?= *[|>])|<(?:msg|"
    r"message|post)\b[^>\n]*>|#\d{2,} +\w{1,15}(?= "
    r"*>)|(?:msg|message|sender|chan|channel|user|from|to|thread|"
    r"id)(?:_?id)?=\S+|"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?|\d{1,2}:\d\d(?::\d\d)?(?= *[|>·–—-]| +\w+=)|"
    r"\w{2,12}=[\w.#-]+(?= *[|>·–—]))\s*[:|>·–—-]?\s*)+",
    regex.IGNORECASE,
)
_MAIL_HEADER = regex.compile(
    r"^(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|von|an|betreff|de|para|asunto|发件人|"
    r"收件人|主题)\s*[:：]\s.*(?:@|\d|re:|fw)|^sent from my |^on .{5,60} wrote:$|^-- ?$",
    regex.IGNORECASE,
)
_CLOSING = regex.compile(
    r"^(?:--|(?:best|kind|warm)?(?: )?(?:regards|wishes)|best|cheers|sincerely|yours(?: truly|"
    r" sincerely)?|saludos|un saludo|atentamente|(?:viele|liebe|beste|freundliche) grüße|"
    r"mit freundlichen grüßen|此致|祝好)[,!.]?(?: \p{Lu}[\p{L}. ]+)?$",
    regex.IGNORECASE,
)
_LOG = regex.compile(
    r"^\s*(?:(?:\d{4}-\d\d-\d\d|\w{3} +\d{1,2} \d\d:\d\d|\d\d:\d\d:\d\d|"
    r"\[[\d:. TZ+-]{8,}\]).*(?:\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\b|\w+\[\d+\]|: )|"
    r"(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL)[ :\]]+\S|[EWIDV]/\w|Traceback \(most|"
    r"File \"[^\"]+\", line \d+|\s+at [\w.$]+\(|\w*(?:Error|Exception)\b:|"
    r"[$#>%] \S|\w+@[\w-]+:[~/]|PS [A-Z]:|>>> |In \[\d+\]|diff --git|@@ |[+-]{3} [ab]/|"
    r"commit [0-9a-f]{7,}|HTTP/\d|(?:GET|POST|PUT|DELETE|PATCH) /|\{\"|\[\{|</?\w+[^>]*>$|"
    r"NOQUEUE|npm (?:ERR|WARN)|make(?:\[\d+\])?:|\.{10,}|={5,}|-{5,}|On branch |Your branch |"
    r"nothing to commit|PASS(?:ED)?\b|FAIL(?:ED)?\b|ok \d+|✓|✗|✔|❌|"
    r"Requirement already|Collecting |Successfully |Downloading |Cloning into|remote:|Step \d+/\d+|#\d+ \[)",
)
# "ls -la /var/log", "docker compose up -d": typed for a machine, even without its prompt.
_COMMAND = regex.compile(
    r"^\s*(?:sudo )?(?:ls|cd|cat|rm|cp|mv|mkdir|chmod|chown|grep|find|tail|head|less|sed|awk|tar|zip|unzip|"
    r"ps|kill|df|du|"
    r"top|htop|ssh|scp|rsync|curl|wget|ping|dig|git|docker|docker-compose|podman|kubectl|helm|terraform|"
    r"ansible|npm|npx|"
    r"yarn|pnpm|pip3?|pipx|uv|poetry|python3?|node|cargo|go|make|cmake|gcc|pytest|tox|ruff|mypy|apt|"
    r"apt-get|brew|dnf|"
    r"systemctl|journalctl|service|crontab|psql|mysql|sqlite3|redis-cli|echo|export|source|touch|vim|nano|"
    r"man|which)"
    r"(?= [^.!?]*(?:(?<=\s)-{1,2}\w|/|\.\w{1,4}\b|\||&&|=)|\s*$| (?:status|log|pull|push|diff|ps|images|"
    r"install|"
    r"build|test|run|up|down|get pods)\b)[\w\s./~$*:=@\"'|&<>{}%,+-]*$"
)
_ASSIGNMENT = regex.compile(r"^\s*[\w.\"'-]+\s*(?:=|:)\s*[\w\"'\[{/.-]+[,;]?\s*$")
# Words that ask for work on a text only where they are an order ("edit this:", not "the edit workstation:").
_ORDERED = (
    r"(?:^|[.!?,;] |\b(?:please|pls|you|to|and|help me|just|a|quick|grammar|spelling) )(?:fix|correct|check|"
    r"edit|improve|shorten|"
    r"polish|review|format|convert|classify|explain|parse|clean up|read|quote|transcribe)\b"
)
_TEXT_TASK = compile_both(
    _ORDERED + r"|\b(?:translat\w*(?! (?:bot|service|server|app|api|worker|agent|pipeline|plug-?in|tool|job|"
    r"team|project|script|account)\b)|summari[sz]e|proof-?read|re-?write|rephrase|paraphrase|tl;?dr|reply to|"
    r"respond to|"
    r"analy[sz]e|grammar|wording|tone|spell-?check|make (?:this|it) (?:sound|shorter|more|an?)|"
    r"(?:turn|make|put|rework|convert) (?:this|it|the following|that)\b|(?:draft|compose|type up|write) "
    r"(?:me |us )?(?:an?|the|this|up)\b|word (?:this|it)|phrase (?:this|it)|say (?:this|it)|what does this "
    r"(?:mean|say)|"
    r"p[áa]sa(?:me|lo|melo)? .*\bal? (?:español|inglés|castellano|catalán|francés|alemán|italiano|"
    r"portugués|limpio)|"
    r"pon(?:me|lo|melo)? (?:esto |lo siguiente )?en (?:español|inglés|castellano)|trad[uú](?!cci[oó]n|"
    r"ctor)\w*|res[uú]m\w*|correg\w*|corrij\w*|reescrib\w*|mejora|revisa|parafrasea|"
    r"redacta|explica|"
    r"übersetz\w*|fass\w* .*zusammen|korrigier\w*|umschreib\w*)\b|"
    r"翻译|[翻译]成|总结|概括|润色|改写|校对|修改|缩写|分析|解释|检查|语法|翻訳|要約|添削",
    regex.IGNORECASE,
)
# "That's not correct:" asks for no correction of a text.
_REMARK = regex.compile(
    r"^\W*(?:no\W+)?(?:(?:that|this|it)(?:['’]s| is| was)|you(?:['’]ve| have|['’]re| are))\b",
    regex.IGNORECASE,
)
_QUOTED = regex.compile(
    r"\"[^\"\n]{2,}\"|(?<=[\s:(]|^)['‘](?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){12,}['’](?=[\s.,;!?)]|$)|"
    r"“[^”\n]{2,}”|«[^»\n]{2,}»|„[^“\n]{2,}“|「[^」\n]{2,}」|『[^』\n]{2,}』"
)
_OPEN_QUOTE = regex.compile(r"[:：]\s*[\"“«„「](?:.|\n)*$")
_EMOJI = regex.compile(
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u200D]+(?<![0-9#*])|(?<=\s|^)[:;=]-?[)(DPpo/|"
    r"](?=\s|$)"
)
_URL_ONLY = regex.compile(r"^\s*https?://\S+\s*$")
_HAN = regex.compile(r"\p{Han}{2}")
_LETTERS = regex.compile(r"\p{L}")
_VISIBLE = regex.compile(r"\S")


def own_words(text: str, known: Sequence[str] = ()) -> list[str]:
    """The lines of a message that its author said in their own words, free of emoji and routing marks.

    What is listed under a headline is told together with it, in one line.
    """
    text = _WRAPPING.sub("", _JSON_LINE.sub("", text))
    text = _STAGE.sub(" ", _FENCE.sub("\n", _TAGGED.sub("\n", text)))
    text = _without_foreign_text(text)
    kept: list[Line] = []
    in_memories = False
    said_before = {_plain(fact) for fact in known}
    for line in _without_signature(text.splitlines()):
        if _MEMORY_HEAD.match(line):
            in_memories = True
            continue
        if in_memories and (_LIST_ITEM.match(line) or not line.strip()):
            in_memories = bool(line.strip())
            continue
        in_memories = False
        line = _ROUTING.sub("", line)
        item = _LIST_ITEM.sub("", line)
        if not is_foreign_line(line, listed=item != line) and _plain(line) not in said_before:
            told = " ".join(_EMOJI.sub(" ", item).split())
            kept += [Line(told, item != line)] if told else []
    return with_lists_told(kept)


def _without_signature(lines: list[str]) -> list[str]:
    """The lines of a mail up to its closing formula."""
    for at, line in enumerate(lines):
        if at and _CLOSING.match(line.strip()):
            return lines[:at]
    return lines


def is_foreign_line(line: str, *, listed: bool = False) -> bool:
    """Whether a line is a log, code, a table, a header or something else nobody says."""
    line = line.strip()
    if _A_WORD_AND_A_FIGURE.match(line):
        return False
    # One Chinese character says as much as a word, and items are mostly figures: they soon outnumber the letters.
    least = 0.35 if listed or _HAN.search(line) else 0.55
    return looks_like_output(line) or len(_LETTERS.findall(line)) < least * len(_VISIBLE.findall(line))


# "Sorry, 8:41."
_A_WORD_AND_A_FIGURE = regex.compile(r"^\p{L}[\p{L}'’]{1,}[,.!:]? (?:\p{L}+ ){0,2}\d[\d:.,]*[.!]?$")


def looks_like_output(line: str) -> bool:
    """Whether a line has the form of what programs print."""
    if not line or line.startswith(
        (">", "|", "#!", "//", "/*", "import ", "def ", "class ", "SELECT ", "{", "}")
    ):
        return True
    return any(form.match(line) for form in (_LOG, _COMMAND, _MAIL_HEADER, _URL_ONLY, _ASSIGNMENT))


def _plain(line: str) -> str:
    return _LABEL.sub("", _LIST_ITEM.sub("", line)).strip().strip(".。").casefold()


def _without_foreign_text(text: str) -> str:
    """The message without text it asks to be worked on and without long quotations."""
    head, colon = _split_task(text)
    if colon and _TEXT_TASK.search(head) and not _REMARK.match(head):
        text = head
    elif _TEXT_TASK.search(text.split("\n", 1)[0]) and "\n\n" in text.strip():
        text = text.strip().split("\n\n", 1)[0]
    text = _QUOTED.sub(lambda match: match.group() if _is_name(match.group()) else " ", text)
    return _OPEN_QUOTE.sub(":", text)


def _split_task(text: str) -> tuple[str, bool]:
    match = regex.search(r"[:：](?=\s|[\"“「«]|\p{Han})", text)
    return (text[: match.start()], True) if match else (text, False)


def _is_name(quotation: str) -> bool:
    """A quotation of a few words is a title or a name, not somebody's statement."""
    inner = quotation[1:-1]
    return len(inner.split()) <= 4 and len(inner) <= 32 and not regex.search(r"\bI\b|我|\byo\b", inner)
