"""English: the ways of saying something that no later conversation needs, and why each is left out."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english_nouns import one_of
from memoryapp.llm.backends.offline.statements import noise

_STATE = one_of(
    "tired hungry thirsty bored busy late sleepy exhausted back here ready done finished stuck lost confused fine ok okay good great "
    "sorry glad happy sad excited afraid curious sure impressed surprised amazed shocked annoyed cold hot sweaty wet online offline afk "
    "listening waiting looking wondering asking thinking trying_to_understand kidding joking serious all_set all_ears not_sure unsure "
    "in_a_hurry in_a_meeting in_a_rush on_the_phone on_my_way on_the_way on_the_bus on_the_train about_to going_to_bed off_to"
)
_ONE_TIME_VERBS = one_of(
    "check run open show list find search look tell give send write draft summari[sz]e translate explain fix make create generate add "
    "remove delete update change move rename stop start restart continue retry try test deploy build install compile print read compare "
    "calculate convert help remind schedule book order play turn set put use point enter copy paste upload download merge push pull commit "
    "revert undo close save load format rewrite shorten expand sort count plot draw render review describe suggest recommend act let get "
    "go proceed do redo repeat wait hold pick choose skip ignore repeat ping call email answer reply respond proofread improve debug refactor "
    "walk teach think analy[sz]e extract classify parse fetch pull_up bring store ask say imagine pretend assume"
)
_PROCESS = one_of(
    "download upload build sync deploy deployment job script process daemon install installation import export migration tests? pipeline "
    "rendering render backup compile compilation container server service download training page site api connection relay worker queue it"
)

HYPOTHETICAL = noise(
    "factual", "a hypothetical, not a fact",
    r"^(?:and |but |so )?if (?:i|we|you|he|she|they|it|the|my|there|someone|only)\b.*\b(?:would|could|might|'d|were)\b",
    r"\bif (?:i|we) (?:were|had|lived|worked|could|ever)\b",
    r"^(?:suppose|supposing|imagine|let us say|let's say|say i|what if|hypothetically|in theory|assuming|pretend)\b",
    r"\b(?:i|we) wish (?:i|we|it|there|that)\b",
    r"\bwould (?:have|be) (?:been|nice|cool|great|funny)\b",
    r"\bin (?:an(?:other)?|my next|a parallel) (?:life|universe|world)\b",
)  # fmt: skip

VAGUE = noise(
    "factual", "too vague to rely on",
    r"^(?:i am|we are) (?:not (?:really |quite |entirely |at all )?(?:sure|certain|convinced)|unsure|undecided|torn|thinking (?:about|of)|wondering|considering|tempted)\b",
    r"^(?:i am|we are|i feel|i have been)(?: just| really| kind of| kinda| sort of| sorta| a bit| a little| so| pretty| still| also| getting)* (?:worried|stressed|nervous|anxious|curious|stuck|struggling|wondering|debating|hesitating|looking for (?:advice|tips|ideas|help|ways|some)|"
    r"trying to (?:decide|figure|understand|find|see|get|debug|fix|solve|make sure|ensure|remember|think|choose|determine|work out|implement|optimi[sz]e|handle|set up|add)|having (?:trouble|issues|problems|difficulty|a hard time)|confused|not (?:sure|certain)|hoping (?:this|that|it|you|to get|i can|for)|asking|interested in (?:knowing|learning|your))\b",
    r"^(?:i|we) (?:do not know|have no idea|guess|suppose|wonder|was wondering|might|may|could|doubt|forget|forgot|cannot (?:decide|remember)|can not (?:decide|remember))\b",
    r"^(?:maybe|perhaps|probably|possibly|presumably|no idea|not sure)\b",
    r"^(?:i|we) (?:will|am going to|are going to|should|shall|need to) (?:think|see|look|check|try|consider|sleep on|let you know|get back|read|have a look|give it)\b",
    r"^let (?:me|us)\b",
    r"^(?:i|we) (?:think|feel|believe|figured|hoped|thought) (?:so|not|it|that|this|you)\b",
)  # fmt: skip

DENIED = noise(
    "factual", "denies something that nobody needs to know",
    r"\b(?:i|we) (?:never|did not|have not|have never) (?:said|say|told|tell|mention(?:ed)?|claim(?:ed)?|ask(?:ed)?|wrote|meant|mean)\b",
    r"\bwhere did you get (?:that|this)\b",
    r"^(?:that is|this is|you are) (?:wrong|not (?:true|right|correct|what)|incorrect|false|mistaken)\b[.! ]*$",
)  # fmt: skip

REPORTED = noise(
    "factual", "said by somebody else",
    r"\b(?:documentation|docs|manual|readme|article|book|review|author|error|log|message|page|blog post|tutorial|e-?mail|letter|report|customer|client|reviewer|text|movie|song) "
    r"(?:says?|said|states?|reads?|writes?|wrote|claims?|suggests?|recommends?|tells?|mentions?)\b",
    r"^(?:my|our|a|the|some) [\w -]{2,30} (?:says?|said|thinks?|thought|claims?|claimed|told me|believes?|reckons?|wrote|texted|asked)\b",
    r"\baccording to (?!my|our)\b",
    r"^(?:he|she|they|someone|somebody|people|everyone|nobody) (?:says?|said|thinks?|claims?|told|believes?)\b",
)  # fmt: skip

SMALL_TALK = noise(
    "utility", "small talk",
    r"^(?:thanks?|thank you|thx|cheers|ta|much appreciated|appreciate it|perfect|great|nice|awesome|cool|wow|ok(?:ay)?|k|sure|yes|yep|yeah|yup|no|nope|nah|right|exactly|indeed|good|"
    r"got it|understood|alright|all right|fine|sounds good|makes sense|fair enough|agreed|brilliant|lovely|sweet|amazing|excellent|done|hm+|uh+|ah+|oh+|ha(?:ha)+|lol|lmao|sir|bye|goodbye|"
    r"good (?:morning|afternoon|evening|night|day)|hi|hey|hello|yo|sup|greetings|see you|later|welcome back|congrats|you're welcome|no problem|no worries|never ?mind|go ahead|please do|will do|same here|me too|"
    r"works now|that worked|that works|it works(?: now)?|it worked|it went through|still the same|that is (?:all|it|right|fine|great|perfect|correct|better|exactly what i needed))\b"
    r"(?:[,!. ]+(?:thanks?|thank you|thx|please|sir|mate|man|again|so much|a lot|very much|there|all|then|now|go ahead|do it|that'?s? (?:is )?(?:exactly )?(?:what i needed|great|perfect|all|it)|you saved me [\w ]+|for [\w ]+))*[,!. ]*$",
    r"^(?:how are you|how is it going|how do you do|what is up|nice to meet you|pleased to meet you|have a (?:nice|good|great)|hope you)\b",
    r"^(?:i am|we are) (?:(?:so|really|very|just|a bit|a little|kind of|totally|quite|super|too|still|all|pretty|feeling|also|now|not|getting|such) )*" + _STATE + r"\b(?! (?:for|at|on|with|in) (?!this|that|it|you|now|the|a|my)\w+)",
    r"^(?:you are|you're|you were|your) (?:so |very |really |such |the |too |a |an |answers? |pretty )*(?:funny|great|awesome|amazing|best|smart|helpful|kind|sweet|welcome|good|slow|wrong|right|angel|lifesaver|star|genius|idiot|useless|bot|robot|wonderful|nice|clever)\b",
    r"\b(?:i|we) (?:really |just )?(?:like|love|enjoy|hate|miss) (?:talking|chatting|speaking|working) (?:to|with) you\b",
    r"^(?:good|bad|stupid|clever|smart|lovely) (?:bot|job|work|point|question|idea|answer|one|girl|boy|luck)\b",
)  # fmt: skip

MOMENTARY = noise(
    "utility", "a passing state",
    r"^(?:ugh|argh|gah|meh|phew|omg|damn|ouch)\b.*\b(?:today|now|this morning|again|tonight)\b",
    r"\b(?:brb|afk|gtg|g2g|bbl)\b",
    r"^(?:i|we) (?:just )?(?:had|ate|cooked|drank|made|grabbed|went to|took) (?:(?:an?|some|the|my|for) )?(?:\w+ )?(?:(?:for|to) )?(?:breakfast|lunch|dinner|bed|sleep|work|a nap|a shower|coffee|tea|soup|toilet|walk)\b(?!.*\b(?:every|always)\b)",
    r"^(?:i am|we are) (?:having|eating|making|drinking|taking|walking|watching|sitting|standing|lying|driving home|heading home|cooking)\b(?!.*\b(?:every|in (?:\w+ )?(?:weeks|months)|next)\b)",
    r"\b(?:right now|at the moment|as we speak)\b(?!.*\b(?:because|live|work|building)\b)",
    r"^(?:my|the) (?:phone|battery|laptop|tablet|watch) (?:is )?(?:at|has|on|about|almost|nearly|dying)\b.*(?:percent|%|battery|dead|empty|dying|low)",
    r"\b(?:today|this morning|tonight)\b.*\b(?:was|is|has been) (?:horrible|awful|terrible|long|rough|crazy|great|fun|boring|exhausting|stressful|busy|hectic)\b|"
    r"\b(?:was|is|has been) (?:so |really |pretty |quite )?(?:horrible|awful|terrible|long|rough|crazy|boring|exhausting|stressful|hectic|bad)(?: \w+)? (?:today|this morning|tonight)\b",
    r"^(?:it is|it's|what a|such a|so much|nice|lovely|awful|terrible|bad|beautiful|so) [\w ]{0,20}\b(?:weather|rain|snow|sun|wind|heat|grey|gray|sunny|rainy|cold|hot|windy|cloudy|foggy|snowing|raining|storm|day)\b(?!.*\b(?:prefer|love|hate|because)\b)",
    r"^(?:today|the weather|the sun|rain|it)\b.*\b(?:raining|snowing|sunny|rain all day|pouring|freezing|boiling|humid|grey outside|weather)\b",
    r"\b(?:i am|i'm)\b.*\b(?:basically|literally|such an?|honestly just|a total|a complete)\b.*\b(?:today|idiot|potato|mess|disaster|moron|dummy|zombie|fool|genius|lol|haha)\b",
    r"\b(?:lol|haha\w*|lmao|rofl|jk|just kidding|😂|🤣)\b.*\b(?:i am|i'm|my)\b.*\b(?:basically|such|literally|an? (?:idiot|potato|zombie|mess|dummy|fool|moron|vampire|robot|sloth|goblin))\b",
)  # fmt: skip

STATUS = noise(
    "utility", "a status that passes",
    rf"\b{_PROCESS} (?:is |are |was |has |keeps? |got )?(?:still |just |now |currently |already )*(?:running|at \d+|pending|in progress|finished|failed|failing|stuck|syncing|loading|queued|hanging|not (?:running|responding|working)|down|up|crashed|slow|"
    r"done|complete|green|red|broken|dead|frozen|restarting|starting|stopping|\d+ ?%)\b(?! (?:on|at|in) (?:port|host|/|the (?:machine|server|box|cluster)))",
    r"\b\d{1,3} ?(?:%|percent)(?: (?:done|complete|finished|downloaded|uploaded|left))?\s*$",
    r"\b(?:still|now) (?:syncing|loading|running|waiting|downloading|uploading|compiling|building|processing|going|stuck)\b",
    r"\b\d+ of \d+ (?:tests?|files?|steps?|items?|pages?|done|rows)\b|\b\d+/\d+ (?:done|tests?|files?)\b",
    r"\b(?:it is|it's|the time is|current time is|time now is|clock says|my clock)\b.*\b\d{1,2}[:.]\d{2}\b|^\d{1,2}[:.]\d{2}(?: ?[ap]m)?\b[.! ]*$",
    r"^(?:i am|i'm|we are|user is) (?:now )?(?:in|on|at) (?:the|this|your|my) [\w -]{0,25}(?:page|panel|tab|menu|screen|view|settings|dialog|form|editor|console|terminal|window|dashboard)\b",
    r"\b(?:i|we) (?:see|clicked|click|pressed|press|opened|typed|selected|scrolled|got|get|am seeing|keep getting|am getting|have got) (?:on )?(?:the|a|an|this|that|this same) (?:[\w-]+ ){0,3}(?:button|menu|popup|page|tab|screen|dialog|error|message|link|warning|blank|exception|traceback|timeout|\d{3})\b",
    r"\b(?:relay|extension|debugger|device|session|tab|browser) (?:is )?(?:now )?(?:attached|detached|connected|disconnected)\b",
    r"\b(?:heartbeat_ok|no_reply|heartbeat|noop|ping|pong)\b[.! ]*$",
    r"^(?:ok|okay|alright|so|and)? ?it (?:went through|worked|works|failed|crashed|finished|is done|did not work|does not work|still fails)\b",
)  # fmt: skip

ONE_TIME = noise(
    "utility", "a request for this moment only",
    rf"^(?:(?:please|pls|now|then|just|also|and|ok|okay|quickly|kindly|next|first|so|again) )*{_ONE_TIME_VERBS}\b(?! (?:is|are|was)\b)",
    r"^(?:can|could|would|will) (?:you|we|i|someone|anyone)\b",
    r"^(?:i|we) (?:need|want|would like|would love) (?:you to|help|some help|your help|to know|to ask|to see|to understand|a hand|an? (?:example|summary|list|quick|explanation|answer|idea|suggestion|recommendation|picture|photo|new \w+ bag))\b",
    r"^(?:for|in) (?:this|that|the next|your next) (?:answer|one|reply|response|question|message|task|time)\b",
    r"\b(?:this time|just this once|for this (?:one|answer|message|reply|task|question)|in this (?:answer|reply|message|response))\b",
    r"\b(?:in|at most|under|max(?:imum)?|within|no more than|fewer than|less than|up to) (?:a |the )?(?:\d+|one|two|three|four|five|ten|twenty|fifty|a hundred) (?:words?|sentences?|lines?|characters?|bullets?|bullet points|paragraphs?|points)\b(?!.*\b(?:always|every|from now on|never|all)\b)",
    r"^(?:do not|never ?mind|no need to) (?:worry|bother|mind|forget|panic|stress|do (?:that|it|this)|touch (?:that|it|this)|(?:run|send|delete|change|stop|start|use) (?:it|that|this)\b)",
    r"^(?:no|not),? (?:not )?(?:that|this|the other|those|these)\b",
    r"^(?:the|that|this) (?:other|first|second|last|next) (?:one|file|option)\b",
)  # fmt: skip

QUESTION = noise(
    "factual", "a question",
    r"\?\s*$",
    r"^(?:and |but |so |also |ok |then )?(?:what|where|who|whom|whose|why|how|which)(?:'s|'re)? (?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|to|many|much|about|come|long|often|else|kind|time|the|if|exactly)\b",
    r"^(?:and |but |so |also )?when(?:'s)? (?:is|are|was|were|do|does|did|can|could|should|will)\b",
    r"^(?:and |but |so |also )?(?:can|could|would|will|do|does|did|is|are|am|was|were|should|shall|has|may) (?:you|i|we|they|he|she|it|there|the|this|that|these|those|my|your|our|a|an|any|anyone|someone)\b",
    r"\b(?:do you know|any idea|i wonder (?:if|whether|how|what)|wondering (?:if|whether|how|what))\b",
)  # fmt: skip

NOISE = (
    *DENIED, *REPORTED, *HYPOTHETICAL, *VAGUE, *SMALL_TALK, *MOMENTARY, *STATUS, *ONE_TIME, *QUESTION,
)  # fmt: skip
