"""What kind of fact a known text is, when nobody noted its category."""

from __future__ import annotations

import regex

from memoryapp.llm.language.han import compile_both

_CATEGORIES = tuple(
    (category, compile_both(pattern, regex.IGNORECASE))
    for category, pattern in (
        (
            "rule",
            r"^(?:as of [\d-]+, )?(?:user(?:'s)? )?rule\b|^regla|规则|\b(?:must|never|always|nunca|"
            r"siempre)\b|不要|必须",
        ),
        (
            "project",
            r"\buser is (?:currently )?(?!allergic|living|based)\w+ing\b|\b(?:status|deadline|"
            r"due on|plans? to|planning|trip|project|launch|in progress|proyecto|plazo)\b|计划|"
            r"项目|截止|正在|交稿|上线|开业",
        ),
        ("decision", r"\b(?:decided|chose|opted|settled on|decidió|eligió|optó)\b|决定"),
        (
            "preference",
            r"\b(?:prefers?|likes?|loves?|enjoys?|hates?|dislikes?|favou?rite|adores?|drinks?|"
            r"eats?|plays?|takes|wears|reads|prefiere|gusta|encanta|odia|bebe|come|juega)\b|喜欢|讨厌|偏好|爱|喝|"
            r"吃",
        ),
        (
            "identity",
            r"\buser['’]s (?:\w+ )?name is\b|\buser (?:is|lives|works|moved|was born|speaks|started)\b|"
            r"\b(?:allergic|vegetarian|"
            r"vegan|birthday|time ?zone|e-?mail|phone number|phone is \+?\d{3})\b|\b(?:vive|trabaja|es "
            r"alérgic|se llama|"
            r"nació)\w*\b|住|工作|过敏|叫|生日|是一?[名个]",
        ),
        (
            "relationship",
            r"\buser's (?:\w+ )?(?:mother|father|sister|brother|wife|husband|partner|son|"
            r"daughter|friend|boss|colleague|dog|cat|neighbou?r|cousin|aunt|uncle|assistant|"
            r"manager)\b|\buser's (?:team|family|household) (?:has|is|are|consists)\b|\b(?:hermana|hermano|"
            r"madre|padre|hij[oa]|jef[ea]|amig[oa])\b|"
            r"用户的(?:妈|爸|姐|妹|哥|弟|老板|同事|朋友|孩子|女儿|儿子|妻|丈夫)",
        ),
        ("technical", r"\buser(?:['’]s team)? uses\b|\bstack\b|\bfluent\b|技术栈"),
        (
            "configuration",
            r"\b(?:runs?|uses?|installed|configured|hosted|listens?|port|version|server|"
            r"\d+\.\d+|corre|usa|instalado)\b|端口|运行|部署|安装|用(?!户)",
        ),
        # What was dated when it was noted was under way.
        ("project", r"^(?:as of|截至|a fecha de|stand) "),
    )
)


def category_of(text: str) -> str:
    """The category the text most likely has; empty when nothing tells."""
    return next((category for category, pattern in _CATEGORIES if pattern.search(text)), "")
