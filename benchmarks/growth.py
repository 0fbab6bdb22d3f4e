"""What an owner of constant size pays for the data of others: the same searches while everybody else's data grows.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.growth [--sizes 10000 100000] [--searches 200]

One owner has 100 facts from the beginning. Between the measurements other owners of 100 facts are added until the table
has the next size.
"""

from __future__ import annotations

import argparse
import time

from benchmarks.corpus import Corpus, fill, make_installation
from benchmarks.speed import Run, timed
from benchmarks.tables import milliseconds, percentile, print_table

OWN = 100


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--searches", type=int, default=200)
    arguments = parser.parse_args()
    installation, corpus = make_installation(f"growth-{int(time.time())}"), Corpus()
    fill(installation, corpus, ["api:constant"], OWN)
    run, filled, before = Run(installation, corpus, arguments), OWN, 0.0
    rows = []
    for size in arguments.sizes:
        others = [f"api:other-{number}" for number in range(filled // OWN, size // OWN)]
        fill(installation, corpus, others, OWN, progress=False)
        filled = size
        questions = corpus.questions(corpus.texts(arguments.searches))
        times = [timed(run.search, "api:constant", question, corpus.vector())[0] for question in questions][
            10:
        ]
        middle = percentile(times, 0.5)
        rows.append(
            (
                f"{size:,}",
                milliseconds(times, 0.5),
                milliseconds(times, 0.95),
                f"{middle / before:.2f}" if before else "",
            )
        )
        before = middle
    print_table(("facts in all", "p50 ms", "p95 ms", "against the size before"), rows)


if __name__ == "__main__":
    main()
