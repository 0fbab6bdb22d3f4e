"""English: a sentence without greetings, fillers, chat spelling and thanks."""

from __future__ import annotations

import regex

from memoryapp.llm.backends.offline.english.nouns import PERSON, PROFESSION

_SPELLING = tuple(
    (regex.compile(pattern, regex.IGNORECASE), written)
    for pattern, written in (
        (r"[’‘]", "'"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\bdont\b", "don't"),
        (r"\bcant\b", "can't"),
        (r"\bwont\b", "won't"),
        (r"^its(?= (?:on|at|in|an?|the|not|now|my|our)\b)", "it's"),
        (r"\bdoesnt\b", "doesn't"),
        (r"\bisnt\b", "isn't"),
        (r"\bdidnt\b", "didn't"),
        (r"\bthats\b", "that's"),
        (r"\bwere(?= (?:using|moving|going))", "we're"),
        (r"\b(?:plz|pls|plss+)\b", "please"),
        (r"\bu(?= (?:can|should|must|know|are|need|have|ever|want)\b)", "you"),
        (r"(?<=\s)u(?=\s\p{Ll}{2,})", "you"),
        (r"\bur(?=\s\p{Ll}{2,})", "your"),
        (r"\bshouldnt\b", "shouldn't"),
        (r"\bhavent\b", "haven't"),
        (r"(?<=\p{Ll}\s)r(?=\s\p{Ll})", "are"),
        (r"\s*\((?:sorry|btw|lol|haha|fyi|again|yes|no joke)\b[^)]*\)", ""),
        (r"\brmbr\b|\bremembr\b", "remember"),
        (r"\bsry\b", "sorry"),
        (r"\bcuz\b|\bcoz\b|\bbc\b|\b'cause\b", "because"),
        (r"\bw/(?=\s)", "with"),
        (r"\bi(?='|\b(?!\.|/))", "I"),
        (r"\btmrw\b|\btmr\b|\b2moro\b", "tomorrow"),
        (r"^me name is\b", "my name is"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "have to"),
    )
)
_STRETCHED = regex.compile(r"(\p{L})\1{2,}")
_FILLERS = regex.compile(
    r"(?:(?<=^|[\s,(])(?:u+h+m*|u+m+|e+r+m*|a+h+|lol|lmao|haha\w*|hehe\w*|xd|tbh|imo|imho|ngl|"
    r"y'?know)(?=$|[\s,.!?)])[,.]?\s*)|"
    r"(?:(?<=^)(?:(?:so|and|but) )?(?:you know|i mean|like|sort of|kind of|well|so|yeah)(?=,),?\s*)",
    regex.IGNORECASE,
)
_ASIDE = regex.compile(
    r",\s*(?:you know|i mean|like|well|um+|uh+|so to speak|kind of|sort of)\s*,\s*", regex.IGNORECASE
)
_REPEATED = regex.compile(r"\b(\p{L}+(?:'\p{L}+)?)(?:\s+\1\b)+", regex.IGNORECASE)
_LEAD = regex.compile(
    r"^(?:(?:(?:hi+|hey+|heyo+|heya|hello+|hiya|hullo|ayo|yo+|howdy|ahoy|moin|servus|hola|ciao|salut|"
    r"bonjour|aloha|hallo|ahoj|"
    r"hei|hej|namaste|kia ora|sup|evening|afternoon|greetings|good (?:morning|afternoon|"
    r"evening)|morning)(?: (?:there|again|all|everyone|everybody|team|folks|guys|people|friends|crew|both|"
    r"mate|\p{Lu}\p{L}+))?(?=[\s,.!:–—-]|$)|"
    r"(?:so|well|ok|um+|yeah|basically) like|so|umm*|uhh*|basically|literally|well|ok|okay|right|yeah|yes|"
    r"yep|yup|yea|mhm|no|nope|oh|ah|aww+|woah|"
    r"wow|man|"
    r"and|but|also|anyway|anyways|"
    r"honestly|frankly|"
    r"actually|basically|look|listen|sorry|oops|wait|hmm+|heads[- ]up|plus|besides|alright|btw|fyi|"
    r"p\.?s\.?|"
    r"by the way|for what it's worth|to be honest|to be clear|as (?:i said|you know|mentioned|always|"
    r"usual|before|every time)|like (?:always|every time|last time|before|usual)|"
    r"same (?:\w+ )?as (?:always|ever|usual|before)|as ever|"
    r"just so you know|just to let you know|just fyi|i (?:guess|suppose|think) i (?:should|must|ought to) "
    r"(?:mention|say|tell you|add)(?: that)?|"
    r"i should (?:mention|say|add)(?: that)?|worth (?:mentioning|knowing)(?: that)?|(?:as )?(?:it )?turns "
    r"out(?: that)?|you (?:should|"
    r"might want to|may want to|need to|ought to) know(?: that)?|"
    r"(?:kinda |kind of |sorta |totally )?(?:random|off[- ]topic|unrelated)(?: (?:thing|thought|note|one|"
    r"but|q|question))*|"
    r"o+m+g+|before (?:we|i) (?:start|begin|go on|forget)|while (?:we are|we're|i'm) at it|hear me out|"
    r"un?fortunately|fortunately|luckily|sadly|on (?:another|a different|a side) note|"
    r"crazy thing happened|something \w+ happened|looky here|agreed|not (?:going to|gonna) lie|woo+hoo+|"
    r"yay+|whoa+|woah+|phew+|real "
    r"quick|"
    r"quick|for (?:the )?(?:context|record|reference|background)|"
    r"for your information|"
    r"(?:meet|introducing|presenting|say (?:hello|hi) to)(?= (?:the|our|my) (?:new|latest)\b)|"
    r"(?:a )?(?:quick|little|small|short|fun|tiny) (?:intro(?:duction)?|note|thing|fact|update|question|"
    r"context|one|heads-up|background|reminder)(?: (?:so|about|for|on|from) [^:,]{2,40})?|some (?:context|"
    r"background)|"
    r"context|background|update|note|reminder|news|correction|"
    r"one (?:more )?thing|another thing|first(?: of all| off)?|second(?:ly)?|also|next|finally|lastly|"
    r"guess what|good news|bad news|just (?:to say|a note|saying)(?: that)?|just wanted to (?:say|mention|"
    r"let you know)"
    r"(?: that)?|wanted to (?:say|mention)(?: that)?|i should (?:tell you|let you know)(?: that)?|"
    r"(?:that's|that is|this is|you've got that|you have that|you got that|you have it|you got it|"
    r"you've got it|i'm afraid that's|i'm afraid you have it|i'm afraid you've got (?:it|that)|"
    r"you're) (?:wrong|not right|not correct|incorrect|mistaken|not true|outdated)|small correction|"
    r"correction|you(?:'ve)? (?:have|got|wrote|spelled|spelt|misspelled|misspelt) (?:the wrong \w+|my "
    r"\w+(?: wrong)?)|"
    r"you(?:'ve)? (?:mixed|got|have) (?:that|it|this|me|them|my \w+) (?:all )?(?:up|wrong|mixed "
    r"up)|"
    r"(?:note|message|reminder|info|announcement|memo)s? (?:for|to) (?:\w+ ?){1,3}(?=[:,])|i'm afraid not|"
    r"i meant(?: to say)?|i mean|let me (?:introduce myself|correct that|clarify)|"
    r"nice to meet you|pleased to meet you|thanks|thank you|thx|cheers|perfect|great|awesome|cool|sure|"
    r"got it|makes sense)"
    r"(?:\s*[,:;.!–—-]+\s*|\s+(?=(?:i|i'm|i've|i'd|i'll|my|we|we're|we've|our|please|never|always|don't|"
    r"the|this|it|it's|that|that's|there|basically|honestly|literally|quick|fun|btw|fyi|by the way|also|"
    r"well|ok|okay|heads[- ]up|so|"
    r"just|right|yeah|hi|hey|hello|can't)\b)|\s*$))+",
    regex.IGNORECASE,
)
_HEAD = regex.compile(
    r"^(?!(?:I|I'm|I've|we|we've|we're|my|our|the|goodbye|bye|farewell|so long|no more)\b|[^:]*\b(?:settled|"
    r"decided|decision|final|agreed|verdict|official|wrote|writes|said|says|told|posted|answered|replied|"
    r"texted|"
    r"review|letter|quote|comment|testimonial|article|poem|song|lyrics|bio|profile|ad|advert|"
    r"application)\b)[^:.?!]{0,60}:\s+(?=(?:I|I'm|I've|I'd|my|we|we're|"
    r"we've|our)\b)",
    regex.IGNORECASE,
)
_TAUGHT = regex.compile(
    r"^what (.{3,40}?) (?:has )?taught (?:us|me)\s*(?::|is that|was that)\s*", regex.IGNORECASE
)
# "New printer is a …": an article makes it a subject like any other.
_BARE_NOUN = regex.compile(
    r"^(?=(?:new|old|main|second|spare|current|backup|latest) (?:\p{L}+ ){1,2}(?:is|are|has|runs|lives|"
    r"sits)\b|(?:wi-?fi|router|printer|server|network|heating|boiler|alarm|gate|till|spare key|bins?)(?: "
    r"\w+){0,4} (?:is|are|runs|"
    r"sits|lives|goes?|hangs)\b)",
    regex.IGNORECASE,
)
_CARD_HEAD = regex.compile(
    r"^[^:.?!]{0,60}\b(?:who I am|who you['’]re (?:dealing|talking|working|speaking) with|about me|"
    r"introduc\w+|my details|my name tag|who['’]s (?:typing|writing|speaking|here|asking|"
    r"talking)|who this is)\b[^:.?!]{0,20}:\s+"
    r"(?=(?-i:\p{Lu}))",
    regex.IGNORECASE,
)
# "Since we shall be working together: Harriet Oduya, conservator of paintings"
_CARD_BEHIND = regex.compile(
    rf"^(?=[^:]*\b(?:I|we|us|me|you|user|hello|hi|good (?:morning|day|afternoon|"
    rf"evening))\b)(?![^:]*\b(?:{PERSON}|"
    rf"ask|contact|"
    rf"call|write|from|met|hired)\b)[^:?!]{{0,90}}:\s+"
    rf"(?=(?-i:\p{{Lu}}[\p{{L}}'’-]+(?: \p{{Lu}}[\p{{L}}'’-]+){{1,3}})(?:,| /| \||\s·)\s*(?:an? |the )?"
    rf"(?:[\w'’-]+ ){{0,2}}{PROFESSION})",
    regex.IGNORECASE,
)
# "This is Kenji from the reactor group" introduces whoever is typing.
_SPEAKING = regex.compile(
    r"^(?:this is|it['’]s|here is|you(?:['’]re| are) (?:talking|speaking|dealing|chatting|writing) (?:to|"
    r"with)) "
    r"(?=(?-i:\p{Lu}\p{L}+(?: \p{Lu}[\p{L}'’-]+)?)(?: from| at| with| of| here| speaking| again|$))",
    regex.IGNORECASE,
)
_SETTLED = regex.compile(
    r"^(?:it['’]s|it is|that['’]s) (?:now |all |finally )?(?:settled|decided|agreed|final|"
    r"official)\s*[:,;–—-]\s*(?=(?:we|the|our)\b)",
    regex.IGNORECASE,
)
_MARKER = regex.compile(
    r"^(?:(?:hi|hey|hello|ok)[!,. ]+)?(?:fyi|btw|fwiw|psa)[:,]?\s+(?=\S)", regex.IGNORECASE
)
# "Just put Nextcloud onto the old ThinkPad" tells what was done, "put it there" asks for it.
_JUST_DONE = regex.compile(
    r"^(?:just|finally|already) (?=(?:put|set up|hooked|moved|plugged|swapped|replaced|bumped|rolled) "
    r"(?!it\b|this\b|that\b|them\b|me\b)"
    r".*(?:\d|\bnow\b|\bport\b))",
    regex.IGNORECASE,
)
_CARD_LEAD = regex.compile(
    r"^(?:you(?:['’]re| are) (?:now )?(?:talking|speaking|dealing|working|chatting) (?:to|with)|this is|"
    r"it['’]s)\s+"
    r"(?=(?-i:\p{Lu}\p{L}+(?: \p{Lu}[\p{L}'’-]+)*, (?:an? |the )?\p{Ll}))",
    regex.IGNORECASE,
)
# "Ok so random but please remember I'm left-handed": fillers before a call to remember.
_CALL_TO_REMEMBER = regex.compile(
    r"^(?:(?!(?:i|i'm|i've|we|my|our|you|never|always|don't|do|not|to|the|can't|if|when|"
    r"who)\b)[\w'’]+[\s,:]+){1,6}"
    r"(?=please (?:remember|note|keep in mind|don't forget|bear in mind)\b)",
    regex.IGNORECASE,
)
_TAIL = regex.compile(
    r"(?<!\b(?:my|our|your|the|his|her|their|explicit|an?|without|says?|said|"
    r"saying))(?:[\s,;.!–—-]+(?:thanks?(?: (?:a lot|"
    r"so much|in advance|again))?|thank you|k?thx+|thnx|tysm|ty|cheers(?: mate)?|xx+|ta|please|"
    r"(?:i (?:think|guess|thought) )?(?:you|u) should know|"
    r"ok(?:ay)?|lol|right|yeah|you know|by the way|btw|fyi|as you know|if that helps|just so you know|"
    r"for what it's worth|sorry|haha\w*|(?:please )?remind (?:me|us)))+[\s.!]*$",
    regex.IGNORECASE,
)
KEEP_IN_MIND = regex.compile(
    r"(?:^|[,;.!]\s*|\s+(?=so |and |but |please ))(?:so |and |but )?(?:please |pls |plz |do |just |could "
    r"you |"
    r"can you )*(?:keep (?:that|this|it) in mind|remember(?=[.!]*(?:[ ,]+(?:ok(?:ay)?|thx|ty|"
    r"thanks))*[.!]*\s*$)|"
    r"remember (?:that|this|it)(?=$|[.!,;]| (?:for|when|in))|"
    r"(?:make|take) (?:a )?note(?: of (?:that|this|it))?|note (?:that|this|it) down|"
    r"write (?:that|this|it) down|don't forget (?:that|this|it)(?=$|[.!,;])|bear (?:that|this|it) in mind|"
    r"save (?:that|this|it)(?: for later)?|store (?:that|this|it))(?: (?:for|when|in|"
    r"whenever) [^.!;]*)?(?:[ ,]+(?:ok(?:ay)?|thx|ty|thanks))*[.!]*\s*$",
    regex.IGNORECASE,
)
_ELIDED = regex.compile(
    r"^(?:(?:so |also |really |just |definitely |finally |honestly )*)(?=(?:can't wait|can't stand|"
    r"can't (?:hike|run|swim|walk|eat|drink|play|work|sleep|drive|climb|cycle)|want to|wanna|(?:love|"
    r"hate)(?! (?:and|is|means|was|can|should|will|of)\b)|"
    r"adore|prefer|dislike|moved (?:from [\w -]+ )?to|broke (?:my|a|an)|hurt my|sprained|twisted|tore|"
    r"(?:just |finally )?(?:(?:bumped|updated|migrated|replaced|swapped|renamed|enabled|disabled|set up|"
    r"rolled out) "
    r"(?!it\b|this\b|that\b|them\b|by\b)|am (?=\w+ing\b)|got (?:a|the|my|engaged|married|promoted|"
    r"accepted)|decided|finished|started|"
    r"bought|sold|adopted|quit|switched|installed|upgraded|configured|passed|signed|submitted|shipped|"
    r"launched|retired|graduated)|"
    r"looking forward|been (?:working|living|learning|playing)|working (?:on|as|at)|living in|trying to|"
    r"planning (?:to|a)|hoping to|thinking of|allergic to|born in|based in|currently|done with|tired of|"
    r"going (?:with|for|back to)|sticking (?:with|to)|switching (?:to|from)|opting for|dropping|"
    r"settling (?:on|for)|busy (?:with|on|writing|building|planning)|knee-deep in|in the middle of|halfway "
    r"through|"
    r"going to (?!bed|sleep|the (?:loo|gym|shop|toilet)|be (?:late|back|honest)|try|need|have to|say|ask|"
    r"look|check|see)|"
    r"sick of|fed up with|over with)\b)",
    regex.IGNORECASE,
)


def tidy(text: str) -> str:
    """The sentence without greetings, fillers, stretched letters and thanks."""
    letters = [char for char in text if char.isalpha()]
    if len(letters) > 12 and sum(char.isupper() for char in letters) > 0.8 * len(letters):
        text = text.lower()
    text = _STRETCHED.sub(r"\1", text)
    for pattern, written in _SPELLING:
        text = pattern.sub(written, text)
    text = _JUST_DONE.sub("I just ", _MARKER.sub("", _CALL_TO_REMEMBER.sub("", text)))
    text = _REPEATED.sub(r"\1", _ASIDE.sub(" ", _FILLERS.sub("", text)))
    text = _LEAD.sub("", text)
    text = _HEAD.sub("", _CARD_BEHIND.sub("", _CARD_HEAD.sub("", text)))
    text = _CARD_LEAD.sub("", _SPEAKING.sub("I'm ", text))
    text = _SETTLED.sub("We decided that ", text)
    text = _TAUGHT.sub(r"Lesson from \1: ", _BARE_NOUN.sub("The ", text))
    text = KEEP_IN_MIND.sub("", text)
    text = _TAIL.sub("", text).strip(" ,;–—-")
    return _with_subject(text)


def _with_subject(text: str) -> str:
    """'Broke my wrist' is said of oneself."""
    match = _ELIDED.match(text)
    if not match:
        return text
    rest = text[match.end() :]
    lower = rest[:1].lower() + rest[1:]
    being = regex.match(
        r"(?:looking|working|living|trying|planning|hoping|thinking|allergic|based|born|currently|going|"
        r"sticking|switching|opting|dropping|settling|"
        r"done with|tired|sick|fed|busy|knee-deep|in the middle|halfway)\b",
        lower,
    )
    having = regex.match(r"been\b", lower)
    return (
        f"{match.group()}I {'am ' if being else 'have ' if having else ''}{lower}"
        if match.group()
        else (f"I {'am ' if being else 'have ' if having else ''}{lower}")
    )
