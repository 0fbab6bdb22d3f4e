"""English: choices, reasons and lessons."""

from __future__ import annotations

from memoryapp.llm.backends.offline.english.pieces import SPEAKER
from memoryapp.llm.backends.offline.statements import rules

DECISIONS = (
    *rules(
        "decision", "decision",
        rf"{SPEAKER} (?:decided|decide|chose|chosen|picked|opted|settled on|agreed|concluded|resolved|"
        r"committed to|went with|going with|(?:went|going) for(?=.*\b(?:over|instead|rather than|"
        r"because)\b)|will go with|go with|ended up (?:choosing|"
        r"picking|with)|"
        r"ruled out|rejected|standardi[sz]ed on|standardi[sz]ing on|(?:adopted|adopting)(?!.*\b(?:pups?|"
        r"kitty|bunny|animal|pets?|dog|cat|"
        r"puppy|kitten|child|boy|girl|baby|greyhound|rabbit|pet|son|daughter)\b)|sticking with|dropped(?! "
        r"(?:off|by|in|out|it|them|my|the kids)\b)|"
        r"dropping|ditched|ditching|abandoned|abandoning|scrapped|voted|turned down|"
        r"said no to)\b(?! (?:up|it|that|to (?:ask|say|"
        r"write) you)\b)",
        r"\b(?:the|our|my|final) decision\b.*\b(?:is|was|stands|:)",
        r"^(?:final |our |the )?decision\b[^:]{0,40}:",
        r"\bit (?:is|was|has been) (?:decided|settled|agreed)\b|\bmade up (?:my|our) minds?\b",
        r"\b(?:the team|the board|management|the committee|everyone|everybody|the council|the family|"
        r"the owners?|"
        r"the client|the jury|the editors?) (?:has |have |just |finally )*(?:decided|chose|chosen|agreed|"
        r"voted|settled|"
        r"opted|picked|ruled out|rejected|dropped|scrapped|turned down|adopted|gone with|went with|went for|"
        r"goes with|going with|going for)\b",
        r"\blessons? (?:learn(?:ed|t)|here)\b|^(?:so |ok |the |our |one |a |another |main |big |end "
        r")*(?:final(?:ly)?|bottom line|outcome|result|lesson|"
        r"takeaway|moral|upshot|"
        r"verdict|conclusion|consensus)s?\b[^:]{0,50}(?::| is\b| was\b)",
        r"^(?:the|our|my) [\w' -]{3,40}? (?:has |have |just |finally |all )*(?:decided|chose|chosen|voted|"
        r"agreed|settled on|"
        r"opted|ruled out|rejected|gone with|went with|turned down)\b",
        r"\b(?:the )?vote (?:was|went)\b|\bunanimous(?:ly)?\b",
        r"^(?:(?:i|we) (?:am|are) no longer using|we (?:no longer use|have stopped using|stopped using)) "
        r"(?!it\b|this\b|that\b)"
        r"[\w.+# -]{2,30}$",
        r"^(?:i|we) (?:will not|are not going to|am not going to|are no longer|am no longer|will no longer) "
        r"(?:be )?"
        r"(?!able|on\b|in\b|at\b|see|know|forget|say|tell|lie|miss|let)\w+\b.*(?::|;|, (?:it|they|the|that|"
        r"because|as|"
        r"since)|\b(?:because|since|as)\b)",
        r"^(?:i|we) (?:am|are) (?:definitely |certainly )?not (?:renewing|extending|taking|buying|selling|"
        r"moving|hiring|"
        r"publishing|continuing|signing|joining|keeping|offering|accepting|going (?:with|ahead)|migrating|"
        r"upgrading|"
        r"supporting|replacing|building|switching|opening|closing)\b(?! (?:it|this|that)\b)",
        r"^(?:so )?(?:we|i) (?:stay|keep|stick|remain|go|continue)(?:s|ing)? (?:on|with|at|to|using|in) "
        r".*\b(?:instead of|"
        r"rather than|over|and not)\b",
        r"^(?:instead of|rather than) [^,]{2,50}?,? (?:we|i) (?:will|are|have|am|go|use|now|just|decided)\b",
        r"^(?:so |and )?we (?:will|are going to) (?:keep|stay|stick|hold on to|continue|skip|retain|leave|"
        r"not|drop|go with|"
        r"use|move|switch|build|buy|rent)\b(?!.*\b(?:tomorrow|tonight|later|today|see if|and "
        r"see)\b).*\b(?:would|because|"
        r"since|as|otherwise|so that|due to|instead of|rather than|for (?:at least|now|another)|until)\b",
        rf"{SPEAKER} (?:keep|stay|stick|hold on to|continue|skip|avoid|retain|leave)\b.*\b(?:because|"
        r"since|as it|"
        r"so that|due to)\b",
        rf"{SPEAKER} learn(?:ed|t) (?:that|the hard way|to)\b",
        r"^(?:and |so )?what (?:i|we|the team) (?:have )?learn(?:ed|t)\b[^:]*(?::| is\b| was\b)",
        r"\b(?:learn(?:ed|t) the hard way)\b",
        r"\b(?:root cause|culprit) (?:was|is|turned out)\b",
        r"\bit turned out (?:that )?\b",
        r"^let us (?:go with|use|stick with|stick to|keep|pick|choose|take|drop|skip)\b.*\b(?:because|"
        r"since|as|due to)\b|\b(?:the|our) choice (?:fell on|is|was)\b|\b(?:won|wins) (?:out )?over\b",
        r"^in the end,? (?:i|we) (?:took|chose|picked|went|decided|kept|bought)\b",
        rf"{SPEAKER} (?:switched|switching|will switch|moved|moving|migrated|migrating|changed|changing|"
        r"replaced|replacing|swapped)\b.*\b(?:because|since|due to|as it|so that|to save|in order to)\b",
        rf"{SPEAKER} (?:use|using|going to use|will use|keep|keeping|will keep)\b.*\b(?:instead of|"
        r"rather than|"
        r"over)\b.*\b(?:because|since|due to|as|so that|for)\b",
        rf"{SPEAKER} (?:will|going to) (?:use|host|build|run|ship|sell|start|stop|skip|cancel|"
        r"postpone)\b.*\b(?:instead of|rather than|because|since|due to)\b",
        opens=True,
    ),
)  # fmt: skip
