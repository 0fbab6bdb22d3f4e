"""Chinese: what somebody says of themselves, told in the third person."""

from __future__ import annotations

import regex

from memoryapp.llm.language.han import compile_both

_QUOTED = compile_both(r"“[^”]*”|「[^」]*」|\"[^\"]*\"|《[^》]*》")
_WORDS = (
    (compile_both(r"我们?自己|咱们?自己"), "自己"),
    (compile_both(r"(?:我们|咱们)公司"), "{owner}所在公司"),
    (compile_both(r"(?:我们|咱们)(?:团队|组)"), "{owner}的团队"),
    (compile_both(r"(?:我们|咱们)家|我家"), "{owner}家"),
    (compile_both(r"我们|咱们?"), "{group}"),
    (compile_both(r"(?<!自)我(?!国|校|司)"), "{owner}"),
    (compile_both(r"本人|俺|在下|鄙人"), "{owner}"),
)


def third_person(text: str, *, owner: str = "用户", group: str = "") -> str:
    """The statement with 我, 我们 … replaced by the owner; quoted words stay."""
    quotes = _QUOTED.findall(text)
    text = _QUOTED.sub("\x00", text)
    for pattern, label in _WORDS:
        text = pattern.sub(label.format(owner=owner, group=group or f"{owner}团队"), text)
    text = _once(text, owner)
    for quote in quotes:
        text = text.replace("\x00", quote, 1)
    return text


def _once(text: str, owner: str) -> str:
    """Naming the subject in the first clause is enough."""
    head, comma, rest = text.partition("，")
    if comma and owner in head and "\x00" not in rest:
        rest = regex.sub(rf"(^|，){owner}(?!的|家|团队|所在)", r"\1", rest)
    return head + comma + rest
