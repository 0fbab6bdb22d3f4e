"""What people ask of a memory: to remember, not to remember, to forget."""

from __future__ import annotations

import regex

from memoryapp.llm.language.han import compile_both

_WITHHOLD = compile_both(
    # English
    r"(?<!\b(?:i|we|they) )\b(?:do not|don'?t|dont|never|no need to|please not|must not|"
    r"without) (?:you )?(?:ever )?(?:remember|save|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?|memori[sz]e|"
    r"log(?:ging)?|not(?:e|ing)|keep(?:ing)?|"
    r"writ(?:e|ing) (?:this|that|it|any of this) down|put (?:this|that|it) in (?:your )?memory|"
    r"add (?:this|that|it) to (?:your )?memory)(?: (?:this|that|it)\b(?! (?:to|in|on|onto|into|under|at|as|"
    r"from|with) (?!any\b|(?:your |the |my |an? )?(?:memor|profile|notes?\b|record|mind|fact)))|"
    r" (?:any of (?:this|that|it)|what i|"
    r"anything|the following|"
    r"my (?:next|last)|these|those)\b|\s*[:,.]|$)|"
    r"\boff the record\b|\b(?:just |strictly |only )?between (?:us|you and me|the two of us|ourselves)\b|"
    r"\bkeep (?:this|that|it) (?:to yourself|between us|confidential|private|secret|"
    r"out of (?:your )?memory)\b|"
    r"\bnot for (?:the record|your memory|storage)\b|\b(?:this|that|it) (?:is|stays|"
    r"should stay) (?:confidential|off the record|between us)\b|\bforget (?:that )?i (?:just )?(?:said|"
    r"mentioned|told you|asked)\b|"
    r"\bforget what i (?:just )?(?:said|told you|wrote)\b(?! about)|\b(?:should|must|"
    r"need) not be (?:stored|saved|remembered|recorded|kept)\b|\bnothing of this (?:should|must|may) be\b|"
    # Spanish
    r"\b(?:no|sin)(?: (?:lo|la|los|las))? (?:guard(?:es|e|éis|ar)|recuerd(?:es|e)|record(?:éis|ar)|"
    r"memoric(?:es|e)|registr(?:es|e|ar)|apunt(?:es|e|ar)|anot(?:es|e|ar)|almacen(?:es|e|ar)|conserv(?:es|"
    r"e)|grab(?:es|e))(?:lo|la)?"
    r"(?: (?:esto|eso|nada|lo que|lo siguiente|est[ea]|es[ea])\b|\s*[:,.]|$)|\bentre (?:nosotros|tú y yo|"
    r"nosotras)\b|\bextraoficial\w*|\bque (?:esto )?quede entre\b|\bno (?:hace falta|"
    r"es necesario) que lo (?:recuerdes|guardes)\b|"
    r"\b(?:esto|eso) (?:no )?(?:es confidencial|es off the record)\b|\bolvida lo que (?:acabo de|te)\b|"
    # German
    r"\b(?:merk|speicher|notier|behalt|schreib)e? (?:dir )?(?:das|dies|"
    r"es)?\s*(?:bitte )?(?:hier )?nicht\b|\b(?:bitte )?nicht (?:merken|speichern|notieren|aufschreiben|"
    r"festhalten)\b|\bunter uns\b|\bvergiss,? was ich\b|"
    # Chinese and Japanese
    r"(?:不要|别|请勿|不用|无需|勿|千万别|甭|莫|不必)(?:把(?:这|那|它)\S{0,6})?(?:帮我|给我|替我|"
    r"再)?(?:记|存|保存|记录|记住|记下|存储|留存|储存|写进|写入|放进)|仅限我们|不要外传|(?:你我|我们)之间|"
    r"保密|当我没说|"
    r"(?:覚え|記憶し|保存し|記録し|メモし|残さ)ない?で|ここだけの話|オフレコ|忘れてください|内緒",
    regex.IGNORECASE,
)  # fmt: skip
_KEEP = compile_both(
    r"(?<!do you |don't you |did you |n't |n’t |dont |never |not |can't |cannot |i |to |i'll )\b(?:remember|"
    r"keep in mind|"
    r"bear in mind|don'?t forget|do not forget|never forget|take note|make a note|for future reference|"
    r"note (?:that|this|down)|memori[sz]e|"
    r"add (?:this|that|it) to (?:your )?memory|save (?:this|that) (?:for|to))\b|"
    r"\b(?:recuerda|recuerde|acuérdate|ten en cuenta|tenga en cuenta|no olvides|no te olvides|apunta|"
    r"anota|toma nota|memoriza|guarda (?:esto|que))\b|"
    r"\b(?:merk dir|merke dir|denk daran|vergiss nicht|notiere?|behalte)\b|"
    r"(?<!不)(?<!你还?)(?:请|帮我|一定要|麻烦)?(?:记住|记一下|记下来|记得(?!.*吗)|别忘了|不要忘记|牢记|备注一下)|"
    r"覚えて(?:おいて|ください|ね)|忘れないで|メモして",
    regex.IGNORECASE,
)  # fmt: skip
_MEMORY = (
    r"(?:memor(?:y|ies)|notes?|records?|profile|facts?|what you (?:know|remember|have|stored|saved)|"
    r"everything (?:you|about)|anything (?:you|about)|all (?:you know|about|mentions?|memories))"
)
_FORGET = (
    compile_both(
        r"^(?:我)?(?:(?:之前|以前|刚才|上次)?(?:跟|和|对)?你?(?:说|讲|提|聊|告诉你?)过?的)?(?:那个|关于|那件)?(?P<what>(?!算了|好[的了吧]|没事|"
        r"那就|这[，,])[^，,]{2,24}?)(?:的?(?:这|那)?(?:件事|"
        r"条|事儿?))?[，,](?:请|麻烦|你|就|都|帮我|也)*(?:忘了|忘掉|忘记|删了|删掉|删除|抹掉)(?:它|掉)?(?:吧|好了|就行|就好)[。！]?$"
    ),
    compile_both(
        r"^(?:lo|eso|aquello) (?:del? |de (?:la|las|los|mi|mis) |de que )(?P<what>[^,]{3,60}?)(?: que te "
        r"(?:conté|dije|comenté|"
        r"he \p{L}+))?, (?:por favor,? |ya |mejor )*(?:olv[íi]dalo|b[óo]rralo|elim[íi]nalo|qu[íi]talo)\b.*$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:关于|有关|至于)(?P<what>\S+?)(?:的(?:这件事|事情|事儿?|信息|记忆|那些|这些|东西|内容|所有|一切)+)?[，,](?:请|麻烦|你|全部?|都|统统|"
        r"也)*(?:删掉|删除|删了|忘掉|忘了|"
        r"忘记|清除|抹掉)(?:吧|它)?[。！]?$"
    ),
    compile_both(
        r"^(?:(?:por favor|y|oye)[\s,]+)*(?:quiero|necesito|te pido|me gustaría|preferiría) que (?:olvides|"
        r"borres|elimines|olvide|borre|elimine)\s+(?P<what>\S.*)$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:(?:please|pls|can you|could you|would you|i want you to|i'd like you to|you can|you should|"
        r"kindly|now|and|also|ok|okay|actually|just)[\s,]+)*"
        r"(?:forget|unlearn)\s+(?:about\s+)?(?P<what>(?!it\b[\s.!]*$|that\b[\s.!,]*$|this\b[\s.!]*$|"
        r"about it\b)(?:that\s+)?\S.*)$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:(?:please|pls|can you|could you|i want you to|kindly|now|and|also|ok|"
        r"just|you can|you may|you should|let's|let us)[\s,]+)*(?:delete|erase|remove|drop|wipe|clear|"
        r"scrub|purge|strike|"
        r"cross out|take|get rid of|throw (?:away|"
        rf"out))\s+(?P<what>.*\b{_MEMORY}\b.*|"
        r".*\bfrom (?:your |the )?memory\b.*)$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:(?:please|pls|can you|could you|i want you to|kindly|now|and|also|ok|just|you can|you may|"
        r"you should|"
        r"let's|let us)[\s,]+)*"
        r"(?:delete|erase|remove|drop|wipe|scrub|strike|discard|scratch|let go of|get rid of)\s+"
        r"(?P<what>(?:that|what (?:i|we) (?:said|told you|wrote|mentioned)(?: about)?|the (?:fact|part|"
        r"bit|thing|note|stuff|bits|things|"
        r"entry|memory|information|detail)s? (?:that|about|where|on|of|with)|(?:all|any) (?:mention|trace) "
        r"of) "
        r"(?:i|i'm|i've|i'd|we|we're|we've|my|our|me|us)\b.*)$",
        regex.IGNORECASE,
    ),
    compile_both(r"^(?:you (?:can|may|should) )?(?:no longer|stop) (?:need to )?(?:remember(?:ing)?|"
                  r"keep(?:ing)?|stor(?:e|ing))\s+(?P<what>.+)$", regex.IGNORECASE),
    compile_both(
        r"^(?:(?:por favor|y|oye|puedes|ya puedes)[\s,]+)*(?:olv[íi]d[áa]te de|olvida|olvide|olvidar(?:te "
        r"de)?|olvidá|borrar|eliminar|quita(?= lo de)|b[óo]rra(?:me)?(?= lo de)|"
        r"borra de tu memoria|elimina de tu memoria|borra lo que sabes (?:de|sobre)|"
        r"elimina lo que sabes (?:de|sobre)|borra|elimina)\s+"
        r"(?P<what>(?!lo que (?:acabo|te)|eso\b[\s.!]*$|esto\b[\s.!]*$|lo\b[\s.!]*$|(?:el|la|los|las|este|"
        r"esta|ese|esa) (?:archivo|fichero|línea|rama|carpeta|mensaje|correo|commit|tabla|fila|"
        r"párrafo))\S.*)$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:(?:bitte|und|kannst du|ja)[\s,]+)*(?:vergiss|lösch(?:e)? (?:aus deinem gedächtnis|"
        r"was du über))\s+(?:bitte,?\s+)?(?P<what>(?!nicht\b|es\b[\s.!]*$|das\b[\s.!]*$|was ich)\S.*)$",
        regex.IGNORECASE,
    ),
    compile_both(
        r"^(?:请|麻烦(?:你)?|帮我|可以|你)*(?:忘掉|忘记|忘了|删掉|删除|清除|抹掉)(?!了|说|告诉|讲|提|跟你|和你|带|拿)(?!.*(?:之前|以前|前[先要都]|都要|"
        r"先问))(?P<what>(?!这|那|"
        r"它|吧|刚才)\S.*?)(?:吧|的?(?:记忆|记录|信息))?[。！]?$"
    ),
    compile_both(r"^(?:请|麻烦(?:你)?|帮我)*(?:把|将)(?:关于)?(?P<what>\S+?)(?:的)?(?:这件事|事情|事|"
                  r"信息|记忆|记录|[那这](?:条|个|段|句)(?:记录|记忆|话|信息)?)?(?:给|都)?(?:忘掉|忘记|忘了|删掉|删除|删了|删去|"
                  r"清除|抹掉|去掉|划掉)(?:吧|了吧|了)?(?:[，,](?:本来|原本|当初|不该|不用|不必|不要|别|没必要|已经|那|我|谢谢|"
                  r"麻烦|不需要)[^，,]*)?[。！]?$"),
    compile_both(r"^(?P<what>\S+?)(?:の(?:こと|件|記憶|情報))?(?:を|は|について)?(?:忘れて|消して|"
                  r"削除して)(?:ください|ね|くれ)?[。！]?$"),
)  # fmt: skip
_EVERYTHING = compile_both(
    r"\b(?:everything|anything|all|todo|alles)\b|所有|全部|一切|すべて|全て", regex.IGNORECASE
)
_ABOUT = compile_both(
    r"^(?:what i (?:told you|said|wrote|mentioned) about|that|what you (?:know|remember)(?: about)?|"
    r"everything (?:you know |you remember |you have )?(?:about)?|anything about|all (?:you know )?about|"
    r"the (?:fact|part|bit|thing|stuff|note|entry|memory|information|detail)s? (?:that|about|where|on|of|"
    r"with)|"
    r"(?:all|any) (?:mention|trace) of|about|"
    r"lo de que|lo de|que|todo lo (?:que sabes )?(?:de|sobre)|dass|关于|有关)\s*",
    regex.IGNORECASE,
)
_SENTENCE_END = compile_both(r"(?<=[.!?。！？])\s*|\n+")
_AFTERWARDS = compile_both(
    r",\s*(?:that|it|this|please|i|and|eso|por favor|das|bitte)\b.*$|[，,].*$", regex.IGNORECASE
)


def asks_not_to_remember(text: str) -> bool:
    """Whether the message says that it, or what came just before it, must not be kept."""
    return bool(_WITHHOLD.search(text.replace("’", "'")))


def asks_to_remember(text: str) -> bool:
    """Whether the message asks for something to be kept."""
    return bool(_KEEP.search(text.replace("’", "'"))) and not asks_not_to_remember(text)


def asked_to_forget(sentence: str) -> str:
    """What the sentence asks to be forgotten; empty when it asks for nothing of the kind."""
    sentence = sentence.strip().replace("’", "'").rstrip(".!")
    for pattern in _FORGET:
        match = pattern.match(sentence)
        if match:
            what = _AFTERWARDS.sub("", match["what"].strip())
            return _ABOUT.sub("", what) or what
    return ""


def all_asked_to_forget(text: str) -> list[str]:
    """What the sentences of a message ask to be forgotten, one after the other."""
    asked = [asked_to_forget(sentence) for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    return [what for what in asked if what]


def means_everything(sentence: str) -> bool:
    """Whether a request to forget means all there is about its subject."""
    return bool(_EVERYTHING.search(sentence))
