"""English: what people say to be polite, to cheer and to praise, of which nothing is worth keeping."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.nouns import one_of
from memoryapp.llm.backends.offline.statements import noise

_STATE = one_of(
    "tired hungry thirsty bored busy late sleepy exhausted back here ready done finished stuck lost "
    "confused fine ok okay good great "
    "sorry glad happy sad excited afraid curious sure impressed surprised amazed shocked annoyed cold hot "
    "sweaty wet online offline afk "
    "listening waiting looking wondering asking thinking trying_to_understand kidding joking serious "
    "all_set all_ears not_sure unsure "
    "in_a_hurry in_a_meeting in_a_rush on_the_phone on_my_way on_the_way on_the_bus on_the_train about_to "
    "going_to_bed off_to_(?:bed|work|sleep|lunch|dinner)"
)

SMALL_TALK = noise(
    "utility",
    "small talk",
    r"^(?:thanks?|thank you|thx|cheers|ta|much appreciated|appreciate it|perfect|great|nice|awesome|cool|"
    r"wow|ok(?:ay)?|k|sure|yes|yep|yeah|yup|no|nope|nah|right|exactly|indeed|good|"
    r"got it|understood|alright|all right|fine|sounds good|makes sense|fair enough|agreed|brilliant|"
    r"lovely|sweet|amazing|excellent|done|hm+|uh+|ah+|oh+|ha(?:ha)+|lol|lmao|sir|bye|goodbye|"
    r"good (?:morning|afternoon|evening|night|day)|hi|hey|hello|yo|sup|greetings|see you|later|"
    r"welcome back|congrats|you're welcome|no problem|no worries|never ?mind|go ahead|please do|will do|"
    r"same here|me too|"
    r"works now|that worked|that works|it works(?: now)?|it worked|it went through|still the same|"
    r"that is (?:all|it|right|fine|great|perfect|correct|better|exactly what i needed))\b"
    r"(?:[,!. ]+(?:thanks?|thank you|thx|please|sir|mate|man|again|so much|a lot|very much|there|all|then|"
    r"now|go ahead|do it|that'?s? (?:is )?(?:exactly )?(?:what i needed|great|perfect|all|it)|"
    r"you saved me [\w ]+|for [\w ]+))*[,!. ]*$",
    r"^(?:how are you|how is it going|how do you do|what is up|nice to meet you|pleased to meet you|"
    r"have a (?:nice|good|great)|hope you)\b",
    r"^(?:i am|we are) (?:(?:so|really|very|just|a bit|a little|kind of|totally|quite|super|too|still|all|"
    r"pretty|feeling|also|now|not|getting|such) )*" + _STATE + r"\b(?! (?:for|at|on|with|in) (?!this|that|"
    r"it|you|now|the|a|my)\w+)",
    r"^(?:(?:i|we) )?(?:really |truly |so |always )*appreciate (?:you|your|it|that|this|the|all|"
    r"everything)\b",
    r"^(?:you are|you're|you were|your) (?:so |very |really |such |the |too |a |an |answers? |"
    r"pretty )*(?:funny|great|awesome|amazing|best|smart|helpful|kind|sweet|welcome|good|slow|wrong|right|"
    r"angel|lifesaver|star|genius|idiot|useless|bot|robot|wonderful|nice|clever)\b",
    r"\b(?:i|we) (?:really |just )?(?:like|love|enjoy|hate|miss) (?:talking|chatting|speaking|"
    r"working) (?:to|with) you\b",
    r"^(?:good|bad|stupid|clever|smart|lovely) (?:bot|job|work|point|question|idea|answer|one|girl|boy|"
    r"luck)\b",
)

ENCOURAGEMENT = noise(
    "utility",
    "an encouragement",
    r"\b(?:do not|never) (?:ever )?(?:forget (?:that )?(?:you|how|to be|to enjoy|to smile)\b|give up|"
    r"quit(?: on\b|,|$)|stop (?:dreaming|believing)|"
    r"get discouraged|let (?:anything|anyone|it|this|that|them|the bumps)|shy away|lose hope)\b",
    r"\bkeep (?:going|it up|pushing|fighting|smiling|shining|up the good)\b|\byou(?: have)? got this\b|"
    r"\b(?:believe in|be true to|trust|take care of|be kind to|love|proud of) yourself\b|\byour (?:dreams?|"
    r"abilities|potential)\b|"
    r"\b(?:whenever|any ?time|every time|if) you (?:ever )?need\b|\blet me know\W*$|\b(?:i will|i'll) "
    r"(?:definitely |surely |gladly )?"
    r"(?:reach out|keep you|let you)\b|\bonly imagine\b|^always (?!using|asking|running|checking|writing|"
    r"testing)\w+ing\b|"
    r"\bcloser to (?:your|our|success|the goal)\b|\bfailures? (?:leads?|is|are|teach)\b|\balways (?:here|"
    r"there) (?:for|to)\b|"
    r"^you can ?not (?:deny|beat|go wrong|imagine|argue|win them all|put a price)\b|"
    r"^never (?:say never|gets old)\b|\bcan always count on\b|^always (?:here|there) (?:for|to)\b",
)

EVALUATION = noise(
    "utility",
    "a remark without content",
    r"^(?:so |really |very |it is |always |just )*(?:great|good|nice|lovely|awesome|amazing|cool|sad|"
    r"wonderful|fun) to (?:see|hear|"
    r"know|read|think|be (?:here|back))\b",
    r"^(?:it|that|this|they|everything|the \w+) (?:is|was|has been|have been|were|are|felt|feels|sounds?|"
    r"looks?|must have been|would be) (?:all |so |really |very |such |quite |truly |just |pretty |"
    r"definitely |always |an? )*"
    r"(?:awesome|great|amazing|cool|nice|fun|incredible|inspiring|rewarding|fulfilling|wonderful|lovely|"
    r"beautiful|hard|tough|good|bad|fantastic|exciting|interesting|satisfying|perfect|special|powerful|"
    r"breathtaking|delicious|tricky|difficult|easy|important|worth it|shame|pity|relief|blast|joy|"
    r"pleasure|"
    r"journey|adventure|challenge|eye-opening|empowering|motivating|encouraging|stunning|gorgeous|"
    r"hilarious|sad|weird|strange|true|right|fair|nothing)\b",
)

# "I love how you drew the horse" tells of the other; "I like it when you answer briefly" of a wish.
_WISH = (
    r"(?!.*\b(?:answer|answers|reply|replies|response|responses|messages|summar\w+|explanations?|code|"
    r"drafts?|e-?mails?|when|if|"
    r"whenever|before|everything|anything|from you|you to|want you|call me|remind|ask)\b)"
)
ABOUT_YOU = noise(
    "utility",
    "said of the other and not of oneself",
    rf"^{_WISH}(?:(?:i|we) (?:am |are |was |have |really |also |just |so |truly |do |can |totally |"
    rf"absolutely |\w+ly )*(?:love|like|"
    r"loved|liked|enjoy|enjoyed|appreciate|appreciated|admire|glad|happy|proud|thankful|grateful|sorry|"
    r"impressed|hope|bet|agree|"
    r"wish|miss|excited|rooting|inspired|see|hear|believe|support|think|know|told|wanted)\b.*\b(?:you|your|"
    r"yours|you'?re)\b)",
    r"^(?:(?:so|really|very|super|just|oh man|oh|wow|yeah|aw+) )*(?:sounds?|looks?|seems?|glad|hope|hoping|"
    r"bet|thanks?|thank you|congrats|congratulations|"
    r"well done|way to go|good luck|great|good|nice|happy|sorry|proud|can ?not wait|awesome|amazing|love|"
    r"lucky|cheers|props|kudos|"
    r"fingers crossed|same|no wonder|keep|stay|take care|enjoy|have fun|let me know|wish|happy for|so happy|"
    r"all the best)\b"
    r"(?=.*\b(?:you|your|yours|you'?re|you'?ve)\b)" + _WISH,
    r"\b(?:for|with|behind|beside|by|about|of|on|like|than|to) (?:you|your \w+)(?: guys| all| "
    r"both)?[.!]*$(?<!\bfrom you)" + r"(?<!\bup to you)(?<!\bwith you, (?:please|always))",
    r"^(?:i|we) (?:\d+ ?% |totally |completely |fully |absolutely |definitely |so |couldn't |could not |"
    r"really |do )*agree\b",
    r"^(?:you|your|you'?re|you'?ve)\b(?! (?:must|may|should|can|are not allowed|need to|have to|never|"
    r"always|only))(?!.*\b(?:me|my|our)\b)",
)
