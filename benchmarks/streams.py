"""How many streams one process holds open: the first event of new ones while 10 are open, and while 500 are.

usage: MEMORYAPP_DATA_DIR=<scratch folder> python -m benchmarks.streams [--few 10] [--many 500] [--rounds 2]
           [--probes 80] [--rate 4]

Streams are opened one after the other, answered by a scripted model with a piece a second, and stay open. Then others
come at the same rate in both cases, and the time to their first event is taken: so the two differ by nothing but how
many are open. All are read to their end; one that does not end with `done` is an error. The message is always the same,
so that it is embedded once.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import httpx2

from benchmarks.corpus import Installation, connect, make_installation
from benchmarks.serving import Server, serving
from benchmarks.tables import milliseconds, percentile, print_table
from memoryapp.actions.agents import create_agent, update_agent
from memoryapp.models import Agent
from tenants.actions import issue_token

MESSAGE: Final = "Where did we leave off yesterday?"
PIECE_SECONDS: Final = 1.0
SHORT: Final = "5x0.1"
HEADS: Final = (
    "open streams",
    "first event p50 ms",
    "p95 ms",
    "finished",
    "errors",
    "MB with all open",
    "MB afterwards",
    "connections",
    "of them busy",
)
CONNECTIONS: Final = """
SELECT count(*), count(*) FILTER (WHERE state <> 'idle')
FROM pg_stat_activity WHERE usename = 'memoryapp_app'
"""


def main() -> None:
    options = read_arguments()
    installation = make_installation(f"streams-{int(time.time())}")
    long = create_agent(principal=installation.principal, name="Long", slug="long")
    update_agent(principal=installation.principal, agent=installation.agent, model=SHORT)
    token = issue_token(principal=installation.principal, name="benchmark")[1]
    with serving("benchmarks.model_server:application", options.port + 1, ready="/") as model:
        environment = {"MEMORYAPP_LLM_BASE_URL": f"{model.address}/v1", "MEMORYAPP_LLM_MODEL": SHORT}
        with serving("benchmarks.bare:application", options.port, "/bare", **environment) as product:
            run = Run(product, token, options)
            asyncio.run(run.opened(5, 0))  # everything is loaded once
            few = run.measure(installation, long, options.few)
            many = [run.measure(installation, long, options.many) for _ in range(options.rounds)]
    report(few, many)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--few", type=int, default=10)
    parser.add_argument("--many", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--probes", type=int, default=80)
    parser.add_argument("--rate", type=float, default=4.0)
    parser.add_argument("--port", type=int, default=8153)
    return parser.parse_args()


@dataclass
class Measured:
    """What came of one number of open streams."""

    open: int
    first_events: list[float] = field(default_factory=list)
    finished: int = 0
    errors: list[str] = field(default_factory=list)
    megabytes: float = 0.0
    megabytes_after: float = 0.0
    connections: int = 0
    busy: int = 0

    @property
    def row(self) -> tuple[object, ...]:
        first = [milliseconds(self.first_events, share) for share in (0.5, 0.95)]
        memory = f"{self.megabytes:.0f}", f"{self.megabytes_after:.0f}"
        return (self.open, *first, self.finished, len(self.errors), *memory, self.connections, self.busy)


class Run:
    """Streams of one server."""

    def __init__(self, product: Server, token: str, options: argparse.Namespace) -> None:
        self.product = product
        self.headers = {"Authorization": f"Bearer {token}"}
        self.pause = 1 / options.rate
        self.probes: int = options.probes

    def measure(self, installation: Installation, agent: Agent, count: int) -> Measured:
        """Hold so many open while others come, and see all of them to their end."""
        seconds = (count + self.probes) * self.pause * 1.5
        pace = f"{int(seconds / PIECE_SECONDS) + 1}x{PIECE_SECONDS}"
        update_agent(principal=installation.principal, agent=agent, model=pace)
        measured = asyncio.run(self.opened(count, self.probes))
        measured.megabytes_after = self.product.megabytes
        return measured

    async def opened(self, count: int, probes: int) -> Measured:
        measured = Measured(count)
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        async with httpx2.AsyncClient(headers=self.headers, timeout=300, limits=limits) as client:

            async def stream(agent: str) -> float | None:
                return await self.read(client, agent, measured)

            held = await self.one_by_one(count, lambda: stream("long" if probes else "bench"))
            arrived = await self.one_by_one(probes, lambda: stream("bench"))
            measured.megabytes = self.product.megabytes
            measured.connections, measured.busy = connections()
            first = [await each for each in arrived]
            measured.first_events = [seconds for seconds in first if seconds is not None]
            await asyncio.gather(*held)
        return measured

    async def one_by_one(
        self, count: int, start: Callable[[], Awaitable[float | None]]
    ) -> list[asyncio.Task[float | None]]:
        tasks: list[asyncio.Task[float | None]] = []
        for _ in range(count):
            tasks.append(asyncio.ensure_future(start()))
            await asyncio.sleep(self.pause)
        return tasks

    async def read(self, client: httpx2.AsyncClient, agent: str, measured: Measured) -> float | None:
        """The seconds to the first event of a stream that is then read to its end; None when it failed."""
        started, first, last = time.perf_counter(), None, ""
        body = {"agentId": agent, "message": MESSAGE}
        url = f"{self.product.address}/api/v1/chat/stream"
        try:
            async with client.stream("POST", url, json=body) as response:
                async for line in response.raise_for_status().aiter_lines():
                    if line.startswith("event: "):
                        first = first or time.perf_counter() - started
                        last = line
        except httpx2.HTTPError as error:
            last = repr(error)
        if last != "event: done":
            measured.errors.append(last)
            return None
        measured.finished += 1
        return first


def connections() -> tuple[int, int]:
    """How many connections the product has to the database, and how many of them are in use."""
    with connect() as connection:
        row = connection.execute(CONNECTIONS).fetchone()
    return (int(str(row[0])), int(str(row[1]))) if row else (0, 0)


def report(few: Measured, many: list[Measured]) -> None:
    print_table(HEADS, [measured.row for measured in (few, *many)])
    for measured in (few, *many):
        for error in sorted(set(measured.errors)):
            print(f"with {measured.open} open: {measured.errors.count(error)} × {error}")
    for measured in many:
        ratios = [
            percentile(measured.first_events, share) / percentile(few.first_events, share)
            for share in (0.5, 0.95)
        ]
        print(f"{measured.open} open against {few.open}: p50 × {ratios[0]:.2f}, p95 × {ratios[1]:.2f}")


if __name__ == "__main__":
    main()
