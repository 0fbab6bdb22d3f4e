"""What nearness is worth under an embedder: measured on built-in pairs of questions and answers in several languages.

Small models put all texts into one corner of their space: cosines lie in a narrow band, another one for every language
and every question, and some texts are near to whatever is asked. So a question is compared without half of what all
questions have in common, and each of its nearnesses is held against those it has to built-in texts about other things.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from memoryapp.retrieval.tokens import is_unspaced
from memoryapp.retrieval.vectors.pairs import PAIRS
from memoryapp.retrieval.vectors.protocol import Embedder, EmbedderUnavailable, Vector

Matrix: TypeAlias = npt.NDArray[np.float32]

# How much of what questions have in common is left out. All of it finds fewer of the long answers of an assistant.
COMMON_SHARE: Final = 0.5
# Of the built-in texts the tenth nearest to a question: those on its own subject, in every language, are nearer.
UNRELATED: Final = 90
LEAST_WIDTH: Final = 0.01
UNSPACED_TEXTS: Final = np.array([is_unspaced(text) for pairs in PAIRS.values() for _, text in pairs])
RETRIED_AFTER: Final = 60.0
FOLDER: Final = Path(__file__).parent / "measured"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's vector as it is compared, and where nearness to it begins to mean something."""

    vector: Vector
    low: float
    width: float
    # The same for texts of the other kind of script, which are all less near to it.
    low_across: float

    def above(self, nearness: float, *, across: bool) -> float:
        """By how much a nearness exceeds what means nothing; `across` from one kind of script to the other."""
        return nearness - (self.low_across if across else self.low)

    def position(self, nearness: float, *, across: bool) -> float:
        """Where a nearness lies between perhaps related (0) and plainly related (1); beyond both ends too."""
        return self.above(nearness, across=across) / self.width


@dataclass(frozen=True, slots=True)
class Calibration:
    """What all questions have in common, texts to hold a question against, and what is plain from them."""

    centre: Vector
    texts: Matrix
    # Above the nearness of unrelated texts: where related ones begin, and where hardly any unrelated one reaches.
    low: float
    high: float
    # The cosine above which two texts say the same.
    same: float

    @property
    def width(self) -> float:
        return max(self.high - self.low, LEAST_WIDTH)

    def ask(self, vector: Vector, *, unspaced: bool = False) -> Asked:
        """A question's vector as it is compared with those of texts; `unspaced` is one in Chinese, Japanese, Korean."""
        asked = vector - COMMON_SHARE * self.centre
        if not len(self.texts):
            return Asked(asked, self.low, self.width, self.low)
        nearness = self.texts @ asked
        across = nearness[unspaced != UNSPACED_TEXTS]
        lows = (float(np.percentile(each, UNRELATED)) + self.low for each in (nearness, across))
        low, low_across = lows
        return Asked(asked, low, self.width, min(low, low_across))


# Of an embedder that cannot be measured now: as wide as common models with a full range of cosines.
UNMEASURED: Final = Calibration(np.zeros(1, np.float32), np.empty((0, 0), np.float32), 0.3, 0.7, 0.85)


def calibrate(embedder: Embedder) -> Calibration:
    """Measure an embedder on the built-in pairs; raises EmbedderUnavailable."""
    return from_vectors(*vectors_of_pairs(embedder))


def vectors_of_pairs(embedder: Embedder) -> tuple[Matrix, Matrix]:
    """The vectors of the built-in questions and of their answers, in order."""
    pairs = [pair for language in PAIRS.values() for pair in language]
    questions = np.vstack(embedder.embed_queries([question for question, _ in pairs]))
    return questions, np.vstack(embedder.embed_passages([answer for _, answer in pairs]))


def from_vectors(questions: Matrix, answers: Matrix) -> Calibration:
    """What the vectors of the built-in pairs tell."""
    centre: Vector = questions.mean(axis=0)
    nearness = (questions - COMMON_SHARE * centre) @ answers.T
    above = (nearness - np.percentile(nearness, UNRELATED, axis=1, keepdims=True)).astype(np.float32)
    related = np.diagonal(above)
    unrelated = np.concatenate(list(_others_of_a_language(above)))
    noise = np.percentile(unrelated, 97)
    low = max(noise, (noise + np.percentile(related, 10)) / 2)
    # An embedder to which nothing is plain is not made to look sure: a step is no less than what chance makes.
    high = max(np.percentile(related, 90), low + unrelated.std())
    same = (1 + np.percentile(np.diagonal(questions @ answers.T), 90)) / 2
    return Calibration(centre, answers, float(low), float(high), float(same))


def _others_of_a_language(above: Matrix) -> Iterator[Matrix]:
    """The figures of questions with others' answers; in another language their own answer stands once more."""
    starts = np.cumsum([0, *(len(pairs) for pairs in PAIRS.values())])
    for start, end in pairwise(starts):
        yield above[start:end, start:end][~np.eye(end - start, dtype=bool)]


def load_calibration(embedder: Embedder) -> Calibration:
    """The calibration of an embedder.

    Another embedder than the packaged one is measured when it is first needed, so not inside a transaction.
    """
    return _measured(embedder.name) or _measured_now(embedder)


@cache
def _measured(name: str) -> Calibration | None:
    """What was measured once for the packaged embedder: it takes seconds, which no first question should wait for."""
    path = FOLDER / f"{name}.npz"
    if path.parent != FOLDER or not path.exists():
        return None
    with np.load(path) as kept:
        return from_vectors(*(kept[part].astype(np.float32) for part in ("questions", "answers")))


_measured_here: dict[str, Calibration] = {}
_failed_at: dict[str, float] = {}


def _measured_now(embedder: Embedder) -> Calibration:
    name = embedder.name
    if name in _measured_here:
        return _measured_here[name]
    if time.monotonic() - _failed_at.get(name, -RETRIED_AFTER) >= RETRIED_AFTER:
        try:
            return _measured_here.setdefault(name, calibrate(embedder))
        except EmbedderUnavailable:
            _failed_at[name] = time.monotonic()
    return UNMEASURED
