"""English: the ways of saying something that no later conversation needs, and why each is left out."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.courtesies import ABOUT_YOU, ENCOURAGEMENT, EVALUATION, SMALL_TALK
from memoryapp.llm.backends.offline.english.nouns import one_of
from memoryapp.llm.backends.offline.english.thin import THIN
from memoryapp.llm.backends.offline.statements import noise

_ONE_TIME_VERBS = one_of(
    "accept act activate adapt add adjust align allow alphabeti[sz]e analy[sz]e animate annotate answer "
    "append apply approve arrange ask assemble assign assume attach backup benchmark "
    "begin book boot bring browse build bump calculate call cancel capture categori[sz]e center change "
    "chart check choose clarify classify clean clear click clone close collapse collect combine "
    "comment commit compare compile complete compose compress compute concatenate configure confirm "
    "connect continue convert copy correct count crash create crop debug decode decrypt define delete "
    "deploy describe design detect determine diff disable disconnect display divide do double download "
    "draft draw drop dump duplicate edit email enable encode encrypt enter estimate evaluate examine "
    "execute expand explain export extend extract fetch figure_out fill filter find finish fix flip "
    "follow force forward format generate get give go google grab grep group guess halt handle help hide "
    "hold "
    "highlight identify ignore imagine implement import improve include increase indent inform insert "
    "inspect install integrate invert investigate invite join kick_off kill launch leave let lint list "
    "load locate log look look_up lower make map mark mask merge migrate minimi[sz]e mock modify move "
    "multiply mute name navigate note notify number open optimi[sz]e order organi[sz]e output paint "
    "parse paste patch pause perform pick ping place plan play plot point polish pop post predict prepare "
    "pretend preview print prioriti[sz]e proceed process profile proofread propose prove provide "
    "publish pull pull_up purge push put query quit quote randomi[sz]e rank read rebase reboot rebuild "
    "recalculate recheck recommend record redeploy redo reduce refactor refresh reinstall reload remind "
    "remove rename render reopen reorder repeat rephrase replace reply report reproduce rerun reschedule "
    "reset resize resolve restart restore resume retry return reverse revert review rewrite roll_back "
    "rotate "
    "round run save say scale scan schedule scroll search select send separate set share shorten show "
    "shuffle shut shut_down sign simplify simulate sketch skip solve sort spell split start stop store "
    "stream "
    "structure style submit suggest sum summari[sz]e support swap switch sync tabulate tag take teach "
    "tell terminate test think throw time toggle touch trace track train transcribe transform translate "
    "trim "
    "try turn type undo uninstall unlock unpack unzip update upgrade upload use validate verify view "
    "visuali[sz]e wait wake walk warn watch wrap write zip zoom"
)
_PROCESS = (
    one_of(
        "download upload build sync deploy deployment job script process daemon install installation import "
        "export tests? pipeline "
        "rendering render backup compile compilation container server service download training page site "
        "api "
        "connection relay worker queue scan indexing transfer encoding simulation calculation it"
    )
    + r"|(?<=\b(?:the|file|video|audio|image|format) )conversion"
)
_PROCESS = rf"(?:{_PROCESS})"

HYPOTHETICAL = noise(
    "factual",
    "a hypothetical, not a fact",
    r"^(?:and |but |so )?if (?:i|we|you|he|she|they|it|the|my|there|someone|only)\b.*\b(?:would|could|"
    r"might|'d|were)\b",
    r"\bif (?:i|we) (?:were|had|lived|worked|could|ever)\b",
    r"^(?:suppose|supposing|imagine|let us say|let's say|say i|what if|hypothetically|in theory|assuming|"
    r"pretend)\b",
    r"\b(?:i|we) wish (?:i|we|it|there|that)\b",
    r"\bwould (?:have|be) (?:been|nice|cool|great|funny)\b",
    r"\bin (?:an(?:other)?|my next|a parallel) (?:life|universe|world)\b",
)

VAGUE = noise(
    "factual",
    "too vague to rely on",
    r"^(?:i am|we are) (?:not (?:really |quite |entirely |at all )?(?:sure|certain|convinced)|unsure|"
    r"undecided|torn|thinking (?:about|of)|wondering|considering|tempted)\b",
    r"^(?:i am|we are|i feel|i have been)(?: just| really| kind of| kinda| sort of| sorta| a bit|"
    r" a little| so| pretty| still| also| getting)* (?:worried|stressed|nervous|anxious|curious|stuck|"
    r"struggling|wondering|debating|hesitating|looking for (?:advice|tips|ideas|help|ways|some)|"
    r"trying to (?:decide|figure|understand|find|see|get|debug|fix|solve|make sure|ensure|remember|think|"
    r"choose|determine|work out|implement|optimi[sz]e|handle|set up|add)|having (?:trouble|issues|"
    r"problems|difficulty|a hard time)|confused|not (?:sure|certain)|hoping (?:this|that|it|you|to get|"
    r"i can|for)|asking|interested in (?:knowing|learning|your))\b",
    r"^(?:i|we) (?:do not know|have no idea|guess|suppose|wonder|was wondering|might|may(?! (?:spend|use|"
    r"invite|bring|not|only)\b)|could|doubt|"
    r"forget|forgot|cannot (?:decide|remember)|can not (?:decide|remember))\b",
    r"^(?:ok |no |honestly )?i swear\b",
    r"^do not (?:ask|quote|hold|blame) me\b",
    r"^(?:maybe|perhaps|probably|possibly|presumably|no idea|not sure)\b",
    r"^(?:i|we) (?:will|am going to|are going to|should|shall|need to) (?:think|see|look|check|try|"
    r"consider|sleep on|let you know|get back|read|have a look|give it)\b",
    r"^let (?:me|us)\b",
    r"^(?:i|we) (?:think|feel|believe|figured|hoped|thought) (?:so|not|it|that|this|you)\b",
)

DENIED = noise(
    "factual",
    "denies something that nobody needs to know",
    r"\b(?:i|we) (?:never|did not|have not|have never) (?:said|say|told|tell|mention(?:ed)?|claim(?:ed)?|"
    r"ask(?:ed)?|wrote|meant|mean)\b",
    r"\bwhere did you get (?:that|this)\b",
    r"^(?:that is|this is|you are) (?:wrong|not (?:true|right|correct|what)|incorrect|false|"
    r"mistaken)\b[.! ]*$",
)

REPORTED = noise(
    "factual",
    "said by somebody else",
    r"^(?:so )?in (?:the|this|that|my|our|a) (?:\w+ )?(?:story|novel|book|movie|film|game|scene|play|poem|"
    r"chapter|dream|"
    r"tale|campaign|series|episode|script|example|scenario)\b,?",
    r"\b(?:documentation|docs|manual|readme|article|book|review|author|error|log|message|page|blog post|"
    r"tutorial|e-?mail|letter|report|customer|client|reviewer|text|movie|song) "
    r"(?:says?|said|states?|reads?|writes?|wrote|claims?|suggests?|recommends?|tells?|mentions?)\b",
    r"^(?:my|our|a|the|some) (?!(?:\w+ )?(?:doctor|gp|physio\w*|surgeon|dentist|therapist|midwife|vet|"
    r"cardiologist|"
    r"specialist|nurse)\b)[\w -]{2,30} (?:says?|said|thinks?|thought|claims?|claimed|told me|believes?|"
    r"reckons?|wrote|texted|asked)\b(?! (?:his|her|their|its|yes|goodbye|no to)\b)",
    r"^[^:]*\b(?<!\b(?:i|we) (?:just )?)(?:wrote|writes|said|says|told (?:me|us)|posted|answered|replied|"
    r"texted|asked|"
    r"left (?:me |us )?(?:a|this) (?:note|message|review))(?: [\w' -]{1,30})?\s*:",
    r"^(?:this is |here is |here are |from |quote from |quoting |excerpt from )?(?:an?|the|this|that|his|"
    r"her|their|"
    r"one) (?:\w+ ){0,3}(?:quote|review|letter|e-?mail|message|mail|note|post|comment|article|song|poem|"
    r"lyrics|book|"
    r"text|ad|advert|application|cv|bio|profile|testimonial|transcript)\b(?! (?:i|we|to) )[^:]{0,40}:",
    r"\baccording to (?!my|our)\b",
    r"^(?:he|she|they|someone|somebody|people|everyone|nobody) (?:says?|said|thinks?|claims?|told|"
    r"believes?)\b",
)

MOMENTARY = noise(
    "utility",
    "a passing state",
    r"^(?:ugh|argh|gah|meh|phew|omg|damn|ouch)\b.*\b(?:today|now|this morning|again|tonight)\b",
    r"\b(?:brb|afk|gtg|g2g|bbl)\b",
    r"^(?:i|we) (?:just )?(?:had|ate|cooked|drank|made|grabbed|went to|took) (?:(?:an?|some|the|my|"
    r"for) )?(?:\w+ )?(?:(?:for|to) )?(?:breakfast|lunch|dinner|bed|sleep|work|a nap|a shower|coffee|tea|"
    r"soup|toilet|walk)\b(?!.*\b(?:every|always)\b)",
    r"^(?:i am|we are) (?:having|eating|making (?:lunch|dinner|breakfast|tea|coffee|soup|food|a sandwich)|"
    r"drinking|taking|walking|watching|sitting|standing|lying|"
    r"driving home|heading home|cooking)\b(?!.*\b(?:every|in (?:\w+ )?(?:weeks|months)|next)\b)",
    r"\b(?:right now|at the moment|as we speak)\b(?! ?:| is (?:an?|the)\b)(?!.*\b(?:because|live|work|"
    r"building)\b)",
    r"^(?:my|the) (?:phone|battery|laptop|tablet|watch) (?:is )?(?:at|has|on|about|almost|nearly|"
    r"dying)\b.*(?:percent|%|battery|dead|empty|dying|low)",
    r"\bi am (?:an?|such an?|the|one) [\w ]{2,40}\b(?:today|this morning|tonight|right now)\b",
    r"\b(?:today|this morning|tonight)\b.*\b(?:was|is|has been) (?:horrible|awful|terrible|long|rough|"
    r"crazy|great|fun|boring|exhausting|stressful|busy|hectic)\b|"
    r"\b(?:was|is|has been) (?:so |really |pretty |quite )?(?:horrible|awful|terrible|long|rough|crazy|"
    r"boring|exhausting|stressful|hectic|bad)(?: \w+)? (?:today|this morning|tonight)\b",
    r"\b(?:was|is|has been) (?:such |absolutely |total(?:ly)? |an? |complete |pure |so |really |pretty "
    r")*(?:nightmare|hell|pain|"
    r"mess|drag|madness|chaos|ridiculous|insane|mental|packed|rammed)\b.*\b(?:today|this morning|tonight|"
    r"again|yesterday)\b",
    r"^(?:it is|it's|what a|such a|so much|nice|lovely|awful|terrible|bad|beautiful|"
    r"so) [\w ]{0,20}\b(?:weather|rain|snow|sun|wind|heat|grey|gray|sunny|rainy|cold|hot|windy|cloudy|"
    r"foggy|snowing|raining|storm|day)\b(?!.*\b(?:prefer|love|hate|because)\b)",
    r"^(?:today|the weather|the sun|rain|it)\b.*\b(?:raining|snowing|sunny|rain all day|pouring|freezing|"
    r"boiling|humid|grey outside|weather)\b",
    r"\b(?:i am|i'm)\b.*\b(?:basically|literally|such an?|honestly just|a total|a complete)\b.*\b(?:today|"
    r"idiot|potato|mess|disaster|moron|dummy|zombie|fool|genius|lol|haha)\b",
    r"\b(?:lol|haha\w*|lmao|rofl|jk|just kidding|😂|🤣)\b.*\b(?:i am|i'm|my)\b.*\b(?:basically|such|"
    r"literally|an? (?:idiot|potato|zombie|mess|dummy|fool|moron|vampire|robot|sloth|goblin))\b",
)

STATUS = noise(
    "utility",
    "a status that passes",
    rf"^(?!.*\b(?:port|host)\b).*\b{_PROCESS} (?:(?:is|are|was|has|keeps?|got)(?: still| just| now|"
    r" currently| already)*|still|"
    r"stuck|now|frozen) (?:running|stuck|at \d+|pending|in progress|finished|failed|failing|stuck|"
    r"syncing|loading|queued|hanging|not (?:running|responding|working)|down|up|crashed|slow|"
    r"done|complete|green|red|broken|dead|frozen|restarting|starting|stopping|\d+ ?%)\b(?! (?:on|at|"
    r"in) (?:port|host|/|the (?:machine|server|box|cluster)))",
    r"\b\d{1,3} ?(?:%|percent)(?: (?:done|complete|finished|downloaded|uploaded|left))?\s*(?:$|, (?:be|wait|"
    r"hold|give|just|almost|not|still|please))",
    r"\b(?:still|now) (?:syncing|loading|running|waiting|downloading|uploading|compiling|building|"
    r"processing|going|stuck)\b(?! (?:an?|my|our) )",
    r"\b\d+ of \d+ (?:tests?|files?|steps?|items?|pages?|done|rows)\b|\b\d+/\d+ (?:done|tests?|files?)\b",
    r"\b(?:it is|it's|the time is|current time is|time now is|(?:clock|phone|watch|screen) (?:says|shows|"
    r"reads|has))"
    r"(?: (?:now|already|about|almost|just|exactly|past|currently|like))* \d{1,2}[:.]\d{2}\b|"
    r"\b\d{1,2}[:.]\d{2}(?: ?[ap]m)? (?:on|by) my (?:clock|watch|phone)\b|"
    r"^\d{1,2}[:.]\d{2}(?: ?[ap]m)?\b[.! ]*$",
    r"^(?:i am|i'm|we are|user is) (?:now )?(?:in|on|at) (?:the|this|your|my) [\w -]{0,25}(?:page|panel|"
    r"tab|menu|screen|view|settings|dialog|form|editor|console|terminal|window|dashboard)\b",
    r"\b(?:i|we) (?:see|clicked|click|pressed|press|opened|typed|selected|scrolled|got|get|am seeing|"
    r"keep getting|am getting|have got) (?:on )?(?:the|a|an|this|that|"
    r"this same) (?:[\w-]+ ){0,3}(?:button|menu|popup|page|tab|screen|dialog|error|message|link|warning|"
    r"blank|exception|traceback|timeout|\d{3})\b",
    r"\b(?:relay|extension|debugger|device|session|tab|browser) (?:is )?(?:now )?(?:attached|detached|"
    r"connected|disconnected)\b",
    r"\b(?:heartbeat_ok|no_reply|heartbeat|noop|ping|pong)\b[.! ]*$",
    r"^(?:ok|okay|alright|so|and)? ?it (?:went through|worked|works(?= now$| fine$| again$|$)|failed|"
    r"crashed|finished|is done|"
    r"did not work|does not work|still fails)\b",
)

ONE_TIME = noise(
    "utility",
    "a request for this moment only",
    r"^(?:(?:please|pls|now|then|just|also|and|ok|okay|quickly|kindly|next|first|so|"
    rf"again) )*{_ONE_TIME_VERBS}\b(?!-\p{{L}})(?! \w+ed(?: again| yet| today)?(?:$|[:,.]))(?!['’]s\b| "
    rf"(?:is|are|was|"
    rf"were|of)\b)(?! [\w-]+ (?:is|are|was|were|has|"
    r"have|runs?|lives?|listens?|goes|go|starts?|uses?|must|will|can|need)\b)(?! [\w-]+ [\w-]+ (?:is|are|"
    r"runs?|has|lives?|goes)\b)",
    r"^(?:can|could|would|will) (?:you|we|i|someone|anyone)\b",
    r"^(?:i|we) (?:need|want|would like|would love) (?:you to|help|some help|your help|to know|to ask|"
    r"to see (?:if|how|what|whether|it|that|this|an?|the (?:output|result|code|list|file|logs?|diff))|"
    r"to understand|a hand|an? (?:example|summary|list|quick|explanation|answer|idea|suggestion|"
    r"recommendation|picture|photo|new \w+ bag))\b",
    r"^(?:for|in) (?:this|that|the next|your next) (?:answer|one|reply|response|question|message|task|"
    r"time)\b",
    r"\b(?:this time|just this once|for this (?:one|answer|message|reply|task|question)|in this (?:answer|"
    r"reply|message|response))\b",
    r"\b(?:in|at most|under|max(?:imum)?|within|no more than|fewer than|less than|up to) (?:a |"
    r"the )?(?:\d+|one|two|three|four|five|ten|twenty|fifty|a hundred) (?:words?|sentences?|lines?|"
    r"characters?|bullets?|bullet points|paragraphs?|points)\b(?!.*\b(?:always|every|from now on|never|"
    r"all)\b)",
    r"^(?:do not|never ?mind|no need to) (?:worry|bother|mind|forget|panic|stress|do (?:that|it|this)|"
    r"touch (?:that|it|this)|(?:run|send|delete|change|stop|start|use) (?:it|that|this)\b)",
    r"^(?:no|not),? (?:not )?(?:that|this|the other|those|these)\b",
    r"^(?:the|that|this) (?:other|first|second|last|next) (?:one|file|option)\b(?! (?:was|is|went|has|will|"
    r"had)\b)",
)

QUESTION = noise(
    "factual",
    "a question",
    r"\?\s*$",
    r"^(?:and |but |so |also |ok |then )?(?:what|where|who|whom|whose|why|how|which)(?:'s|'re)? (?:is|are|"
    r"was|were|do|does|did|can|could|should|would|will|has|have|to|many|much|about|come|long|often|else|"
    r"kind|time|the|if|exactly)\b",
    r"^(?:and |but |so |also )?when(?:'s)? (?:is|are|was|were|do|does|did|can|could|should|will)\b",
    r"^(?:and |but |so |also )?(?:can|could|would|will|do|does|did|is|are|am|was|were|should|shall|has|"
    r"may) (?:you|i|we|they|he|she|it|there|the|this|that|these|those|my|your|our|a|an|any|anyone|"
    r"someone)\b",
    r"\b(?:do you know|any idea|i wonder (?:if|whether|how|what)|wondering (?:if|whether|how|what))\b",
)

NOISE = (
    *DENIED,
    *REPORTED,
    *HYPOTHETICAL,
    *VAGUE,
    *SMALL_TALK,
    *ENCOURAGEMENT,
    *EVALUATION,
    *ABOUT_YOU,
    *THIN,
    *MOMENTARY,
    *STATUS,
    *ONE_TIME,
    *QUESTION,
)
