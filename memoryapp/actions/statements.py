"""Finding statements in text and taking them out: what forgetting, resolving and guarding against a return share.

A statement is found however it is dressed (bullets, bold, a date in front, a reporting verb), and by the words that
carry its meaning when it is worded a little differently. It is not found in a sentence about something else that only
shares words with it: forgetting must not take more than was asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from memoryapp.actions.fact_text import normalised
from memoryapp.llm.language.vocabulary import SYNONYMS
from memoryapp.llm.language.wording import NEGATION, content_words, is_weak, stem

# What stands before a statement in notes and diaries without being part of it.
DRESSING = regex.compile(
    r"^(?:\s|[-*+>•]\s|\d+[.)]\s|\[[ xX]\]\s|#{1,6}\s|\([\w :-]{1,40}\):?\s"
    r"|\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2})?[:,]?\s|\d{2}:\d{2}[:,]?\s)*"
)
MARKUP = regex.compile(r"\*\*|__|`|~~")
QUOTES = "\"'“”‘’«»「」"
SENTENCE = regex.compile(
    r"[^.!?。！？]+(?:[.!?](?=\s|$)|[.!?](?!\s|$)[^.!?。！？]*|[。！？])*[.!?。！？\"'”’」]*\s*"
)
QUOTED = regex.compile(r"[\"“«「]([^\"“”«»「」\n]+)[\"”»」]")
REMARK = regex.compile(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*[.。]?\s*$")
CLAUSE = regex.compile(r"(?:,|;|，|；|、|:\s|\s[–—-]\s|\s(?:and|but|y|pero|und|aber)\s)")
# Verbs with which a note reports what somebody said; they add nothing to it.
REPORTING_WORDS = (
    "mention say said tell told note stat shar explain confirm report express talk describ indicat learnt record "
    "mencionó dijo comentó erwähnt sagt sagte remov add promot forget want ask kept"
)
REPORTING = frozenset(REPORTING_WORDS.split())
HAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
# What must not touch a quoted statement, or it is part of a longer word or of another claim.
SPACED = r"[\p{L}\p{N}]"
UNSPACED_BEFORE = r"[\p{L}\p{N}--说称是到为]"
UNSPACED_AFTER = r"[\p{L}\p{N}--了和与及并而但的]"
WORD = regex.compile(r"[\p{Latin}\p{N}]{3,}")
HINT_LETTERS = 3
# A word that starts like this may stand in another text under a synonym that does not.
SYNONYM_STARTS = frozenset(word[:HINT_LETTERS] for pair in SYNONYMS.items() for word in pair)
# Shorter texts are too common to be taken out of the middle of a sentence by their letters alone.
LEAST_WORDS_VERBATIM = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """A text to be found: its normalised form and the stems of its words."""

    text: str
    folded: str
    words: frozenset[str]
    strong: frozenset[str]

    @classmethod
    def of(cls, text: str, names: frozenset[str] = frozenset()) -> Statement:
        """The statement a text makes; `names` are the owner's own, which may stand for them or be left out."""
        bare = undressed(text)
        words = content_words(bare) - names
        return cls(text, normalised(bare), words, frozenset(word for word in words if not is_weak(word)))

    def anchor(self, uses: Mapping[str, int]) -> str:
        """A word without which no text can make this statement, the least used one; empty when there is none."""
        return min(self.strong, key=lambda word: (uses[word], -len(word), word), default="")

    @property
    def hint(self) -> str:
        """Letters found in every text that makes this statement; empty when synonyms leave none to be sure of."""
        raw = [(word[:HINT_LETTERS], stem(word)) for word in WORD.findall(self.text.casefold())]
        sure = [start for start, root in raw if root in self.strong and root.startswith(start)]
        pairs = [pair for pair in self.strong if len(pair) == 2 and not pair.isascii() and pair in self.text]
        plain = [word for word in sure if word not in SYNONYM_STARTS]
        return max((*plain, *pairs), key=len, default="")


@dataclass(frozen=True, slots=True)
class Cut:
    """One line that was changed: its number in the earlier text, what it was, and what is left of it."""

    line: int
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class Struck:
    """A text without certain statements, and the cuts by which it can be made whole again."""

    text: str
    cuts: tuple[Cut, ...]


class Statements:
    """A set of statements, looked up by the words of a text so that many cost little more than one."""

    def __init__(self, texts: Iterable[str], names: Iterable[str] = ()) -> None:
        self.names = frozenset().union(*(content_words(name) for name in names))
        statements = [Statement.of(text, self.names) for text in dict.fromkeys(texts)]
        uses = Counter(word for statement in statements for word in statement.strong)
        self._by_anchor: dict[str, list[Statement]] = defaultdict(list)
        for statement in statements:
            self._by_anchor[statement.anchor(uses)].append(statement)

    def __bool__(self) -> bool:
        return bool(self._by_anchor)

    @cached_property
    def hints(self) -> list[str]:
        """Letters that a text must hold to make one of the statements, one for each; empty when one has none."""
        hints = [statement.hint for found in self._by_anchor.values() for statement in found]
        return sorted(set(hints)) if all(hints) else []

    def made_by(self, text: str) -> bool:
        """Whether the text as a whole makes one of the statements and nothing else."""
        bare = undressed(text)
        words = content_words(bare) - self.names
        return any(_same(statement, bare, words) for statement in self._candidates(words))

    def inside(self, text: str) -> bool:
        """Whether the text makes one of the statements, with or without anything else."""
        return bool(self.strike(text).cuts)

    def strike(self, text: str, mark: str = "") -> Struck:
        """The text without these statements: whole lines where nothing else stands on them, else sentences or clauses.

        With a mark, it stands wherever something was taken out, and no line disappears.
        """
        kept: list[str] = []
        cuts: list[Cut] = []
        for number, line in enumerate(text.splitlines(keepends=True)):
            left = self._strike_line(line, mark)
            if left == line:
                kept.append(line)
                continue
            cuts.append(Cut(number, line, left))
            if left is not None:
                kept.append(left)
        return Struck("".join(kept), tuple(cuts)) if cuts else Struck(text, ())

    def _candidates(self, words: frozenset[str]) -> Iterator[Statement]:
        for anchor in {*words, ""} & self._by_anchor.keys():
            yield from self._by_anchor[anchor]

    def _strike_line(self, line: str, mark: str) -> str | None:
        words = content_words(undressed(line)) - self.names
        candidates = list(self._candidates(words))
        if not candidates:
            return line
        body, ending = _without_line_end(line)
        left = None if self._is_one(body, candidates) else self._strike_body(body, candidates, mark)
        if left == body and self._makes_any(body, candidates):
            left = None
        if left is None:
            return mark + ending if mark else None
        return left + ending

    def _strike_body(self, body: str, candidates: Sequence[Statement], mark: str) -> str | None:
        dressing = body[: len(body) - len(_after_dressing(body))]
        rest = body[len(dressing) :]
        left = "".join(self._strike_sentence(sentence, candidates, mark) for sentence in _sentences(rest))
        if left == rest:
            return body
        return f"{dressing}{left.strip()}" if mark or _telling(content_words(left) - self.names) else None

    def _strike_sentence(self, sentence: str, candidates: Sequence[Statement], mark: str) -> str:
        """The sentence without the clauses that make a statement; without itself when only the whole of it does."""
        gap = sentence[len(sentence.rstrip()) :]
        clauses = _clauses(sentence)
        told = [clause for clause in clauses if not self._makes_any(clause[1], candidates)]
        if not self._is_one(sentence, candidates) and 0 < len(told) < len(clauses):
            return _joined(told, sentence, mark)
        whole = self._makes_any(sentence, candidates) or not told
        if whole or any(_verbatim(statement, sentence) for statement in candidates):
            return mark + gap if mark else ""
        return sentence

    def _is_one(self, text: str, candidates: Sequence[Statement]) -> bool:
        folded = normalised(undressed(text))
        return any(statement.folded in (folded, folded.partition(": ")[2]) for statement in candidates)

    def _makes_any(self, text: str, candidates: Sequence[Statement]) -> bool:
        bare = undressed(text)
        words = content_words(bare) - self.names
        return any(_same(statement, bare, words) for statement in candidates)


def undressed(text: str) -> str:
    """The text without bullets, dates, emphasis, quotation marks around it and a remark in brackets behind."""
    bare = MARKUP.sub("", _after_dressing(text)).strip()
    return (REMARK.sub("", bare) or bare).strip(QUOTES + " \t\n")


def pieces(text: str) -> list[str]:
    """A text's lines, sentences and clauses, each of which may make a statement of its own."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        body = _after_dressing(line)
        for sentence in (body, *_sentences(body)):
            found.update(
                dict.fromkeys((sentence.strip(), *(clause.strip() for _, clause in _clauses(sentence))))
            )
        found.update(dict.fromkeys(QUOTED.findall(body)))
    return [piece for piece in found if piece]


def restored(text: str, cuts: Iterable[Cut]) -> str:
    """The text with cut lines back where they were; where it changed meanwhile, as near to it as can be told."""
    lines = text.splitlines(keepends=True)
    for cut in cuts:
        if cut.after is not None and cut.after in lines:
            lines[lines.index(cut.after)] = cut.before
            continue
        at = min(cut.line, len(lines))
        if at and not lines[at - 1].endswith("\n"):
            lines[at - 1] += "\n"
        lines.insert(at, cut.before)
    return "".join(lines)


def _after_dressing(text: str) -> str:
    match = DRESSING.match(text)
    return text[match.end() :] if match else text


def _same(statement: Statement, bare: str, words: frozenset[str]) -> bool:
    """Whether a text says this and no more: the same letters, or the same words with at most a few that add nothing."""
    folded = normalised(bare)
    if statement.folded in (folded, folded.partition(": ")[2]):
        return True
    if not statement.words or not statement.words <= words:
        return False
    if (NEGATION in words) != (NEGATION in statement.words):
        return False
    extra = _telling(words - statement.words)
    # One more character of an unspaced script makes another word.
    return len(extra) <= len(statement.strong) // 3 and not any(HAN.match(word) for word in extra)


def _telling(words: Iterable[str]) -> set[str]:
    """The words that say something by themselves."""
    return {word for word in words if not is_weak(word) and word not in REPORTING}


def _verbatim(statement: Statement, sentence: str) -> bool:
    """Whether a sentence quotes a statement, between quotation marks or so long that it must be meant."""
    if any(normalised(quoted) == statement.folded for quoted in QUOTED.findall(sentence)):
        return True
    if len(statement.strong) < LEAST_WORDS_VERBATIM:
        return False
    before, after = (UNSPACED_BEFORE, UNSPACED_AFTER) if HAN.search(statement.folded) else (SPACED, SPACED)
    pattern = rf"(?<!{before}){regex.escape(statement.folded)}(?!{after})"
    return bool(regex.search(pattern, normalised(MARKUP.sub("", sentence)), flags=regex.VERSION1))


def _without_line_end(line: str) -> tuple[str, str]:
    body = line.rstrip("\n")
    return body, line[len(body) :]


def _sentences(body: str) -> list[str]:
    found = SENTENCE.findall(body)
    return found if "".join(found) == body else [body]


def _clauses(sentence: str) -> list[tuple[str, str]]:
    """The clauses, each with what joined it to the one before."""
    joints = [match.group() for match in CLAUSE.finditer(sentence)]
    return list(zip(["", *joints], CLAUSE.split(sentence), strict=True))


def _joined(clauses: Sequence[tuple[str, str]], sentence: str, mark: str) -> str:
    """What is left of a sentence, closed as it was; the mark stands once, in front."""
    body, gap = sentence.rstrip(), sentence[len(sentence.rstrip()) :]
    text = (clauses[0][1].lstrip() + "".join(joint + clause for joint, clause in clauses[1:])).rstrip()
    closing = body[-1] if body[-1] in ".!?。！？" and not text.endswith(body[-1]) else ""
    return (f"{mark} " if mark else "") + text + closing + gap
