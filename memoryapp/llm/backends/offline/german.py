"""German, in outline: who somebody is, what they prefer, decide and demand."""

from __future__ import annotations

from functools import partial

import regex

from memoryapp.llm.backends.offline.finishing import Phrasing, finish_fact
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Statement, no_guess, noise, rules
from memoryapp.llm.language.german_person import third_person

_PEOPLE = (
    r"(?:mutter|vater|eltern|schwester|bruder|geschwister|frau|mann|partner(?:in)?|freund(?:in)?|sohn|"
    r"tochter|kind(?:er)?|oma|opa|onkel|tante|cousine?|neffe|nichte|chef(?:in)?|kolleg(?:e|in)|"
    r"nachbar(?:in)?|hund|katze|kater|pferd|assistent(?:in)?|praktikant(?:in)?|ansprechpartner(?:in)?|"
    r"kunde|kundin|ärztin|arzt|vermieter(?:in)?)"
)
_TIME = (
    r"(?:\d{1,2}\. ?(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|"
    r"\d)|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|übermorgen|nächste\w* \p{L}+|"
    r"in \p{L}+ (?:tagen|wochen|monaten)|ende \p{L}+|januar|februar|märz|april|mai|juni|juli|august|"
    r"september|oktober|november|dezember|\d{4}-\d\d-\d\d)"
)

RULES = (
    *rules(
        "project", "constraint",
        r"\b(?:ich|mir|mein\w*)\b.*\b(?:verletzt|gebrochen|verstaucht|operiert|gezerrt|verrenkt|"
        r"krankgeschrieben)\b|\b(?:kann|darf)\b.*\b(?:vorerst|zurzeit|momentan|bis|wochen lang|"
        r"für \w+ (?:wochen|monate)|eine zeit ?lang)\b.*\b(?:nicht|kein\w*)\b|\b(?:vorübergehend|"
        r"bis auf weiteres)\b",
        opens=True,
    ),
    *rules(
        "rule", "rule",
        r"^(?:und |bitte )*(?:niemals|nie|immer|auf keinen fall|unter keinen umständen|grundsätzlich|"
        r"stets)\b(?!.*\bstatt\b.*\bweil\b)(?! (?:war|habe|hatte|bin)\b)",
        r"\b(?:ab (?:jetzt|sofort|heute)|von nun an|künftig|in zukunft|zukünftig|"
        r"jedes mal)\b(?!.*\bstatt\b.*\b(?:weil|wegen)\b).*\b(?:bitte|"
        r"nicht|kein\w*|immer|nur|nie|soll\w*|muss|müssen|du|sie)\b(?!.*\bentschieden\b)",
        r"^(?:bitte )?\p{L}+ (?:bitte |mich |mir |uns |die |das |den |alle )*(?:immer|nie|niemals|"
        r"nur noch|nicht mehr|grundsätzlich|stets|keine\w*)\b.*\b(?:bevor|ehe|etwas|vor|nach|ohne|wenn|"
        r"weil|auf|in|an|mit|"
        r"am)\b",
        r"\b(?:muss|müssen|darf|dürfen) (?:immer|nie|niemals|grundsätzlich|nur)\b|\b(?:verboten|"
        r"nicht erlaubt|vorschrift|pflicht)\b|\b(?:unsere|meine|die) regel\b|\bohne (?:meine|unsere|"
        r"vorherige) (?:zustimmung|freigabe|erlaubnis)\b",
        opens=True, directive=True,
    ),
    *rules(
        "decision", "decision",
        r"\b(?:haben|habe|hat)\b.*\b(?:entschieden|beschlossen|geeinigt|gewählt|ausgewählt|festgelegt)\b|"
        r"\b(?:entscheiden|entschieden) uns\b|"
        r"\bwir (?:wechseln|steigen|setzen|nehmen|nutzen|verwenden|bleiben|stellen|verzichten|behalten|"
        r"ersetzen)\b"
        r".*\b(?:weil|wegen|statt|anstelle|anstatt|da|damit|sonst)\b|"
        r"\bunsere entscheidung\b|\bgelernt:|\bfazit:",
        opens=True,
    ),
    *rules(
        "identity", "name",
        r"^(?-i:\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){1,2}), (?-i:\p{Lu}\p{Ll}+)(?: und \p{Lu}\p{Ll}+)? (?:aus|"
        r"in|bei|an|am|im|beim)\b",
        r"\bich heiße\b|\bmein (?:name|vorname|nachname|spitzname) ist\b|\b(?:nenn|nennt) mich\b|"
        r"\b(?:alle|man) nenn(?:en|t) mich\b|\bich bin (?:der |die )?(?-i:\p{Lu}\p{L}+(?: "
        r"\p{Lu}\p{L}+){0,2})(?=[,.!]| und |"
        r" aus |$)",
        opens=True,
    ),
    *rules(
        "identity", "health",
        r"\bich (?:bin|habe)\b.*\b(?:allergisch|allergie|zöliakie|diabetes|diabetiker\w*|vegan\w*|"
        r"vegetari\w+|laktoseintolerant|asthma|migräne|schwanger|glutenunverträglich\w*|laktoseintoleranz|"
        r"bluthochdruck)\b|\bich (?:kann|darf|soll) kein\w* .*\b(?:essen|trinken|vertragen|rauchen)\b|"
        r"\bich (?:esse|trinke|vertrage|rauche) (?:kein\w*|nicht|nur)\b",
        opens=True,
    ),
    *rules(
        "relationship", "person",
        rf"^(?:und )?(?:mein|unser)e?r? (?:\p{{L}}+ )?{_PEOPLE}\b.*\b(?:ist|heißt|heißen|wohnt|lebt|"
        r"arbeitet|studiert|hat|leitet|kümmert|betreut|verantwortet|wird|spielt)\b|\bist (?:mein|"
        rf"unser)e? {_PEOPLE}\b|\b(?:ist (?:zuständig|verantwortlich)|kümmert sich um|leitet)\b|"
        r"\bich bin (?:verheiratet|geschieden|verlobt|ledig)\b",
        opens=True,
    ),
    *rules(
        "identity", "work",
        r"^ich\b.*\b(?:und|,) (?:\p{L}+ )?arbeite (?:\p{L}+ )?(?:bei|als|für|in|im|am|an)\b|"
        r"\bich (?:\p{L}+ )?(?:arbeite|unterrichte|studiere|leite|lehre|forsche|führe)\b|"
        r"\bich bin (?:\p{L}+ )?(?:\p{L}*(?:er|erin|ist|istin|ent|entin|eur|eurin|ärztin|arzt|wirt|wirtin|"
        r"frau|mann|berater|leiterin|lehrling|rentner|hebamme|koch|köchin))\b|\bmein (?:beruf|job|"
        r"arbeitgeber) ist\b",
        opens=True,
    ),
    *rules(
        "identity", "residence",
        r"\bich (?:\p{L}+ )?(?:wohne|lebe|komme aus|bin (?:nach|aus)|ziehe|zog|stamme)\b|\bwir (?:wohnen|"
        r"leben|ziehen)\b|\b(?:umgezogen|gezogen)\b|\b(?:wohne|lebe) ich\b",
        opens=True,
    ),
    *rules(
        "preference", "preference",
        r"\bich (?:\p{L}+ )?(?:bevorzuge|mag|liebe|hasse|genieße|verabscheue)\b|\b(?:mir|uns) (?:ist|sind|"
        r"gefällt|gefallen)\b.*\b(?:lieber|am liebsten|wichtig)\b|\b(?:lieber|am liebsten)\b|"
        r"\bmein(?:e)? lieblings\w+|\bich (?:kann|finde)\b.*\b(?:nicht ausstehen|nicht leiden|angenehmer|"
        r"nervig|übersichtlicher)\b|\b(?:mag|trinke|esse|nutze|lese) ich (?:gern|lieber|am liebsten)\b",
        opens=True,
    ),
    *rules(
        "project", "project",
        r"\b(?:ich|wir) (?:\p{L}+ )?(?:baue|bauen|schreibe|schreiben|entwickle|entwickeln|plane|planen|"
        r"organisiere|organisieren|renoviere|renovieren|arbeite an|arbeiten an|lerne|eröffnen|starten)\b|"
        r"\b(?:ich|wir) (?:feiern?|heiraten?|fliegen?|fahren?|reisen?|veranstalten?|eröffnen?|beginnen?|"
        r"starten?|besuchen?)\b.*"
        rf"{_TIME}",
        r"\b(?:abgabe|frist|termin|hochzeit|prüfung|deadline|release|start|konferenz|umzug)\b.*\b(?:ist|"
        rf"am|bis|findet)\b.*{_TIME}|\bhaben (?:\p{{L}}+ )*.*\b(?:abgeschlossen|fertiggestellt|"
        r"veröffentlicht|unterschrieben)\b",
        opens=True,
    ),
    *rules(
        "configuration", "system",
        r"\b(?:läuft|laufen|lauscht|hört|liegt|steht|installiert|eingerichtet|konfiguriert|aktualisiert|"
        r"umgestellt)\b.*(?:\bport\b|\d|/\w|server)",
        r"^(?:mein|unser|der|die|das)e? (?:\p{L}+ )?\p{L}*(?:drucker|router|laptop|rechner|server|pc|nas|"
        r"kamera|monitor|handy|"
        r"telefon|tablet|fernseher|scanner|beamer|mikrofon|drohne|datenbank|maschine|heizung)\b.*\b(?:ist|"
        r"heißt|hat|steht)\b"
        r"(?=.*(?-i:\p{Lu}{2}|\d))",
        r"\b(?:server|rechner|datenbank|drucker|dienst)\b.*\b(?:heißt|läuft|hat|nutzt)\b",
    ),
    *rules("technical", "stack", r"\b(?:ich|wir) (?:nutze|nutzen|verwende|verwenden|benutze|benutzen|"
                                 r"programmiere|entwickeln? in|setzen .* ein)\b|\b(?:geschrieben in|"
                                 r"unser stack)\b"),
)  # fmt: skip

NOISE = (
    *noise("factual", "a question", r"\?\s*$", r"^(?:wie|was|wer|wo|wann|warum|wieso|welche\w*|wohin|"
                                               r"woher|kannst|könntest|können sie|hast|gibt es|ist das|"
                                               r"weißt)\b"),
    *noise("factual", "a hypothetical, not a fact", r"^(?:wenn|falls) (?:ich|wir) .*\b(?:würde|wäre|hätte|"
                                                    r"könnte)\w*|\b(?:angenommen|stell dir vor|"
                                                    r"ich wünschte)\b"),
    *noise("factual", "too vague to rely on", r"^(?:vielleicht|ich weiß nicht|keine ahnung|mal sehen|"
                                              r"ich überlege|ich bin (?:mir )?(?:nicht sicher|unsicher))\b"),
    *noise("factual", "said by somebody else", r"\b(?:laut|angeblich)\b|\b(?:er|sie|man|jemand|die doku|"
                                               r"der artikel) (?:sagt|sagte|meint|schreibt)\b"),
    *noise(
        "utility", "small talk",
        r"^(?:danke|vielen dank|super|toll|prima|ok(?:ay)?|alles klar|gut|ja|nein|genau|perfekt|hallo|hi|"
        r"moin|servus|guten (?:morgen|tag|abend)|tschüss|bis später|klar|verstanden|gern|bitte|passt|"
        r"schön)(?:[,!. ]+(?:danke|vielen dank|das hat geholfen|dir|ihnen|sehr|das war'?s|genau das|"
        r"mach weiter|für \p{L}+ \p{L}+|hat geklappt|wie geht'?s.*))*[,!. ]*$",
        r"^ich bin (?:so |sehr |gerade |etwas )*(?:müde|hungrig|gelangweilt|beschäftigt|wieder da|fertig|"
        r"unterwegs|im meeting)\b",
    ),
    *noise("utility", "a passing state", r"\b(?:heute|gerade|jetzt)\b.*\b(?:wetter|regen|regnet|schneit|"
                                         r"kalt|warm|heiß|stau)\b|\b(?:wetter|regnet|schneit)\b|^(?:puh|"
                                         r"ach|boah)\b"),
    *noise("utility", "a status that passes", r"\d+ ?(?:%|prozent)\s*$|\b(?:läuft noch|lädt noch|"
                                              r"wird gerade|hängt|ist fertig|abgestürzt)\b|"
                                              r"^es ist \d{1,2}[:.]\d\d"),
    *noise(
        "utility", "a request for this moment only",
        r"^(?:bitte )?(?:mach|zeig|öffne|lies|schreib|übersetze?|fass|erklär|such|finde|führ|starte?|"
        r"stopp|lösch|prüfe?|rechne|erstell|gib|hilf|nenn|liste?|korrigier|verbesser|sag|schick|ändere?|"
        r"teste?|wiederhol)e?\b(?!.*\b(?:immer|nie|künftig|ab jetzt|grundsätzlich)\b)(?! mich \p{L})",
        r"\b(?:diesmal|nur dieses mal|in dieser antwort)\b|\b(?:in|höchstens|maximal) \w+ (?:wörtern|"
        r"sätzen|zeilen)\b(?!.*\b(?:immer|künftig)\b)",
    ),
)  # fmt: skip
_LEAD = regex.compile(
    r"^(?:(?:hallo|hi|moin|guten (?:morgen|tag|abend)|ja|nein|also|übrigens|ok|okay|gut|ach|oh|danke|"
    r"nur zur info|kurz zu mir|zur info|das stimmt nicht|falsch|sorry|entschuldigung)(?:\s*[,:;.!–—-]+\s*|"
    r"\s+(?=(?:ich|wir|mein|unser)\b)))+",
    regex.IGNORECASE,
)
_TAIL = regex.compile(r"(?:[\s,;.!–—-]+(?:danke|vielen dank|bitte|ok|gruß|lg))+[\s.!]*$", regex.IGNORECASE)


def matchable(text: str) -> str:
    """The clause as the rules read it: as written, since German nouns need their capitals."""
    return text.strip(" ,;.!")


def tidy(text: str) -> str:
    """The sentence without greetings and thanks."""
    return _TAIL.sub("", _LEAD.sub("", text.strip())).strip(" ,;–—-")


def clauses(text: str) -> list[Clause]:
    """German keeps its sentences whole: the verb may come at the end."""
    return [Clause("", text)]


def render(statement: Statement, companion: bool) -> str:
    """The statement in the third person, or in the user's own words where a gender would have to be guessed."""
    words = statement.words.rstrip(".!")
    told = third_person(words)
    if statement.category == "rule":
        return told or words
    return told or f"Nutzer/in: „{words}“"


def join(bodies: list[str], category: str) -> str:
    """Several rendered sentences about one thing as one."""
    return "; ".join([bodies[0], *(regex.sub(r"^Nutzer/in (?=\p{Ll})", "", body) for body in bodies[1:])])


PHRASING = Phrasing(
    language="de",
    rule="Regel: {text}",
    dated="Stand {day}: {text}",
    noted="{text} (Stand {day})",
    unknown="{text} (Datum unbekannt, notiert am {day})",
    action=regex.compile(r"\b(?:jetzt|nun|neu\w*|ge\p{L}+t|um\p{L}+)\b"),
    unknown_date=regex.compile(r"\b(?:vor einer weile|irgendwann)\b", regex.IGNORECASE),
    past=regex.compile(r"\b(?:hat|ist|habe|haben)\b.*\bge\p{L}+"),
)

PACK = LanguagePack(
    code="de",
    rules=RULES,
    noise=NOISE,
    explicit=regex.compile(
        r"^(?:bitte )?(?:merk dir|merke dir|denk daran|vergiss nicht|notiere?|"
        r"behalte)(?:\s*[:,]\s*(?:dass )?|\s+dass\s+|\s+bitte\s+)",
        regex.IGNORECASE,
    ),
    keep_in_mind=regex.compile(
        r"(?:^|[,;.]?\s+)(?:bitte )?(?:merk dir das|denk daran|vergiss das nicht|"
        r"behalte das im kopf)[.!]*\s*$",
        regex.IGNORECASE,
    ),
    changed=regex.compile(
        r"\b(?:nicht mehr|kein\w* mehr|jetzt|nun|statt|gewechselt|umgezogen|gezogen|eigentlich|sondern|"
        r"neu\w*|aktualisiert|fertig|abgeschlossen)\b",
        regex.IGNORECASE,
    ),
    anaphoric=regex.compile(
        r"^(?:es|er|sie|das|dies\w*|dort|weil|deshalb|sonst|außerdem|beide)\b", regex.IGNORECASE
    ),
    corrected=regex.compile(
        r"^(?:(?:nein|sorry|entschuldigung|ach|moment|halt)[,.!:\s–—-]+)+(?:ich meinte?|es (?:ist|war)|"
        r"gemeint war)\s+(?P<value>[^.!?]+?)[.!]*$",
        regex.IGNORECASE,
    ),
    matchable=matchable,
    guess=no_guess,
    tidy=tidy,
    clauses=clauses,
    render=render,
    join=join,
    finish=partial(finish_fact, PHRASING),
)
