"""What somebody has only one of at a time: a home, a job, a birthday, an address."""

from __future__ import annotations

import regex

from memoryapp.llm.language.han import compile_both

SLOTS = {
    "residence": compile_both(
        r"\b(?:lives?|living|lived|based|resides?|moved|relocated|moving|move)\b[^,.;]*?\b(?:in|to|at|"
        r"near|into)\b|\bhome is\b|\b(?:vive|viven|reside|se mudó|mudado|mudarse|está viviendo)\b|住在|"
        r"搬[到来去回进]|迁居|落户|迁到|"
        r"现在在|目前在|\bahora está en\b|居住|定居|家在|\bwohnt\b|\bgezogen\b|住んで|引っ越",
        regex.IGNORECASE,
    ),
    "work": compile_both(
        r"^(?:as of [\d-]+, )?user is (?:an?|the|head|chief|senior|lead|[\p{Lu}]\w+, )|"
        r"\bis (?:now )?with \w+|\b(?:got|was|been) promoted\b|\b(?:manages|runs|leads) the\b|\bis (?:now "
        r")?(?:head|chief|director) of\b|"
        r"\b(?:works?|working|worked|employed|started|joined|job|position|promoted|"
        r"employer|hired)\b[^,.;]*?\b(?:at|for|as|with|to|is|by)\b|\b(?:trabaja|trabajando|está en|"
        r"ascendi\w+|empleo|entró en)\b|\busuario es (?!al[ée]rgic|veg|cel[íi]|diab|zurd)\p{L}+|\bahora "
        r"(?:lleva|dirige|es)\b|工作|上班|任职|就职|供职|入职|跳槽|加入|担任|升[为任做]|"
        r"(?:是|任|当)(?:一?[名个位])?\S{0,10}(?:店长|经理|主管|总监|主任|组长|队长|院长|校长|员工|实习生|助理)|做\S{2,8}(?:师|员|经理|工)|"
        r"在\S{1,12}(?:做|当)\S{2,8}|"
        r"\barbeitet\b|勤め|働いて",
        regex.IGNORECASE,
    ),
}
# Of each of these somebody has one, but an address is no birthday.
_PERSON_DATA = tuple(
    compile_both(pattern, regex.IGNORECASE)
    for pattern in (
        r"\b(?:birthday|date of birth|cumpleaños)\b|生日",
        r"\b(?:time ?zone|zona horaria)\b|时区",
        r"\b(?:e-?mail|correo)\b|邮箱",
        r"\b(?:phone|(?<=new |phone |mobile )number|teléfono)\b|电话",
        r"\bpronouns\b",
        r"(?<!mail )\b(?:address|dirección)\b|地址",
        r"\bshoe size\b",
        r"\b(?:user is|turned|turns) (?:now )?\d{2}\b|\byears old\b|\btiene \d{2} años\b|岁",
    )
)


def fills_same_slot(kind: str, said: str, known: str) -> bool:
    """Whether both texts tell the same one thing that a kind of fact can tell."""
    patterns = _PERSON_DATA if kind == "person data" else (SLOTS[kind],) if kind in SLOTS else ()
    return any(pattern.search(said) and pattern.search(known) for pattern in patterns)


def is_about_owner(text: str) -> bool:
    """Whether a known fact speaks of the user and not of somebody the user knows."""
    return not regex.search(
        r"^(?:as of [\d-]+, )?user['’]s (?!job|role|home|address|employer|time ?zone|birthday|work|"
        r"e-?mail|phone|shoe|name)|用户的(?!家|生日|工作|公司)|^su ",
        text,
        regex.IGNORECASE,
    )
