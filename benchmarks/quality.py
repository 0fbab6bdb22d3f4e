"""Whether what is asked for is found: runs an evaluation of conversations against a server of its own.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.quality --script retrieval_eval.py
           --data NAME=FOLDER [--data NAME=FOLDER …] [--port 8130] [--cache vectors.sqlite]

The script and the data are not part of this repository. The script adds every turn of a set through mem0's routes
(`infer: false`) and asks every question; it prints recall, hits and rank per category. One setting serves every set, no
model is involved, the embedder is the installation's. With --cache vectors are kept between runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.corpus import make_installation
from benchmarks.serving import running
from tenants.actions import issue_token

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--script", required=True, type=Path)
    parser.add_argument("--data", required=True, action="append", help="NAME=FOLDER")
    parser.add_argument("--port", type=int, default=8130)
    parser.add_argument("--cache", default="")
    arguments = parser.parse_args()
    token = issue_token(principal=make_installation(f"quality-{int(time.time())}").principal, name="quality")[
        1
    ]
    command = [str(ROOT / "manage.py"), "web"]
    kept = {"MEMORYAPP_EMBEDDING_CACHE": arguments.cache}
    with running(command, arguments.port, "/api/v1/health/live", **kept) as server:
        for each in arguments.data:
            name, folder = each.split("=", 1)
            print(f"## {name}", flush=True)
            evaluate(arguments.script, name, folder, server.address, token)


def evaluate(script: Path, name: str, folder: str, endpoint: str, token: str) -> None:
    header = f"Authorization: Token {token}"
    command = [sys.executable, str(script), "--data", folder, "--name", name, "--endpoint", endpoint]
    subprocess.run([*command, "--header", header, "--with-captions"], check=True)  # noqa: S603  # as asked


if __name__ == "__main__":
    main()
