"""Two versions of a fact made into one: the more complete words, both contexts, the newer value."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoryapp.llm.backends.offline.facts import Fact
from memoryapp.llm.language.detection import is_cjk
from memoryapp.llm.language.han import compile_both
from memoryapp.llm.language.wording import content_words, count_words, novel_words
from memoryapp.llm.language.wordlists import words

_ANCHOR = compile_both(
    r"^(?:as of (?P<day>[\d-]+|date unknown),?\s*|截至\s*(?P<day>[\d-]+)[，,]\s*|"
    r"a fecha de (?P<day>[\d-]+),?\s*|stand (?P<day>[\d-]+):?\s*)|\s*\((?:as of|a fecha de|"
    r"stand) [\d-]+\)|（截至[\d-]+）",
    regex.IGNORECASE,
)
_OWNER = compile_both(r"^(?:user (?=\p{L})|usuario: |用户(?!的|团队|家)|nutzer/in )", regex.IGNORECASE)
_NOT = {
    "en": (
        compile_both(r"^(?P<new>.+?),? (?:and |but )?not (?P<old>[^,.;]+)$", regex.IGNORECASE),
        compile_both(r"^(?P<head>.+?)\bnot (?P<old>[^,.;]+?),? but (?P<new>[^,.;]+)$", regex.IGNORECASE),
    ),
    "es": (
        compile_both(r"^(?P<new>.+?), no (?P<old>[^,.;]+)$", regex.IGNORECASE),
        compile_both(
            r"^(?P<head>.*?)\bno (?:es |en )?(?P<old>[^,.;]+?),? sino (?P<new>[^,.;]+)$", regex.IGNORECASE
        ),
    ),
    "zh": (
        compile_both(r"^(?P<new>.+?)[，,](?:而)?不是(?P<old>[^，。；]+)$"),
        compile_both(r"^(?P<head>.*?)不是(?P<old>[^，。；]+?)[，,]?(?:而)?是(?P<new>[^，。；]+)$"),
    ),
}
_BEFORE_VALUE = compile_both(
    r"^.*\b(?:is|are|was|am|to|in|at|on|for|by|with|uses?|called|named|es|son|a|en|con|llama|se llama|"
    r"vive en|trabaja en|de|desde|hacia)\s+(?=\S)|^.*(?:是|叫|在|到|对)",
    regex.IGNORECASE,
)
_PREPOSITION = compile_both(r"^(?:in|at|on|to|from|with|for|by|en|a|de|con) |^[对在到]", regex.IGNORECASE)
_ARTICLE = compile_both(r"^(?:an?|the|el|la|los|las|un|una)\s+", regex.IGNORECASE)
_VALUES = (
    compile_both(
        r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:january|february|march|april|may|june|"
        r"july|august|september|october|november|december)(?: \d{4})?\b|"
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november|"
        r"december) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b|"
        r"\b\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|"
        r"diciembre)(?: de \d{4})?|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]",
        regex.IGNORECASE,
    ),
    compile_both(r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    compile_both(r"\b\d{1,2}[:.]\d\d\b"),
)
_CHANGE_WORDS = words(
    "move mov upgrad updat chang now chang switch postpon new deadlin dat due version actual start moved "
    "run complet to cambi actualiz ahor"
)
_HAS = compile_both(
    r"^(?:user|usuario:) (?P<verb>has|owns|keeps|got|tiene) (?P<thing>(?:an?|un|una) [\w -]+)$",
    regex.IGNORECASE,
)
_CALLED = compile_both(
    r"^(?:the |user's |el |la |su )?(?P<noun>[\w-]+)(?:'s name is| is (?:called|named)|"
    r" se llama) (?P<name>.+)$",
    regex.IGNORECASE,
)
_DONE = compile_both(
    r"\b(?:done|finished|complete[d]?|shipped|released|launched|live|closed|reached|cancel\w+|over|opened|"
    r"published|"
    r"is out|are out|is (?:now |finally )?open|(?:is|are) behind (?:us|me|user)|"
    r"(?:now|finally|officially) (?:open|live|here|ready|up)|(?:came|fell|went) through|called off|won|"
    r"approved|rejected|"
    r"turned down|granted|awarded|submitted|handed in|delivered|accepted|filed|sent (?:off|out)|"
    r"terminad\w+|acabad\w+|lanzad\w+|entregad\w+|cerrad\w+|finalizad\w+|concluid\w+|fully)\b|"
    r"完成|结束|上线了|取消|交付了|完工|竣工|收尾了|(?:做|写|办|搬|修|弄|译|拍|录|验收)完了|交了|搞定了|签了|验收了|关闭了|通过了",
    regex.IGNORECASE,
)
_ONGOING = compile_both(
    r"\b(?:in progress|waiting for|applying|applied for|hoping|looking for|ongoing|under construction|"
    r"upcoming|in preparation|under way|underway|status|"
    r"planned|is (?:running|open|active|building|"
    r"writing|migrating|rewriting|working|developing|planning|preparing|organi[sz]ing|moving)|en curso|"
    r"en marcha|pendiente)\b|进行中|正在|计划",
    regex.IGNORECASE,
)
ROOM = 50


def combine(old: str | Sequence[str], fact: Fact, *, replaces: bool = False) -> str:
    """One text from what was known and what was said now."""
    olds = [old] if isinstance(old, str) else list(old)
    if replaces or any(has_other_value(one, fact) for one in olds) or ends(" ".join(olds), fact):
        text = with_new_value(olds[0], fact)
        return text if text else fact.text
    if not any(novel_words(one, [fact.text]) for one in olds):
        return fact.text
    parts = [_bare(one) for one in _name_things(olds)]
    joined = _join([*parts, _without_owner(fact.body)], fact.language)
    while len(parts) > 1 and count_words(joined) > ROOM - 4:
        parts.pop()
        joined = _join([*parts, _without_owner(fact.body)], fact.language)
    dated = fact.dated or any(_ANCHOR.match(one) for one in olds)
    return _dated(joined, fact) if dated else joined[:1].upper() + joined[1:]


def has_room(old: str, fact: Fact) -> bool:
    """Whether both together stay a fact and do not become a paragraph."""
    return count_words(_bare(old)) + count_words(_without_owner(fact.body)) <= ROOM - 4


def ends(old: str, fact: Fact) -> bool:
    """Whether what was under way is over now."""
    doing = _DOING.search(old)
    done = doing and regex.search(
        rf"\b(?:is|are|was|were|been|have|has) (?:\w+ )?{doing['stem']}\w{{0,3}}ed\b", fact.body
    )
    return bool(done or (_DONE.search(fact.body) and _ONGOING.search(old)))


# "Is translating" is over once something "is translated".
_DOING = compile_both(r"\bis (?P<stem>\p{Ll}{4,})ing\b")


def has_other_value(old: str, fact: Fact) -> bool:
    """Whether both name one version, date or time, and not the same."""
    for value in _VALUES:
        before, after = (
            set(value.findall(_ANCHOR.sub("", old))),
            set(value.findall(_ANCHOR.sub("", fact.body))),
        )
        if len(before) == 1 and len(after) == 1 and before != after:
            return True
    return False


def has_other_version(old: str, fact: Fact) -> bool:
    """Whether both name one version, and not the same."""
    before, after = (set(_VALUES[1].findall(_ANCHOR.sub("", text))) for text in (old, fact.body))
    return len(before) == 1 and len(after) == 1 and before != after


def with_new_value(old: str, fact: Fact) -> str:
    """The known text with its one date, version or time exchanged, when that says all that is new."""
    for value in _VALUES:
        before, after = value.findall(_ANCHOR.sub("", old)), value.findall(_ANCHOR.sub("", fact.body))
        if len(before) != 1 or len(after) != 1 or before == after:
            continue
        bare = _bare(old)
        text = bare.replace(before[0], after[0])
        novel = novel_words(fact.body, [text]) - _CHANGE_WORDS
        if not novel or (len(novel) <= 2 and len(content_words(bare)) > 4 and value is _VALUES[0]):
            return f"{text[:1].upper()}{text[1:]} {_stamp(fact)}"
    return ""


def replace_value(fact: Fact, old: str) -> str:
    """The known text with the wrong value exchanged for the right one; empty when it is not about that value."""
    for pattern in _NOT.get(fact.language, ()):
        match = pattern.match(fact.body.rstrip(".。"))
        if not match:
            continue
        wrong = _ARTICLE.sub("", _PREPOSITION.sub("", match["old"].strip()))
        right = _same_value(wrong, match["new"]) or _same_kind(wrong, match["new"])
        right = right or _ARTICLE.sub("", _BEFORE_VALUE.sub("", match["new"].strip()))
        found = regex.search(rf"(?<!\p{{Latin}}){regex.escape(wrong)}(?!\p{{Latin}})", old, regex.IGNORECASE)
        if found and set(content_words(right)) & set(
            content_words(old[: found.start()] + old[found.end() :])
        ):
            # "Oat milk in the coffee now, not cow's milk": what the value stands beside is said with it.
            return fact.text
        if found and right and right.lower() not in old.lower():
            return _fix_article(old[: found.start()] + right + old[found.end() :])
    return ""


def _same_value(wrong: str, said: str) -> str:
    """The date, version or time that is said in the place of a wrong one."""
    value = next((value for value in _VALUES if value.fullmatch(wrong)), None)
    found = value.search(said) if value else None
    return found.group() if found else ""


def _same_kind(wrong: str, said: str) -> str:
    """Among the words said the name that is spelt almost like the wrong one."""
    names = regex.findall(r"(?<=\s)\p{Lu}[\p{L}'’-]+", said)
    return next((name for name in names if name != wrong and name[:3] == wrong[:3]), "")


def _fix_article(text: str) -> str:
    text = regex.sub(r"\ba(?= [aeiou])", "an", text)
    return regex.sub(r"\ban(?= [^aeiouAEIOU\W])", "a", text)


def _name_things(olds: Sequence[str]) -> list[str]:
    """'Has a dog' and 'the dog's name is Rex' become 'has a dog named Rex'."""
    kept = list(olds)
    for naming in olds:
        called = _CALLED.match(naming.rstrip("."))
        for owning in olds:
            has = _HAS.match(owning.rstrip("."))
            if (
                called
                and has
                and has["thing"].lower().split()[-1] == called["noun"].lower()
                and naming in kept
                and owning in kept
            ):
                word = "llamado" if has["verb"] == "tiene" else "named"
                kept[kept.index(owning)] = f"{owning.rstrip('.')} {word} {called['name']}"
                kept.remove(naming)
    return kept


def _bare(text: str) -> str:
    return _ANCHOR.sub("", text).strip().rstrip(".。;")


def _without_owner(body: str) -> str:
    return _OWNER.sub("", body.strip()).lstrip()


def _join(parts: list[str], language: str) -> str:
    head, rest = parts[0], [_without_owner(part) for part in parts[1:]]
    return ("；" if is_cjk(language) else "; ").join([head, *rest])


def _dated(text: str, fact: Fact) -> str:
    body = text[:1].lower() + text[1:] if text.startswith("User") else text
    return {
        "zh": f"截至{fact.day}，{text}",
        "es": f"A fecha de {fact.day}, {text[:1].lower() + text[1:]}",
        "de": f"Stand {fact.day}: {text}",
        "ja": f"{fact.day}時点、{text}",
    }.get(fact.language, f"As of {fact.day}, {body}")


def _stamp(fact: Fact) -> str:
    return {
        "zh": f"（截至{fact.day}）",
        "es": f"(a fecha de {fact.day})",
        "de": f"(Stand {fact.day})",
        "ja": f"（{fact.day}時点）",
    }.get(fact.language, f"(as of {fact.day})")
