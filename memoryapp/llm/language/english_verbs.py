"""English verb forms, as far as turning a first person into a third needs them."""

from __future__ import annotations

from memoryapp.llm.language.wordlists import pairs, words

UNCHANGED = words(
    # Modals and pasts; some of these pasts look like the base form (set, put, cut), so those stay as they are too.
    "can can't cannot could couldn't will won't would wouldn't shall should shouldn't must mustn't may "
    "might mightn't "
    "ought used was wasn't were did didn't had hadn't went got made took came saw knew thought found gave "
    "told felt "
    "left kept began brought bought built broke chose drove ate fell forgot grew heard held led lost met "
    "paid ran said "
    "sold sent slept spent spoke stood taught threw understood wrote won wore became caught drew flew hid "
    "hung lent rode "
    "rose sang sat shook shot sank stole stuck struck swam swore tore woke bore dealt dug fed fled froze "
    "laid lay meant "
    "rang sought shone spun sprang stung swept withdrew swung blew bit bent bound bred overcame mistook "
    "undertook redid "
    "rebuilt rewrote reset set put cut cost let hit shut read split bet spread upset quit hurt burst "
    "learnt burnt "
    "dreamt spelt gonna gotta wanna better"
)

BASE_ENDING_IN_ED = words("need feed speed bleed breed seed weed exceed proceed succeed embed shed wed")

IRREGULAR_THIRD = pairs(
    "am=is are=is have=has do=does go=goes don't=doesn't haven't=hasn't aren't=isn't were=was "
    "weren't=wasn't ain't=isn't undergo=undergoes"
)

ADVERBS = words(
    "just really also always never usually often sometimes still only already now even both mainly mostly "
    "generally "
    "typically normally rarely hardly seldom absolutely definitely totally finally recently currently "
    "actually honestly "
    "personally probably certainly truly simply basically literally kinda sorta so once twice then first "
    "myself fully "
    "originally formerly previously initially deliberately officially happily proudly strongly strictly "
    "very much far "
    "firmly greatly slightly fairly regularly occasionally constantly all not no longer soon ever last "
    "least most best"
)

# Verbs that people use of themselves; after "and" they are taken for verbs although the subject is left out.
COMMON = words(
    "am have do go work live like love hate prefer use run own lead teach study play sing swim hike climb "
    "cycle ride "
    "drive fly travel commute write read draw paint cook bake eat drink smoke sleep wake keep need want "
    "wish plan hope "
    "try aim intend build make design develop code program manage maintain handle organise organize host "
    "deploy ship "
    "sell buy pay earn save collect grow raise speak know understand learn train coach help take bring "
    "carry get give "
    "start stop begin finish end stay move visit meet see watch listen talk call write send report answer "
    "review check "
    "test debug fix repair restore practise practice perform record edit translate publish volunteer "
    "attend avoid "
    "enjoy adore dislike loathe feel think believe remember forget find tend belong come wear share split "
    "walk jog "
    "skate ski sail row fish hunt camp garden knit sew weave carve rent lease consult freelance "
    "specialise specialize "
    "focus supervise oversee coordinate direct produce look can't"
)


def third_person_verb(verb: str) -> str:
    """The verb as it stands after he or she; pasts, modals and adverbs come back unchanged."""
    lower = verb.lower()
    if lower in IRREGULAR_THIRD:
        return IRREGULAR_THIRD[lower]
    if lower in UNCHANGED or is_adverb(lower):
        return verb
    if lower.endswith("ed") and lower not in BASE_ENDING_IN_ED:
        return verb
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if lower.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def is_adverb(word: str) -> bool:
    """Whether the word may stand between a subject and its verb."""
    lower = word.lower()
    return lower in ADVERBS or (
        lower.endswith("ly") and lower not in ("rely", "apply", "reply", "supply", "fly")
    )
