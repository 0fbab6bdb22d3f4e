"""Chinese: what a plain statement without a rule of its own is about."""

from __future__ import annotations

import regex

_PROBLEM = regex.compile(
    "报错|错误|失败|问题|不行|不对|怎么|什么|为什么|你|您|请|帮|谢|试|跑(?:脚本|测试|代码|程序|一下)|调试|编译|这个|那个|这里|"
    "上面|下面|截图|又|打不开|看不到|找不到"
)
_TIME = regex.compile(
    r"\d{4}-\d\d|\d+月|\d+[日号]|周[一二三四五六日末]|星期|明天|后天|下周|下个?月|明年|"
    r"今年|月底|年底|[一二三四五六七八九十\d]+(?:天|周|个月|年)(?:后|前)|昨天|上周|"
    r"上个?月"
)
_OWN = regex.compile("^(?:我的|我们的|我们|我家|我)")
_SPECIFIC = regex.compile(
    r"[A-Za-z0-9]|[一二三四五六七八九十百千]+(?:个|只|台|位|名|年|岁|次|米|公里|块|"
    r"元)|每[天周月年]|在\p{Han}{2,}"
)
_TELLING_NOT = regex.compile(
    "^我们?(?:想|觉得|认为|知道|看|听|希望|需要|不懂|明白|发现|猜|以为|也是|在想|再|先|去|来|正在|刚|可以|没)"
)


def guess(text: str, plain: str, companion: bool) -> tuple[str, str] | None:
    """Category and kind of a statement that no rule fits; none for what is vague, momentary or about a problem."""
    if len(plain) < 6 or _PROBLEM.search(plain) or not _OWN.match(plain) or _TELLING_NOT.match(plain):
        return None
    if _TIME.search(plain):
        return "project", "project"
    if not _SPECIFIC.search(plain):
        return None
    return ("technical", "stack") if plain.startswith("我们") else ("identity", "work")
