"""Takes the pictures of the guide, every view in both themes: `python3 manage.py test tests/browser/screenshots.py`.

Not part of the suite: its name is not a test's, so that it runs only when it is named.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.jobs import beat
from memoryapp.lifecycle.usage import count_usage
from memoryapp.models import Conversation, Fact, Owner, UsageDay
from memoryapp.retrieval.indexing import embed_missing
from tenants.scoping import workspace_scope
from tests.browser.conftest import Visitor
from tests.conftest import Person
from tests.dashboard.conftest import conversation, fact  # noqa: F401  fixtures
from tests.dashboard.nights import lived_night, waiting_facts

PLACE = Path(__file__).resolve().parents[2] / "docs" / "img" / "views"
VIEWS = {
    "overview": "a/juno/overview/?charts=1",
    "playground": "a/juno/playground/?c=weekly",
    "preview": "a/juno/playground/preview/?m=What+do+you+know+about+me",
    "facts": "a/juno/facts/?category=preference&open=FACT",
    "dream": "a/juno/dreams/NIGHT/",
    "dream-candidates": "a/juno/dreams/candidates/",
    "dream-schedule": "a/juno/dreams/schedule/",
    "first-words": "a/juno/playground/first/",
    "inbox": "a/juno/inbox/",
    "recall": "a/juno/recall/?q=When+does+Alice+want+her+summary",
    "files": "a/juno/files/shared/MEMORY.md?view=split&revisions=1",
    "rules": "a/juno/rules/",
    "agents": "agents/",
    "people": "people/",
    "person": "people/OWNER/",
    "connect": "connect/",
    "usage": "usage/",
    "operations": "operations/",
    "settings": "settings/",
    "settings-model": "settings/model/",
    "settings-memory": "settings/memory/",
    "settings-sources": "settings/sources/",
    "settings-secrets": "settings/secrets/",
    "settings-access": "settings/access/",
    "settings-webhooks": "settings/webhooks/",
    "settings-backups": "settings/backups/",
    "settings-audit": "settings/audit/",
    "account": "account/",
    "second-step": "account/second-step/",
}
# The views that people open on a phone.
ON_PHONES = ("overview", "playground", "facts", "dream", "inbox", "account")
# Drawn anew by the browser: WebP is a third of PNG, and nothing has to be installed for it.
AS_WEBP = """async picture => {
    const image = new Image();
    image.src = "data:image/png;base64," + picture;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width; canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.82).split(",")[1];
}"""
SAID = {
    "identity": ("Alice runs the harbour office in Porto.", "Alice was born in Aveiro."),
    "preference": ("Alice takes her coffee without sugar.", "Alice wants answers in two sentences."),
    "project": ("The crane report is due every last Friday.", "The new quay opens in March."),
    "decision": ("The office keeps its records for ten years.",),
    "relationship": ("Rui is Alice's deputy.", "Marta does the books on Tuesdays."),
    "technical": ("The tide sensors answer on port 4840.",),
}


def furnish(alice: Person) -> None:
    """Memory worth a picture."""
    for category, texts in SAID.items():
        for text in texts:
            add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text=text, category=category))
    embed_missing(alice.workspace)
    beat()
    count_usage(alice.workspace)
    with workspace_scope(alice.workspace):
        for number, day in enumerate(UsageDay.objects.all().order_by("day")):
            week = number % 7
            day.answers, day.answer_tokens = 20 + 9 * week, 31_000 + 9_700 * week
            day.readings, day.reading_tokens = 6 + week, 9_000 + 2_100 * week
            day.dreams, day.dream_tokens = 2, 7_400
            day.messages, day.kept = 44 + 17 * week, 5 + week % 4
            day.refused = {"utility": 4 + week, "novelty": 3, "form": 2 + week % 3, "safe": week % 2}
            day.stored_facts, day.stored_messages = 1_204 + number, 8_113 + 61 * number
            day.stored_files, day.stored_vectors = 96, 1_391 + number
            day.save()


def take(visitor: Visitor, page: Any, name: str) -> None:
    """One picture of what the page shows, as far as the screen reaches."""
    shot = base64.b64encode(visitor.page.screenshot()).decode()
    packed = page.evaluate(AS_WEBP, shot)
    (PLACE / f"{name}.webp").write_bytes(base64.b64decode(packed))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", ["desk", "phone"])
def test_take(
    visit: Callable[..., Visitor],
    alice: Person,
    conversation: Conversation,  # noqa: F811
    fact: Fact,  # noqa: F811
    width: str,
    theme: str,
) -> None:
    PLACE.mkdir(parents=True, exist_ok=True)
    night = lived_night(alice)
    waiting_facts(alice, "Alice may prefer calls", "Alice seems to work on Fridays")
    furnish(alice)
    with workspace_scope(alice.workspace):
        owner = Owner.objects.visible_to(alice.principal).get(owner_key=alice.principal.owner_key)
    keys = {"FACT": fact.pk, "NIGHT": night.dream.pk, "OWNER": owner.pk}
    visitor = visit(width=width, theme=theme)
    blank = visitor.page.context.new_page()
    visitor.page.goto("/sign-in/")
    take(visitor, blank, named("sign-in", width, theme))
    visitor.sign_in(alice)
    wrong = {}
    for name, address in VIEWS.items():
        if width == "phone" and name not in ON_PHONES:
            continue
        for word, key in keys.items():
            address = address.replace(word, str(key))
        answer = visitor.page.goto(f"/w/{alice.workspace.slug}/{address}")
        if answer is None or answer.status != 200:
            wrong[name] = answer and answer.status
        visitor.page.wait_for_load_state("networkidle")
        take(visitor, blank, named(name, width, theme))
    assert not wrong


def named(view: str, width: str, theme: str) -> str:
    """The picture's name: bare on a wide light screen, else with what is different."""
    if width == "phone":
        return f"{view}-phone-{theme}"
    return view if theme == "light" else f"{view}-{theme}"
