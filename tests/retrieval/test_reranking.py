"""A cross-encoder behind an endpoint has the last word on the order, and none at all while it is down."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.conftest import Call, Person
from tests.retrieval.conftest import Remember

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = "/memory/juno/facts/search"
FACTS = ["The ferry leaves at nine", "The ferry is painted blue", "The ferry has a small café"]


class Judge(ThreadingHTTPServer):
    """An endpoint that likes long texts, in the words of one vendor or another."""

    vendor = "cohere"
    bodies: list[dict[str, Any]]

    def answer(self, body: dict[str, Any]) -> tuple[int, Any]:
        self.bodies.append(body)
        scored = [(place, len(text) / 100) for place, text in enumerate(body["documents"])]
        scored.sort(key=lambda pair: -pair[1])
        if self.vendor == "down":
            return 503, {"message": "down"}
        if self.vendor == "forgetful":
            return 200, {
                "results": [{"index": place, "relevance_score": score} for place, score in scored[1:]]
            }
        if self.vendor == "tei":
            return 200, [{"index": place, "score": score} for place, score in scored]
        return 200, {"results": [{"index": place, "relevance_score": score} for place, score in scored]}


class Handler(BaseHTTPRequestHandler):
    server: Judge

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, answer = self.server.answer(body) if self.path == "/v1/rerank" else (404, {})
        payload = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests say what went wrong."""


@pytest.fixture
def judge(settings: Any) -> Iterator[Judge]:
    with Judge(("127.0.0.1", 0), Handler) as server:
        server.bodies = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.RERANK_BASE_URL = f"http://127.0.0.1:{server.server_port}/v1"
        settings.RERANK_MODEL = "judge"
        yield server
        server.shutdown()


def found(call: Call, alice: Person, **options: Any) -> list[dict[str, Any]]:
    answer = call(alice, "POST", SEARCH, {"query": "When does the ferry leave?", **options})
    assert answer.status_code == 200
    results: list[dict[str, Any]] = json.loads(answer.content)["results"]
    return results


@pytest.mark.parametrize("vendor", ["cohere", "tei"])
def test_the_best_stand_in_the_order_of_the_reranker(
    call: Call, alice: Person, remember: Remember, judge: Judge, vendor: str
) -> None:
    judge.vendor = vendor
    for text in FACTS:
        remember(alice, text)
    results = found(call, alice, explain=True)
    assert [hit["text"] for hit in results] == sorted(FACTS, key=len, reverse=True)
    assert [hit["explain"]["rerank"]["rank"] for hit in results] == [1, 2, 3]
    assert [hit["score"] for hit in results] == sorted((hit["score"] for hit in results), reverse=True)
    (body,) = judge.bodies
    assert (body["model"], body["query"]) == ("judge", "When does the ferry leave?")
    assert len(found(call, alice, topK=1)) == 1


@pytest.mark.parametrize("vendor", ["down", "forgetful"])
def test_one_that_fails_leaves_the_order(
    call: Call, alice: Person, remember: Remember, judge: Judge, vendor: str
) -> None:
    judge.vendor = vendor
    for text in FACTS:
        remember(alice, text)
    results = found(call, alice, explain=True)
    assert results[0]["text"] == "The ferry leaves at nine"
    assert "rerank" not in results[0]["explain"]
