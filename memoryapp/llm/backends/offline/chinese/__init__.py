"""Chinese: tidying, clauses, and how a recognised statement is written down."""

from __future__ import annotations

from functools import partial

import regex

from memoryapp.llm.backends.offline.chinese.guess import guess
from memoryapp.llm.backends.offline.chinese.noise import NOISE
from memoryapp.llm.backends.offline.chinese.table import RULES
from memoryapp.llm.backends.offline.finishing import Phrasing, finish_fact
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Statement
from memoryapp.llm.language.chinese_person import third_person
from memoryapp.llm.language.han import compile_both, simplified

_LEAD = compile_both(
    r"^(?:(?:(?:嗨|嘿|你好|您好|大家好|哈喽|哈啰|早上好|晚上好|下午好|早安)+[呀啊]?|早+|嗯+|呃+|额+|哦+|啊+|[嗯好]*好[滴哒嘞的呀]|那个(?:啥|什么)?|"
    r"就是|(?:对了)+|话说|其实|还是老样子|老样子|老规矩|一如既往|照旧|(?:像|跟|和)(?:往常|以前|平时|之前|上次)一样|"
    r"忘了说(?:了|一句)?|忘记说了?|差点忘了|(?:啊|哇|救命|天[哪啊]|妈呀)+|我去|另外|顺便(?:说一下|提一下|说一句)?|说起来|先说一下|自我介绍一下|简单介绍一下|介绍一下自己|"
    r"补充一下|"
    r"更正一下|"
    r"不对|说错了|你(?:搞|弄|记)错了|不是的?|你说错了|好的?|谢谢|跟你说|告诉你(?:一下|个事)?|顺带一提|"
    r"哎呀?|唉|诶|还有|而且|不过|但是|所以|那|呀)[，,。！!：:、~～…\p{Extended_Pictographic} ]+)+"
)
_TAIL = compile_both(
    r"(?:[，,。！!~～ ]*(?:谢谢|谢啦|多谢|哈哈+|哈|啦|哦|呀|拜托了?|麻烦了|"
    r"辛苦了))+[。！!~～]*$"
)
EXPLICIT = compile_both(
    r"^(?:请|你|要|帮我|麻烦你?|一定要?|务必|千万|以后)*(?:记住|记一下|记下来?|记得|别忘了|不要忘记|"
    r"不要忘了|牢记|备注一下|记录一下|帮忙记)(?:这(?:一点|件事|个)|了|哦|一下)*[：:，,\s]*"
)
KEEP_IN_MIND = compile_both(
    r"(?:[，,。]\s*)(?:请|你|要|帮我|麻烦)*(?:记住|记一下|记下来|记好|别忘了|"
    r"牢记)(?:这(?:一点|件事|个)|了|哦|一下|吧)*[。！!]*$"
)
CHANGED = compile_both(
    "不再|改用|换|搬|已经?不|现在|升级|更新|其实|不是|改成|改为|改到|辞职|跳槽|离婚|分手|完成|结束|取消|"
    "升到|升至|迁到|迁至|迁移|切到|切换|转到|转用|推到|延[期到后]|挪到|调到|推迟|提前|升职|放弃|戒|入职|退休|毕业|卖掉|停用|弃用|不用了|不喝了|不吃了|搞错|更正|了$"
)
ANAPHORIC = compile_both(
    "^(?:它|他|她|这|那|其中|还有|而且|因为|所以|预算|状态|上次|之前|否则|不然|同时|"
    "并且|也|都|一共|共|原因|地点|时间|需要|另外)"
)
DETAIL = compile_both(
    r"^(?:还|另外|一共|总共|大概|大约)?(?:要|有|需要)?(?:预算|地点|场地|时间|日期|人数|费用|价格|地址|端口|版本|内存|系统|截止|参加|\d)"
)
CORRECTED = compile_both(
    r"^(?:(?:不对|不是|错了|说错了|打错了|抱歉|对不起|不好意思|更正|纠正|哦不|等等|啊|不|"
    r"呃)[，,。！!、\s]*)+(?:我)?(?:应该|其实|的意思|想说的?|说的)*(?:是|"
    r"改成)(?P<value>[^，。！？]+?)(?:才对|[，,].*)?[。！!]*$"
)
# "9 月 20 号" is written like "9月20号".
_SPACED_DATE = regex.compile(
    r"(?<=\d)\s+(?=[年月日号號点點])|(?<=\d[年月])\s+(?=\d)|(?<=\d\s[年月])\s+(?=\d)"
)
_JOINT = compile_both(r"\s*[，,；;]\s*")


def matchable(text: str) -> str:
    """The clause as the rules read it."""
    return simplified(text.lower().strip(" ，,。！!；;"))


def tidy(text: str) -> str:
    """The sentence without greetings, fillers and thanks."""
    text = _LEAD.sub("", _SPACED_DATE.sub("", text.strip()))
    text = KEEP_IN_MIND.sub("", text)
    return _TAIL.sub("", text).strip(" ，,。；;！!")


def clauses(text: str) -> list[Clause]:
    """The sentence cut at its commas."""
    found, start, joint = [], 0, ""
    for match in _JOINT.finditer(text):
        if match.start() > start:
            found.append(Clause(joint, text[start : match.start()]))
        start, joint = match.end(), "，" if match.group().strip() in "，," else "；"
    found.append(Clause(joint, text[start:]))
    return [clause for clause in found if clause.text]


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person, without its date."""
    speaker = statement.sentence.speaker
    owner = speaker or "用户"
    group = owner if companion or speaker else "用户团队"
    words = regex.sub(r"^(?:请|麻烦你?)(?=不要|别|务必|一律|用|以后)", "", statement.words.strip("，,；;"))
    told = third_person(words, owner=owner, group=group)
    return _with_owner(told, statement, owner)


_PERSONAL = frozenset(
    (
        "name",
        "work",
        "residence",
        "person data",
        "health",
        "preference",
        "routine",
        "life event",
        "plan",
        "constraint",
    )
)


def _with_owner(told: str, statement: Statement, owner: str) -> str:
    """Chinese leaves out the subject; a stored fact may not."""
    if (
        statement.kind in _PERSONAL
        and owner not in told
        and not regex.match(r"[\p{Han}]{2,6}(?:是|说)", told)
    ):
        return owner + told
    return told


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one."""
    head, *rest = bodies
    return "；".join([head, *(regex.sub(r"^(?:它|他|她|用户(?!的|团队|家))", "", body) for body in rest)])


PHRASING = Phrasing(
    language="zh",
    rule="用户规则：{text}",
    dated="截至{day}，{text}",
    noted="{text}（截至{day}）",
    unknown="{text}（日期不详，记于{day}）",
    action=compile_both("了|已|改|换|升级|迁移|部署|安装|配置|现在"),
    unknown_date=compile_both("不记得什么时候|不知道什么时候|好久以前|某个时候|前阵子"),
    past=compile_both("了|过"),
)

PACK = LanguagePack(
    code="zh",
    rules=RULES,
    noise=NOISE,
    explicit=EXPLICIT,
    keep_in_mind=KEEP_IN_MIND,
    changed=CHANGED,
    anaphoric=ANAPHORIC,
    corrected=CORRECTED,
    detail=DETAIL,
    matchable=matchable,
    guess=guess,
    tidy=tidy,
    clauses=clauses,
    render=render,
    join=join,
    finish=partial(finish_fact, PHRASING),
)
