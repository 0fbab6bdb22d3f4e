"""How people go on after they have asked to forget something: they point, choose, agree, call it off, take it back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from memoryapp.llm.language.requests import asked_to_forget, means_everything
from memoryapp.llm.language.wording import content_words, is_weak

_POLITE = r"(?:(?:please|pls|no|ok|okay|and|just|actually|can you|could you|oh|hm+|por favor|oye|y|bitte|und)[\s,]+)*"

_THANKS = r"(?:[\s,，]+(?:please|pls|thanks|thank you|por favor|gracias|bitte|danke|谢谢))*"


def _whole(*patterns: str) -> regex.Pattern[str]:
    """A sentence that is one of these and nothing else."""
    return regex.compile(rf"^\s*{_POLITE}(?:{'|'.join(patterns)}){_THANKS}[\s.!。！,，]*$", regex.IGNORECASE)


_THAT = _whole(
    r"(?:forget|delete|erase|remove|scratch|strike|unlearn|drop)(?: about)? (?:that|this|it|those|these|"
    r"the last one|all of "
    r"that|what you just (?:said|told me)|what i(?: have|'ve)? just (?:said|told you|wrote|mentioned))"
    r"(?: again| please|,? please| now| from (?:your )?memory)*",
    r"(?:olvida|olvide|borra|elimina) (?:eso|esto|lo anterior|lo último|lo que (?:acabo de (?:decir|"
    r"contar)(?:te)?|te "
    r"(?:acabo de decir|dije)))(?:,? por favor)?",
    r"(?:olvídalo|olvídate de eso|bórralo|elimínalo)(?:,? por favor)?",
    r"vergiss (?:das|es|dies)(?: bitte| wieder)*|lösch(?:e)? (?:das|es|dies)(?: bitte| wieder)*",
    r"(?:请|麻烦你?|帮我)*(?:把)?(?:这个|那个|这|那|它|这件事|那件事|刚才(?:的话|说的|那个|那句话?)?|刚刚说的)(?:话)?(?:给)?"
    r"(?:忘掉|忘了|忘记|删掉|删除|删了)(?:吧)?",
    r"(?:请|麻烦你?|帮我)*(?:忘掉|忘了|忘记|删掉|删除|删了)(?:这个|那个|这|那|它|这件事|那件事|刚才(?:说)?的(?:话)?|刚刚说的(?:话)?)?吧?",
    r"(?:それ|これ|今の(?:話|こと)?)(?:は|を)?(?:忘れて|消して|削除して)(?:ください|ね)?",
)
_CALL_OFF = _whole(
    r"never ?mind|nevermind|no|nope|nah|no thanks?|no thank you|cancel(?: that)?|don'?t|do not|stop|"
    r"leave (?:it|them|that)"
    r"(?: (?:alone|as it is|be))?|keep (?:it|them|both|all)(?: of them)?|none(?: of (?:them|these|those))?|"
    r"neither|nothing|"
    r"forget it|let it be|it'?s (?:fine|ok|okay)|don'?t forget (?:it|anything|them)|not (?:any|now)",
    r"no|déjalo|déjalo (?:así|estar)|no importa|da igual|nada|ningun[oa]|cancela(?:r|lo)?|mejor no|olvídalo|"
    r"no,? gracias|"
    r"no olvides nada",
    r"nein|egal|lass (?:es|gut sein|sein)|schon gut|abbrechen|keins?|nichts|doch nicht",
    r"算了(?:吧)?|不用了?|没事(?:了)?|取消|不了?|别(?:忘)?了?|不要了?|都不是|都不用|当我没说",
    r"いいえ|やっぱりいい(?:です)?|やめて|なんでもない(?:です)?",
)
_YES = _whole(
    r"(?:yes|yeah|yep|yup|sure|ok|okay|right|correct|exactly|of course|certainly|go ahead|do it|do that|"
    r"that'?s (?:it|right|"
    r"the one)|that one|this one|confirm(?:ed)?|yes,? (?:that(?: one)?|please|do|everything|forget (?:it|"
    r"that|them|everything)"
    r"|exactly|all of (?:it|them)))(?:,? please)?",
    r"s[ií]|sí,? (?:por favor|eso|ese|esa|todo|claro)|vale|claro|correcto|exacto|hazlo|adelante|de acuerdo|"
    r"es[ea]|confirmo",
    r"ja|ja,? (?:bitte|genau|das|alles)|genau|richtig|mach das|klar|stimmt",
    r"是的?|对的?|好的?|可以|嗯|确认|没错|就是(?:这个|它)|是这个|行|对[，,]?就是(?:这个|它)",
    r"はい|そうです|お願いします",
)
_ALL = _whole(
    r"(?:yes[\s,]+)?(?:forget )?(?:both|all|everything|all of (?:them|these|those|it)|each of them|"
    r"the (?:two|three|lot))"
    r"(?: of them)?(?:,? please)?",
    r"(?:sí[\s,]+)?(?:olvida )?(?:tod[oa]s?|amb[oa]s|l[oa]s dos|l[oa]s tres|todo eso)",
    r"(?:ja[\s,]+)?(?:alle[s]?|beide|alle davon)",
    r"(?:是的?[，,]?)?(?:全部|都|所有|两个都|两个|全都)(?:是|忘掉|忘了|忘记|删掉|要)?(?:吧)?",
    r"全部|両方",
)
_OTHER = _whole(
    r"(?:no[\s,]+)?(?:not (?:that|this)(?: one)?[\s,;.]*)?(?:(?:i mean(?:t)?|"
    r"rather)[\s,]+)?(?:the other(?: one)?|another one)"
    r"(?:,? please)?",
    r"(?:no[\s,]+)?not (?:that|this)(?: one)?|wrong (?:one|thing)|that was(?:n'?t it| not it| the wrong one)",
    r"(?:no[\s,]+)?(?:ese no|esa no|eso no)?[\s,]*(?:(?:es |era )?(?:el otro|la otra))|(?:no[\s,]+)?(?:ese|"
    r"esa|eso) no",
    r"(?:nein[\s,]+)?(?:nicht (?:das|dies(?:es)?)[\s,]*)?(?:das andere|die andere|der andere|den anderen)",
    r"(?:不[，,]?|不是(?:这个|那个|它)?[，,]?)?(?:我说的)?(?:是)?(?:另一个|另外(?:那)?个|另一条|另外一个|另外那个|别的那个)",
    r"不是(?:这个|那个|它)|错了|弄错了",
    r"(?:いいえ[、,]?)?(?:別の|もう一つの)(?:ほう|方|やつ)?(?:です)?",
)
_TAKE_BACK = _whole(
    r"undo(?: (?:that|it|this))?|take (?:that|it) back|i take (?:that|it) back|bring (?:it|that|them) back|"
    r"restore (?:it|that|"
    r"them)|put (?:it|that|them) back|(?:please )?remember (?:it|that) again|un-?forget (?:it|that)?|"
    r"revert(?: that| it)?",
    r"deshaz(?:lo)?|deshacer|deshaz eso|recupéralo|restáuralo|devuélvelo|vuelve a recordarlo",
    r"rückgängig(?: machen)?|mach das rückgängig|hol (?:es|das) zurück",
    r"撤销|撤回|恢复|还原|恢复(?:它|回来)|收回|取消遗忘",
    r"元に戻して(?:ください)?|取り消し(?:て)?",
)
_WISHES = tuple(
    regex.compile(pattern, regex.IGNORECASE)
    for pattern in (
        r"^(?:please |so |and |ok |hey )*(?:i (?:want|need|ask)|i(?:'d| would) (?:like|love|want)) you to "
        r"(?:please )?(?:forget|delete|erase|remove)(?: about)? (?P<what>.+)$",
        r"^(?:please |can you |could you |would you )*mind forgetting(?: about)? (?P<what>.+)$",
        r"^(?:please |i think |maybe )*i(?:'d| would) (?:rather|prefer|"
        r"like it)(?: it)?(?: if)? you (?:forgot|forget)"
        r"(?: about)? (?P<what>.+)$",
        r"^i (?:don't|do not) want you to (?:remember|know|keep)(?: about)? (?P<what>.+?)(?: any ?more|"
        r" any longer)?$",
        r"^(?:please )?(?:don't|do not) remember (?P<what>.+?) (?:any ?more|any longer)$",
        r"^(?:please |can you |could you |would you )*(?:delete|erase|remove|wipe) (?P<what>(?:my|our) .+)$",
        r"^(?:can|could|would|will) you (?:please )?forget(?: about)? (?P<what>.+)$",
        r"^(?:por favor,? )?(?:quiero|quisiera|necesito|me gustaría|prefiero|"
        r"preferiría) que (?:te )?olvid(?:es|aras|ases)"
        r"(?: de)? (?P<what>.+)$",
        r"^(?:por favor,? )?(?:ya )?no (?:me )?recuerdes (?:más )?(?P<what>.+?)(?: más)?$",
        r"^¿?(?:puedes|podrías|te importa(?:ría)?) olvidar(?:te de)? (?P<what>.+)$",
        r"^(?:bitte )?vergiss,? (?:bitte,? )?dass (?P<what>.+)$",
        r"^ich (?:möchte|will),? dass du (?P<what>.+) vergisst$",
        r"^(?:kannst|könntest) du (?:bitte )?(?P<what>.+) vergessen$",
        r"^(?:请|麻烦|我想|我要|我希望)*(?:让|要)?你?(?:把|将)(?P<what>.+?)(?:给)?(?:忘掉|忘了|忘记|删掉|删除)(?:吧|好吗)?$",
        r"^(?:请|麻烦|我想|我要|我希望)*(?:让|要)?你(?:忘掉|忘了|忘记)(?P<what>.+?)(?:吧|好吗)?$",
        r"^(?:请|你)*(?:别再|不要再|不用再|不必再)(?:记得|记住|记着)(?P<what>.+?)(?:了)?$",
    )
)
_FROM_MEMORY = regex.compile(
    r"\s*(?:,? please| (?:out of|from) (?:your|the) memory| any ?more| for good| completely| again|,? por favor"
    r"|(?:的)?(?:这件事|这事|事情|记忆|记录|信息))+$",
    regex.IGNORECASE,
)
_ALL_OF_IT = regex.compile(
    r"^(?:(?:everything|anything|all(?: of it)?)(?: (?:that )?(?:you (?:know|remember|have)|"
    r"there is))?(?: (?:about|on|of) "
    r"(?:me|us))?|me|all about me|my (?:whole |entire )?(?:data|memor(?:y|ies))|todo(?: lo que (?:sabes|"
    r"recuerdas))?"
    r"(?: (?:de|sobre) m[ií])?|m[ií]|alles(?: (?:über|von) mich?)?|mich|(?:关于)?我(?:的)?(?:一切|所有|"
    r"全部)?(?:的?(?:事|事情|"
    r"信息|记忆))?|(?:所有|一切|全部)(?:关于我)?(?:的?(?:事|事情|信息|记忆))?)$",
    regex.IGNORECASE,
)
_ORDINALS = (
    r"\b(?:1|1st|first|one|primer[oa]?|uno|erste[rns]?|eins)\b|第一|一号|^\s*一",
    r"\b(?:2|2nd|second|two|segund[oa]|dos|zweite[rns]?|zwei)\b|第二|二号|^\s*二",
    r"\b(?:3|3rd|third|three|tercer[oa]?|tres|dritte[rns]?|drei)\b|第三|三号|^\s*三",
    r"\b(?:4|4th|fourth|four|cuart[oa]|cuatro|vierte[rns]?|vier)\b|第四|四号|^\s*四",
    r"\b(?:5|5th|fifth|five|quint[oa]|cinco|fünfte[rns]?|fünf)\b|第五|五号|^\s*五",
)
_NUMBERS = tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in _ORDINALS)
_LAST = regex.compile(r"\b(?:last|últim[oa]|letzte[rns]?)\b|最后", regex.IGNORECASE)
# “one” of “the second one” or “the last one” counts nothing.
_ONE = regex.compile(
    r"(?<=\b(?:1st|2nd|3rd|4th|5th|first|second|third|fourth|fifth|last|the|that|this)\s)ones?\b",
    regex.IGNORECASE,
)
_SENTENCE_END = regex.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
MOST_WORDS = 12


def _heard(text: str) -> str:
    return text.strip().replace("’", "'").strip('"“”')


@dataclass(frozen=True, slots=True)
class Request:
    """One sentence that asks to forget something: what, and whether all there is about it."""

    sentence: str
    what: str
    everything: bool = False

    @property
    def means_person(self) -> bool:
        """Whether it is all that is known of whoever asks."""
        return bool(_ALL_OF_IT.match(self.what)) or (self.everything and not content_words(self.what))


def sentences_of(text: str) -> list[str]:
    """The sentences of a message, none of them blank."""
    return [sentence for sentence in _SENTENCE_END.split(text) if sentence and sentence.strip()]


def request_in(sentence: str) -> Request | None:
    """What a sentence asks to be forgotten; None when it asks for nothing of the kind."""
    heard = _heard(sentence).rstrip(".!?。！？ ")
    what = asked_to_forget(heard)
    if not what:
        found = (wish.match(heard) for wish in _WISHES)
        what = next((match["what"] for match in found if match), "")
    what = _FROM_MEMORY.sub("", what.strip()).strip()
    if not what or calls_off(heard) or points_back(heard):
        return None
    return Request(sentence, what, means_everything(heard))


def points_back(text: str) -> bool:
    """Whether the sentence asks to forget “that”, whatever was just spoken of."""
    return bool(_THAT.match(_heard(text)))


def calls_off(text: str) -> bool:
    """Whether an answer lets the matter be."""
    return bool(_CALL_OFF.match(_heard(text)))


def agrees(text: str) -> bool:
    """Whether an answer says yes and nothing else."""
    return bool(_YES.match(_heard(text)))


def means_all(text: str) -> bool:
    """Whether an answer chooses everything that was named."""
    return bool(_ALL.match(_heard(text)))


def means_other(text: str) -> bool:
    """Whether an answer says that it was not this but the other."""
    return bool(_OTHER.match(_heard(text)))


def takes_back(text: str) -> bool:
    """Whether somebody wants back what was just forgotten."""
    return bool(_TAKE_BACK.match(_heard(text)))


def chosen_among(text: str, named: Sequence[str]) -> list[int]:
    """The places of those among the named that an answer chooses, by number or by words only they have."""
    heard = _heard(text)
    if means_all(heard):
        return list(range(len(named)))
    if len(heard.split()) > MOST_WORDS:
        return []
    return _by_words(heard, named) or _by_number(heard, len(named))


def _by_number(heard: str, count: int) -> list[int]:
    if _LAST.search(heard):
        return [count - 1] if count else []
    counted = _ONE.sub("", heard)
    return [place for place, number in enumerate(_NUMBERS[:count]) if number.search(counted)]


def _by_words(heard: str, named: Sequence[str]) -> list[int]:
    words = [frozenset(word for word in content_words(text) if not is_weak(word)) for text in named]
    everywhere = frozenset.intersection(*words) if words else frozenset()
    said = content_words(heard) - everywhere
    shared = [len(said & own) for own in words]
    best = max(shared, default=0)
    return [shared.index(best)] if best and shared.count(best) == 1 else []
