"""English: orders that come round again, and wishes that name the occasion they hold for."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import WEEKDAY, one_of
from memoryapp.llm.backends.offline.statements import rules

_ROUND = (
    rf"(?:(?:every|each) (?:single |other |second |first |last |third |working |school )?(?:{WEEKDAY}|day|"
    r"morning|evening|night|week|weekday|weekend|month|year|quarter|hour|afternoon|spring|summer|autumn|"
    rf"winter|two \w+)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|on (?:weekdays|weekends|"
    rf"workdays|"
    r"school days)|on the \w+(?: \w+)? (?:of|in) (?:every|each|the) (?:week|month|quarter|year)|once an? "
    r"(?:day|week|month|year|quarter)|twice an? (?:day|week|month|year)|"
    r"(?:daily|weekly|monthly|quarterly|nightly)\b(?! (?:report|standup|meeting|newsletter|backup)))"
)
_ORDER = one_of(
    "send give show tell remind email mail text message post write draft prepare make put check print file "
    "book order copy forward ping call ring wake read summari[sz]e list archive clean tidy back_up run "
    "update export share compile collect let run review water feed lock"
)

RHYTHMS = rules(
    "rule", "rule",
    # "Every Thursday at 17:00 send me the open invoices"
    rf"^(?:and |so )?(?:please )?(?:at [^,]{{2,20}} |by [^,]{{2,20}} )?{_ROUND}(?: (?:at|by|before|around|"
    rf"after|in|"
    rf"from|on) [^,]{{1,25}}?)?,? (?:please |just |always |can you |i want you to |i would like you to "
    rf")*{_ORDER} "
    r"(?:me|us|the|a|an|my|our|all|what|out|in|up|everybody|everyone|it|them|this)\b",
    # "Send me the open invoices every Thursday"
    rf"^(?:and )?(?:please |can you |could you |i want you to |i would like you to )*{_ORDER} (?:me|us|the|"
    rf"a|an|my|"
    rf"our|all|out|everybody|everyone)\b(?!.*\b(?:today|now|this (?:time|once|week))\b).*\b{_ROUND}",
    # "Send me one summary on Monday at eight, because …": a reason makes an arrangement of it.
    rf"^(?:and )?(?:please )?{_ORDER} (?:me|us) (?:only |just )?(?:one|a|an|the|my|our|"
    rf"all)\b(?!.*\b(?:today|tomorrow|"
    rf"now|this|next)\b).*\bon {WEEKDAY}\b.*\b(?:because|since|so that|as i|as we|otherwise)\b",
    # "We water the beds on even days only"
    r"^(?:i|we) (?!am\b|are\b|was\b|were\b)\w+ .*\bon (?:even|odd|alternate|working|week|school|market|"
    r"\w+days?)\b[\w ]{0,12} only\b",
    # "I want a short report every Friday"
    rf"^(?:i|we) (?:want|need|expect|would like|would love) (?:a|an|the|my|our|all)\b.*\b{_ROUND}",
    opens=True, directive=True,
)  # fmt: skip
