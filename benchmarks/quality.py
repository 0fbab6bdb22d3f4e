"""Whether what is asked for is found: runs an evaluation of conversations against a server of its own.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.quality --script retrieval_eval.py
           --data NAME=FOLDER [--data NAME=FOLDER …] [--port 8130] [--cache vectors.sqlite]

The script and the data are not part of this repository. The script adds every turn of a set through mem0's routes
(`infer: false`) and asks every question; it prints recall, hits and rank per category. One setting serves every set, no
model is involved, the embedder is the installation's. With --cache vectors are kept between runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.corpus import make_installation
from tenants.actions import issue_token

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60


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
    with server(arguments.port, arguments.cache) as endpoint:
        for each in arguments.data:
            name, folder = each.split("=", 1)
            print(f"## {name}", flush=True)
            evaluate(arguments.script, name, folder, endpoint, token)


@contextmanager
def server(port: int, cache: str) -> Iterator[str]:
    """A web server of the scratch installation, ready to answer."""
    environment = {**os.environ, "MEMORYAPP_EMBEDDING_CACHE": cache}
    command = [sys.executable, str(ROOT / "manage.py"), "web", "--port", str(port)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603  # our own command
    endpoint = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{endpoint}/api/v1/health/live")
        yield endpoint
    finally:
        process.terminate()
        process.wait()


def wait_for(url: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310  # loopback
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


def evaluate(script: Path, name: str, folder: str, endpoint: str, token: str) -> None:
    header = f"Authorization: Token {token}"
    command = [sys.executable, str(script), "--data", folder, "--name", name, "--endpoint", endpoint]
    subprocess.run([*command, "--header", header, "--with-captions"], check=True)  # noqa: S603  # as asked


if __name__ == "__main__":
    main()
