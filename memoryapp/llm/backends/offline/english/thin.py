"""English: remarks that are true of everybody, or of a picture just shown, and say too little to be of use."""

from __future__ import annotations

from memoryapp.llm.backends.offline.statements import noise

_LIKING = (
    r"^(?:i|we) (?:\w+ly |just |also |do |so |still |can not help but )*(?:love|loved|like|liked|enjoy|"
    r"enjoyed|"
    r"adore|adored)"
)
# What tells more than the liking: a figure, a rhythm, a reason.
_TELLING = (
    r"(?!.*(?:\d|\b(?:because|since|every|each|always|daily|weekly|prefer|instead|rather|more than|over|"
    r"mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?\b|\bmy (?:mother|father|mum|mom|dad|aunt|uncle|sister|"
    r"brother|wife|husband|daughter|son|grand\w+|dog|cat)\b))"
)
_SHOWN = (
    r"(?:colou?rs?|details?|vibes?|scenery|scene|sky|leaves|view|views|look|pattern|patterns|texture|shading|"
    r"sunset|lighting|background|design|artwork|painting|drawing|photo|picture|pic|image|expression|"
    r"atmosphere|"
    r"ambience|energy|spirit|freedom|connection|attitude|frosting|decorations?|setup|glow|contrast)"
)

THIN = (
    *noise(
        "utility",
        "a remark on what was just shown",
        rf"{_LIKING} {_TELLING}(?:all |both )?(?:the|this|that|these|those|its) (?:[\w'-]+ "
        rf"){{0,3}}{_SHOWN}\b",
        rf"{_LIKING} (?:all )?(?:the way|how) (?!you (?:answer|write|reply|explain))",
        r"^(?:just )?(?:check out|look at|take a look at|have a look at) (?:this|these|that|those|my|the)\b",
    ),
    *noise(
        "utility",
        "too general to be of use",
        rf"{_LIKING} {_TELLING}(?:being|spending time|spending|having|hanging out|hanging|getting together|"
        rf"seeing|"
        r"meeting)\b.*\b(?:friends?|family|people|loved ones|others|everyone|each other|fun|great time|"
        r"good time|"
        r"little ones)\b",
        r"^(?!.*\b(?:i|i am|my|me|we|our|us|mine)\b)(?!(?:nothing|something|everything)\b)\w+ing\b.* (?:is|"
        r"are|can be|"
        r"makes?|helps?|leads?) (?:so |very |really |super |always |just |also |pretty |the )*(?:important|"
        r"key|vital|"
        r"essential|a must|crucial|worth it|a big difference|all the difference|you|us|to|everything)\b",
        r"^(?:always )?(?:believe in|stay positive|be yourself|follow your|trust the process|live (?:life|"
        r"every)|"
        r"enjoy (?:life|every|the (?:little|journey))|never stop (?:learning|dreaming))\b",
        r"\bis a must(?:[- ](?:visit|see|read|try|have|watch))?\b(?! (?:for me|for us|in my|in our|at ours))"
        r"(?!.*\b(?:i|my|we|our)\b)",
        r"^(?:something|some) (?:\w+ )?(?:stuff |things? |news )?(?:has |have |is |are )?(?:been "
        r")?(?:happened|"
        r"happening|going on|came up|exciting|interesting|funny|weird)\b(?!.*:)",
        r"^(?:i|we) (?:have |got |have got )*(?:some |a few |lots of |a lot of |so much )?(?:\w+ )?news(?: "
        r"to share| to "
        r"tell)?$",
        r"^(?:kudos|props|hats off|respect|well done|bravo|congrats|congratulations)\b",
        r"^always (?:so |very |really )?(?:calm|peaceful|relaxing|busy|ready|happy|excited|smiling|"
        r"delicious|tasty|"
        r"beautiful|cozy|cosy|quiet|loud|fun|nice|sunny|worth|full|crowded)\b",
        r"\b(?:talk|talking|talked|speak|speaking|spoke|chat|chatting|catch up) (?:to|with) you\b(?! "
        r"(?:about|only|in|on))",
        r"^(?:take care|catch you|see ya|see you|talk soon)\b",
        r"^(?:\w+ )?(?:week|day|month|year|life)(?:['’]s| has| is) (?:been )?(?:busy|crazy|great|good|"
        r"hectic|wild|hard|"
        r"tough|awesome)$",
    ),
)  # fmt: skip
