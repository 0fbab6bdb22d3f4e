"""From sentences to statements: noise is told apart, clauses are matched with the rules, reasons stay attached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from memoryapp.llm.backends.offline.packs import pack_for
from memoryapp.llm.backends.offline.splitting import opens_own_fact
from memoryapp.llm.backends.offline.statements import Clause, LanguagePack, Noise, Rule, Sentence, Statement
from memoryapp.llm.language.han import compile_both

# "Pets make us happy and never let us down": a second verb of the same subject, no order.
_GOES_ON = regex.compile(r"^,? ?and (?:never|always)\b(?! (?:without|before|unless)\b)", regex.IGNORECASE)
_GIVES_REASON = regex.compile(r"\b(?:because|since|as|so that|porque|ya que)\b", regex.IGNORECASE)
_RESUMES = regex.compile(r"(?:but |so )?any(?:way|ways|how)\b[,:]? +(?=\S)", regex.IGNORECASE)
# "Vive en Baker Street y nunca desayuna" orders nobody; a ban would be "y nunca desayunes".
_GOES_ON_ES = regex.compile(r"^,? ?y (?:nunca|jamás) (?!se\b)\p{L}+[ae]\b", regex.IGNORECASE)
_CARRIES_ON = {"en": _GOES_ON, "es": _GOES_ON_ES}
_OF_OTHERS = regex.compile(r"(?:they|he|she)\b", regex.IGNORECASE)
_ONCE = compile_both(
    r"(?:上[次回周]|上个?月|去年|前年|之前|以前|曾经|那次|有一次|"
    r"(?:年初|[一二三四五六七八九十\d]{1,2}月份?)(?=.*了)|"
    r"last time\b|once\b|la última vez|el (?:año|mes) pasado|la semana pasada|una vez|letztes mal)",
    regex.IGNORECASE,
)
_ONLY_NOW = regex.compile(
    r"\b(?:just this once|(?:for|in) this (?:one|answer|message|reply|task|question|letter|response|case))\b",
    regex.IGNORECASE,
)
_OF_THE_MOMENT = frozenset(("a passing state", "small talk"))
REPORTED = "said by somebody else"
ONE_TIME = "a request for this moment only"
PASSING_STATUS = "a status that passes"
ABOUT_THE_OTHER = "said of the other and not of oneself"
NOT_RECOGNISED = "states nothing that the rules recognise"
# What a sentence is as a whole, whatever its clauses look like by themselves.
_SPOILS_ALL = frozenset(
    ("denies something that nobody needs to know", "said by somebody else", "a hypothetical, not a fact")
)


@dataclass(frozen=True, slots=True)
class Unkept:
    """A sentence that holds nothing worth keeping, with the gate that says so."""

    sentence: Sentence
    gate: str
    reason: str


@dataclass(frozen=True, slots=True)
class _Reading:
    clause: Clause
    rule: Rule | None
    noise: Noise | None
    # The rule that the clause would follow were it not noise.
    shadowed: Rule | None = None


def recognise(sentence: Sentence, *, companion: bool) -> list[Statement] | Unkept:
    """The statements of one sentence, or why there is none."""
    pack = pack_for(sentence.language)
    # What somebody asks to be remembered may be as small as a companion's memory keeps it.
    companion = companion or sentence.explicit
    whole = find_noise(sentence.text, pack)
    if whole and whole.reason in _SPOILS_ALL:
        return Unkept(sentence, whole.gate, whole.reason)
    clauses = pack.clauses(sentence.text)
    if pack.standing_order.match(pack.matchable(sentence.text)):
        return [Statement("rule", "rule", sentence, clauses)]
    readings = [_read(clause, sentence, pack, companion, first=at == 0) for at, clause in enumerate(clauses)]
    statements = _assemble(sentence, _with_setting(readings), pack)
    if statements:
        return _under_its_topic(statements, sentence, clauses, pack, companion)
    if whole is None and not any(reading.noise for reading in readings):
        guessed = pack.guess(sentence.text, pack.matchable(sentence.text), companion)
        if guessed:
            return [Statement(*guessed, sentence, clauses, guessed=True)]
    if sentence.explicit and not (whole and whole.gate == "factual"):
        return [Statement(_category_by_default(sentence), "remembered", sentence, clauses)]
    noise = whole or _noise_of(readings)
    if noise:
        return Unkept(sentence, noise.gate, noise.reason)
    return Unkept(sentence, "factual", NOT_RECOGNISED)


def _under_its_topic(
    statements: list[Statement],
    sentence: Sentence,
    clauses: list[Clause],
    pack: LanguagePack,
    companion: bool,
) -> list[Statement]:
    """'Kitchen move: cupboards on 2 June, …': what stands before the colon says what kind of thing it is."""
    first = statements[0]
    if (
        len(clauses) > 1
        and clauses[1].joint.strip() == ":"
        and first.category in ("configuration", "technical")
    ):
        guessed = pack.guess(sentence.text, pack.matchable(sentence.text), companion)
        if guessed and guessed[0] == "project":
            first.category, first.kind = guessed
    return statements


def _noise_of(readings: list[_Reading]) -> Noise | None:
    """What spoils the sentence; a passing remark beside something that was told does not."""
    found = [reading.noise for reading in readings if reading.noise]
    if not found or (len(found) < len(readings) and all(one.reason in _OF_THE_MOMENT for one in found)):
        return None
    return found[0]


def _read(
    clause: Clause, sentence: Sentence, pack: LanguagePack, companion: bool, *, first: bool
) -> _Reading:
    """What a clause is: an instance of a rule, noise, or neither."""
    noise = None if _GIVES_REASON.search(clause.joint) else find_noise(clause.text, pack)
    # Chinese leaves out the subject after the first clause, so that any verb there would look like an order.
    if noise and noise.reason == ONE_TIME and not first and pack.code == "zh":
        noise = None
    rule = find_rule(clause.text, pack, companion)
    if (
        rule
        and rule.directive
        and not first
        and pack.code in _CARRIES_ON
        and _CARRIES_ON[pack.code].match(f"{clause.joint}{clause.text}".strip())
    ):
        rule = None
    if noise and rule and (noise.spares_rules or _is_standing(noise, rule, sentence)):
        noise = None
    return _Reading(clause, None if noise else rule, noise, rule if noise else None)


def _with_setting(readings: list[_Reading]) -> list[_Reading]:
    """What looks of the moment by itself is the setting of a fact that the sentence goes on to tell."""
    if not any(reading.rule for reading in readings):
        return readings
    return [
        _Reading(reading.clause, reading.shadowed, None)
        if reading.shadowed and reading.noise and reading.noise.reason in _OF_THE_MOMENT
        else reading
        for reading in readings
    ]


def _is_standing(noise: Noise, rule: Rule, sentence: Sentence) -> bool:
    """Whether what looks like an order for this moment is one for good."""
    if noise.reason == ABOUT_THE_OTHER:
        return rule.category == "rule"
    return noise.gate == "utility" and (
        sentence.explicit
        or (
            noise.reason == ONE_TIME
            and (rule.directive or rule.kind == "name")
            and not _ONLY_NOW.search(sentence.text)
        )
        # "Don't restart it, a simulation is running": the status is why.
        or (noise.reason == PASSING_STATUS and rule.directive and rule.category == "rule")
    )


def find_noise(text: str, pack: LanguagePack) -> Noise | None:
    """The first kind of noise the text is."""
    return _find_noise(text, pack.code)


# A clause is often the whole sentence, and the gates ask again what the reading asked.
@lru_cache(maxsize=2048)
def _find_noise(text: str, code: str) -> Noise | None:
    pack = pack_for(code)
    plain = pack.matchable(text)
    return next((noise for noise in pack.noise if noise.pattern.search(text if noise.cased else plain)), None)


def find_rule(text: str, pack: LanguagePack, companion: bool) -> Rule | None:
    """The first rule the clause follows."""
    return _find_rule(text, pack.code, companion)


@lru_cache(maxsize=2048)
def _find_rule(text: str, code: str, companion: bool) -> Rule | None:
    pack = pack_for(code)
    plain = pack.matchable(text)
    for rule in pack.rules:
        if (companion or not rule.companion) and rule.pattern.search(text if rule.cased else plain):
            return rule
    return None


def _assemble(sentence: Sentence, readings: list[_Reading], pack: LanguagePack) -> list[Statement]:
    found: list[Statement] = []
    waiting: list[Clause] = []
    for reading in readings:
        clause, rule = reading.clause, reading.rule
        if reading.noise:
            if (
                found
                and found[-1].category == "rule"
                and (reading.noise.reason == REPORTED or _ONCE.match(clause.text))
            ):
                # What somebody said is no fact of its own, but a good reason for a rule.
                found[-1].clauses.append(clause)
            continue
        if _RESUMES.match(clause.text):
            # "On the train, anyway: …": what was said before it is beside the point.
            waiting, clause = [], Clause(clause.joint, _RESUMES.sub("", clause.text))
        leans = pack.anaphoric.match(clause.text) is not None
        if rule and (not found or (opens_own_fact(rule, found[-1], clause) and not leans)):
            # "They took out the wall, …": of whom, the sentence does not say.
            waiting = [one for one in waiting if not _OF_OTHERS.match(one.text)]
            first, *rest = [*waiting, clause] if not found else [clause]
            found.append(Statement(rule.category, rule.kind, sentence, [_opening(first), *rest]))
            waiting = []
        elif found:
            found[-1].clauses.append(clause)
        else:
            waiting.append(clause)
    return found


def _opening(clause: Clause) -> Clause:
    return Clause("", clause.text)


def _category_by_default(sentence: Sentence) -> str:
    return "project" if any(char.isdigit() for char in sentence.text) else "configuration"
