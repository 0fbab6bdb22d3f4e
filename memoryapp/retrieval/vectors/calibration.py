"""What a cosine of an embedder is worth: measured on built-in pairs of questions and answers, per language.

Small models squeeze their cosines into a narrow band, each model another one and each language another part of it, so
no constant tells related from unrelated texts.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from memoryapp.retrieval.vectors.pairs import PAIRS
from memoryapp.retrieval.vectors.protocol import Embedder, EmbedderUnavailable

# Measured once for the packaged embedder: computing it takes over a second, which no first question should wait for.
MEASURED: Final = Path(__file__).parent / "calibrations.json"
SHARE: Final = 90
LEAST_WIDTH: Final = 0.01
RETRIED_AFTER: Final = 60.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """The cosine that nine of ten unrelated pairs stay below, and the one that one of ten related pairs exceeds."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return max(self.high - self.low, LEAST_WIDTH)

    @property
    def same(self) -> float:
        """The cosine above which two texts say the same: half-way from plainly related to identical."""
        return (1 + self.high) / 2

    def position(self, cosine: float) -> float:
        """Where a cosine lies between unrelated (0) and plainly related (1); beyond both ends too."""
        return (cosine - self.low) / self.width


# Of an embedder that cannot be measured now: as wide as common models with a full range of cosines.
UNMEASURED: Final = Calibration(0.3, 0.7)


def calibrate(embedder: Embedder) -> dict[str, Calibration]:
    """Measure an embedder on the built-in pairs, language by language; raises EmbedderUnavailable."""
    return {language: _measure(embedder, pairs) for language, pairs in PAIRS.items()}


def _measure(embedder: Embedder, pairs: list[tuple[str, str]]) -> Calibration:
    questions = np.vstack([embedder.embed_query(question) for question, _ in pairs])
    answers = np.vstack(embedder.embed_passages([answer for _, answer in pairs]))
    cosines = questions @ answers.T
    related = np.eye(len(pairs), dtype=bool)
    low, high = np.percentile(cosines[~related], SHARE), np.percentile(cosines[related], SHARE)
    return Calibration(round(float(low), 4), round(float(high), 4))


def load_calibration(embedder: Embedder, language: str) -> Calibration:
    """The calibration of an embedder for a language, English standing in for one that was not measured.

    Another embedder than the packaged one is measured when it is first needed, so not inside a transaction.
    """
    measured = _measured(embedder.name) or _measured_now(embedder)
    return measured.get(language) or measured["en"]


@cache
def _measured(name: str) -> dict[str, Calibration]:
    known = json.loads(MEASURED.read_text(encoding="utf-8")).get(name, {})
    return {language: Calibration(low, high) for language, (low, high) in known.items()}


_measured_here: dict[str, dict[str, Calibration]] = {}
_failed_at: dict[str, float] = {}


def _measured_now(embedder: Embedder) -> dict[str, Calibration]:
    name = embedder.name
    if name in _measured_here:
        return _measured_here[name]
    if time.monotonic() - _failed_at.get(name, -RETRIED_AFTER) >= RETRIED_AFTER:
        try:
            return _measured_here.setdefault(name, calibrate(embedder))
        except EmbedderUnavailable:
            _failed_at[name] = time.monotonic()
    return {"en": UNMEASURED}
