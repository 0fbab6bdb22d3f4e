"""What the assistant reports to have done at the user's request: the outcome counts, not the wish."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from memoryapp.llm.backends.offline.passages import own_words
from memoryapp.llm.language.detection import detect_language
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.wording import overlap
from memoryapp.llm.tasks import TranscriptMessage

_REQUEST = compile_both(
    r"^(?:(?:please|pls|now|then|just|can you|could you|ok|also)[\s,]+)*(?P<verb>update|set up|configure|"
    r"reconfigure|create|install|switch|move|migrate|change|rename|schedule|connect|enable|disable|deploy|"
    r"add|publish|replace|upgrade|link|assign|"
    r"import|register|point|archive|merge|convert|set|use|make|put|turn|roll out|sync|extend|raise|lower|"
    r"increase|reduce|rotate|share)\b",
    regex.IGNORECASE,
)
_REQUEST_ELSEWHERE = {
    "es": compile_both(
        r"^(?:por favor,? )?(?:actualiza|configura|crea|instala|cambia|mueve|migra|"
        r"renombra|programa|conecta|activa|desactiva|despliega|añade|publica|reemplaza|"
        r"pon)\b",
        regex.IGNORECASE,
    ),
    "zh": compile_both(
        r"^(?:请|帮我|麻烦)*(?:把|将|更新|配置|创建|安装|切换|迁移|修改|设置|启用|停用|"
        r"部署|添加|发布|替换)"
    ),
}
_DURABLE = compile_both(
    r"\b(?:sheet|spreadsheet|document|doc|calendar|channel|repo(?:sitory)?|cron|job|agent|bot|server|"
    r"service|database|dashboard|templates?|pipeline|workflow|webhook|list|folder|project|board|domain|"
    r"dns|backups?|config(?:uration)?|settings?|schedule|plan|"
    r"subscription|newsletter|site|website|page|form|alerts?|monitor(?:ing)?|policy|index|queue|bucket|"
    r"certificate|relay|proxy|vpn|playbook|handbook|wiki|roster|rota|menu|catalogue|catalog|inventory|"
    r"contract|invoice template|automation|rule|filter|feed|group|team|account|"
    r"hoja|documento|calendario|canal|repositorio|servidor|servicio|base de datos|panel|plantillas?|"
    r"carpeta|tablero|dominio|sitio|lista)\b|表格|文档|日历|频道|仓库|服务器|服务|数据库|面板|模板|文件夹|"
    r"项目|域名|网站|列表",
    regex.IGNORECASE,
)
_OUTCOME = {
    "en": compile_both(
        r"^(?:The|Your|Our|All|I(?:'ve| have)?) .*\b(?:now (?:uses?|runs?|points?|has|"
        r"have|posts?|contains?|lives?|goes|go|sends?|checks?|is|are)|has been|have been|"
        r"was|were|is now|are now|(?:'ve|have) (?:updated|set|created|moved|configured|"
        r"renamed|scheduled|added|connected|switched))\b",
        regex.IGNORECASE,
    ),
    "es": compile_both(
        r"\b(?:ahora (?:usa|está|tiene|apunta|contiene)|ha sido|se ha|fue|quedó|ya (?:usa|"
        r"está|tiene))\b",
        regex.IGNORECASE,
    ),
    "zh": compile_both(
        "现在(?:用|使用|是|指向|包含)|已(?:经)?(?:更新|改|设置|配置|创建|迁移|切换|添加|部署|发布|替换)"
    ),
}
_ACK = compile_both(
    r"^(?:(?:done|ok|okay|sure|all set|great|got it|finished|ready|hecho|listo|vale|claro|"
    r"perfecto)[\s.!,:–—-]+|(?:好的|完成|搞定|已完成|没问题)[。！，,\s]*)+",
    regex.IGNORECASE,
)
_SENTENCE = compile_both(r"(?<=[^.][.!?。！？])\s+(?=\p{Lu})|(?<=[。！？])|\n+")
_FIRST_PERSON = compile_both(
    r"^I(?:'ve| have)?\s+(?P<verb>updated|set up|set|created|moved|configured|renamed|scheduled|added|"
    r"connected|switched)\s+(?P<object>the .+)$",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A lasting thing the assistant says it did, as asked in an earlier message."""

    text: str
    language: str
    request: int
    report: int


def reported_outcomes(messages: tuple[TranscriptMessage, ...]) -> Iterator[Outcome]:
    """Every outcome reported right after the request for it."""
    for request, report in pairwise(messages):
        if request.role != "user" or report.role != "assistant":
            continue
        asked = " ".join(own_words(request.text))
        language = detect_language(asked)
        if language in _OUTCOME and _is_request(asked, language) and _DURABLE.search(asked):
            text = _report_of(report.text, asked, language)
            if text:
                yield Outcome(text, language, request.number, report.number)


def _is_request(asked: str, language: str) -> bool:
    pattern = _REQUEST_ELSEWHERE.get(language, _REQUEST)
    return bool(pattern.match(asked)) and "?" not in asked and "？" not in asked


def _report_of(reply: str, asked: str, language: str) -> str:
    for sentence in _SENTENCE.split(_ACK.sub("", reply.strip())):
        sentence = _ACK.sub("", (sentence or "").strip())
        if sentence.endswith(("?", "？")) or not _OUTCOME[language].search(sentence):
            continue
        if len(overlap(sentence, asked)) >= 2:
            return _told(sentence.rstrip(".!。！ "))
    return ""


def _told(sentence: str) -> str:
    match = _FIRST_PERSON.match(sentence)
    if match:
        thing = match["object"]
        return f"{thing[:1].upper()}{thing[1:]} ({match['verb']})"
    return regex.sub(r"^Your\b", "User's", sentence)
