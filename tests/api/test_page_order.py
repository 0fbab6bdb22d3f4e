"""Lists are read page by page: their order is total, or rows of one moment come twice or never."""

from __future__ import annotations

import re

from django.test import Client
from django.utils import timezone

from memoryapp.models import Event
from tests.conftest import Call, Person
from tests.isolation_world import all_routes, make_world
from tests.query_counts import counted

# A length that no other statement is limited to.
LENGTH = 37
PAGED = {"count", "next", "previous", "results"}
ENDS_IN_THE_KEY = re.compile(rf'ORDER BY [^()]*"id" (ASC|DESC) LIMIT {LENGTH}$')
# Their pages are cut from what was put together from several tables, in Python.
TOGETHER = {"dream-candidates", "fact-provenance", "mem0-entities", "mem0-hosted-entities", "schedules"}
LEAST_LISTS = 20


def test_every_list_ends_its_order_in_the_key(client: Client, alice: Person) -> None:
    world = make_world(alice)
    asked = {"pageSize": LENGTH, "page_size": LENGTH, "user_id": "ann"}
    lists, loose = set(), {}
    for route, pattern in all_routes().items():
        name = route.removeprefix("api:")
        path = re.sub(r"<\w+:(\w+)>", r"{\1}", pattern)
        if ":" in name or not set(re.findall(r"{(\w+)}", path)) <= set(world.ids):
            continue
        with counted() as statements:
            answer = client.get(world.path(path), query_params=asked, headers=alice.headers)
        if answer.streaming:
            b"".join(answer.streaming_content)
            continue
        told = answer.json() if answer.headers.get("Content-Type") == "application/json" else None
        if not isinstance(told, dict) or not set(told) >= PAGED:
            continue
        lists.add(name)
        if not any(ENDS_IN_THE_KEY.search(sql) for sql in statements.statements):
            loose[name] = statements.statements
    assert len(lists) >= LEAST_LISTS
    assert set(loose) == TOGETHER & lists, loose


def test_rows_of_one_moment_are_each_shown_once(call: Call, alice: Person) -> None:
    moment = timezone.now()
    made = [
        Event(
            workspace=alice.workspace,
            owner_key=alice.principal.owner_key,
            kind="extract",
            created_at=moment,
            status="SUCCEEDED",
        )
        for _ in range(50)
    ]
    Event.objects.bulk_create(made)
    pages = [call(alice, "GET", f"/events?pageSize=20&page={page}").json() for page in (1, 2, 3)]
    seen = [row["id"] for page in pages for row in page["results"]]
    assert sorted(seen) == sorted({str(event.pk) for event in Event.objects.all()})
