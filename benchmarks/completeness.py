"""Whether a search finds all there is: many searches on one connection, each held against an exact scan.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.completeness [--owners 1000] [--facts 100]
           [--searches 200] [--use SLUG]

A shared index over vectors filters by owner afterwards, and a plan made for everybody takes over after some runs of a
statement: both show as results that are missing. The exact scan compares the question with every vector of the owner in
this program. With few rows an owner's search must find all of them; the nearest by meaning must be the scan's nearest.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.corpus import Corpus, Installation, fill, find_installation, make_installation
from benchmarks.tables import print_table
from benchmarks.writing import acting_as
from memoryapp.models import Embedding
from memoryapp.retrieval.search import search_memories
from memoryapp.retrieval.vectors import Vector, get_embedder
from memoryapp.retrieval.vectors.calibration import load_calibration
from tenants.scoping import workspace_scope

NEAREST = 10
# The database keeps and compares vectors in half precision: what is nearer by less may change places.
HALF_PRECISION = 0.001


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--owners", type=int, default=1_000)
    parser.add_argument("--facts", type=int, default=100)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--use", help="the slug of a workspace that an earlier run has filled")
    arguments = parser.parse_args()
    owners, corpus = [f"api:owner{number}" for number in range(arguments.owners)], Corpus()
    if arguments.use:
        installation = find_installation(arguments.use)
    else:
        installation = make_installation(f"complete-{int(time.time())}")
        fill(installation, corpus, owners, arguments.facts)
    complete = nearest = 0
    for number in range(arguments.searches):
        owner, vector = owners[number * 7 % len(owners)], corpus.vector()
        cosines = scan(installation, owner, vector)
        found = by_cosine(installation, owner, vector, limit=len(cosines))
        complete += set(found) == set(cosines)
        tenth = sorted(cosines.values(), reverse=True)[NEAREST - 1]
        nearest += all(cosines[key] >= tenth - HALF_PRECISION for key in found[:NEAREST])
    searches = arguments.searches
    print_table(("searches on one connection", "all rows found", f"the {NEAREST} nearest as by the scan"),
                [(searches, f"{complete} of {searches}", f"{nearest} of {searches}")])  # fmt: skip


def scan(installation: Installation, owner: str, vector: Vector) -> dict[str, float]:
    """How near all of the owner's rows are to the question as it is compared, computed here."""
    workspace = installation.principal.workspace
    with workspace_scope(workspace):
        rows = list(
            Embedding.objects.filter(workspace=workspace, owner_key=owner, fact__isnull=False).values_list(
                "fact_id", "vector"
            )
        )
    asked = load_calibration(get_embedder().inner).ask(vector).vector
    cosines = np.array([row[1] for row in rows], dtype=np.float32) @ asked
    return {str(row[0]): float(cosine) for row, cosine in zip(rows, cosines, strict=True)}


def by_cosine(installation: Installation, owner: str, vector: Vector, *, limit: int) -> list[str]:
    """The rows a search finds, by the cosine it reports."""
    found = search_memories(
        "no word of any text",
        principal=acting_as(installation, owner),
        agent=installation.agent,
        sources=("facts",),
        top_k=limit,
        query_vector=vector,
        explain=True,
    )
    reasons = [(hit.explain or {}, str(hit.id)) for hit in found.items]
    return [key for _, key in sorted((reason["vector"]["rank"], key) for reason, key in reasons)]


if __name__ == "__main__":
    main()
