"""Writing into a memory file: four strategies, over the API and as a tool, and nothing put in twice with success."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from memoryapp.models import FileRevision, WorkspaceFile
from memoryapp.tools import TOOLS, ToolContext, call_tool
from tenants.scoping import workspace_scope
from tests.conftest import Call, Person

FILES = "/agents/juno/workspace/files"
NOTES = "# Notes\n\n## Pending checks #soon\n\n- old\n\n## Archive\n\n- done\n\n## Config\n\n- port: 80\n- Host: a\n"


def put(call: Call, who: Person, content: str = NOTES, path: str = "notes.md") -> None:
    assert call(who, "PUT", f"{FILES}/{path}", {"content": content}).status_code in {200, 201}


def write(
    call: Call, who: Person, strategy: str, content: str, *, path: str = "notes.md", **more: Any
) -> Any:
    return call(
        who, "POST", f"{FILES}/{path}/write-memory", {"strategy": strategy, "content": content, **more}
    )


def text(call: Call, who: Person, path: str = "notes.md") -> str:
    content: str = call(who, "GET", f"{FILES}/{path}").json()["content"]
    return content


class TestAppend:
    def test_a_list_goes_on_and_a_paragraph_stands_apart(self, call: Call, alice: Person) -> None:
        put(call, alice, "# Notes\n\n- one\n")
        write(call, alice, "append", "- two")
        write(call, alice, "append", "A paragraph.\n")
        assert text(call, alice) == "# Notes\n\n- one\n- two\n\nA paragraph.\n"

    def test_a_file_that_is_missing_is_made(self, call: Call, alice: Person) -> None:
        answer = write(call, alice, "append", "- one", path="new.md")
        assert (answer.status_code, answer.json()["content"], answer.json()["created"]) == (
            201,
            "- one\n",
            True,
        )

    def test_into_a_section(self, call: Call, alice: Person) -> None:
        put(call, alice)
        write(call, alice, "append", "- more", section="archive")
        assert "## Archive\n\n- done\n- more\n\n## Config" in text(call, alice)

    @pytest.mark.django_db(transaction=True)
    def test_two_at_once_both_stand(self, call: Call, alice: Person) -> None:
        put(call, alice, "# Notes\n")
        answers: list[int] = []

        def append(number: int) -> None:
            from django.test import Client

            try:
                body = {"strategy": "append", "content": f"- line {number}"}
                path = f"/api/v1{FILES}/notes.md/write-memory"
                answer = Client().post(path, body, content_type="application/json", headers=alice.headers)
                answers.append(answer.status_code)
            finally:
                connection.close()

        threads = [threading.Thread(target=append, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [200] * 4
        assert sorted(text(call, alice).split("\n")[2:6]) == [f"- line {number}" for number in range(4)]


class TestReplaceSection:
    def test_the_section_of_that_heading(self, call: Call, alice: Person) -> None:
        put(call, alice)
        answer = write(call, alice, "replace_section", "- none", section="## Pending checks #soon")
        assert answer.status_code == 200
        assert text(call, alice) == NOTES.replace("- old", "- none")

    def test_the_content_may_bring_its_heading(self, call: Call, alice: Person) -> None:
        put(call, alice)
        write(call, alice, "replace_section", "## config\n\n- port: 81\n")
        assert text(call, alice).endswith("## Config\n\n- port: 81\n")
        assert text(call, alice).count("onfig") == 1

    @pytest.mark.parametrize("section", ["Pending checks", "## Pending checks #later", "Missing"])
    def test_no_second_one_is_made_of_a_heading_that_is_only_alike(
        self, call: Call, alice: Person, section: str
    ) -> None:
        put(call, alice)
        answer = write(call, alice, "replace_section", "- none", section=section)
        assert (answer.status_code, answer.json()["code"]) == (409, "section_not_found")
        assert "Pending checks #soon" in answer.json()["detail"]
        assert text(call, alice) == NOTES

    def test_no_heading_that_stands_elsewhere_comes_in_with_it(self, call: Call, alice: Person) -> None:
        put(call, alice)
        content = "- kept\n\n## Pending checks #soon\n\n- again\n"
        answer = write(call, alice, "replace_section", content, section="Archive")
        assert (answer.status_code, answer.json()["code"]) == (409, "duplicate_section")
        assert text(call, alice) == NOTES

    def test_headings_in_code_are_none(self, call: Call, alice: Person) -> None:
        put(call, alice)
        content = "```\n## Pending checks #soon\n```"
        assert write(call, alice, "replace_section", content, section="Archive").status_code == 200
        assert "## Archive\n\n```\n## Pending checks #soon\n```\n\n## Config" in text(call, alice)

    def test_two_of_a_name_are_ambiguous(self, call: Call, alice: Person) -> None:
        put(call, alice, "## A\n\n1\n\n## A\n\n2\n")
        answer = write(call, alice, "replace_section", "3", section="A")
        assert (answer.status_code, answer.json()["code"]) == (409, "ambiguous_section")

    def test_it_says_which_section_is_missing(self, call: Call, alice: Person) -> None:
        put(call, alice)
        answer = write(call, alice, "replace_section", "no heading")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["section"])


class TestUpsert:
    def test_values_are_set_in_their_place_and_new_ones_come_behind(self, call: Call, alice: Person) -> None:
        put(call, alice)
        answer = write(call, alice, "upsert_kv", "PORT: 8080\nregion: eu\n")
        assert answer.status_code == 200
        assert text(call, alice).endswith("## Config\n\n- port: 8080\n- Host: a\n- region: eu\n")

    def test_in_one_section(self, call: Call, alice: Person) -> None:
        put(call, alice, "## A\n\n- port: 1\n\n## B\n\n- port: 2\n")
        assert write(call, alice, "upsert_kv", "port: 3").json()["code"] == "ambiguous_key"
        write(call, alice, "upsert_kv", "port: 3", section="B")
        assert text(call, alice) == "## A\n\n- port: 1\n\n## B\n\n- port: 3\n"

    def test_what_is_no_value_is_refused_whole(self, call: Call, alice: Person) -> None:
        put(call, alice)
        answer = write(call, alice, "upsert_kv", "port: 9\njust words")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["content"])
        assert text(call, alice) == NOTES

    def test_code_is_left_alone(self, call: Call, alice: Person) -> None:
        put(call, alice, "```\nport: 1\n```\n")
        write(call, alice, "upsert_kv", "port: 2")
        assert text(call, alice) == "```\nport: 1\n```\n\n- port: 2\n"

    @pytest.mark.parametrize(
        "line", ["语言：中文", "time zone: Europe/Lisbon", "- url: https://x.example.org:80/a"]
    )
    def test_keys_of_any_kind(self, call: Call, alice: Person, line: str) -> None:
        write(call, alice, "upsert_kv", line, path="kv.md")
        write(call, alice, "upsert_kv", line, path="kv.md")
        assert len(text(call, alice, "kv.md").splitlines()) == 1


def test_overwrite_keeps_what_was_there_in_the_revisions(call: Call, alice: Person) -> None:
    put(call, alice)
    write(call, alice, "overwrite", "new\n", reason="by the workflow")
    assert text(call, alice) == "new\n"
    with workspace_scope(alice.workspace):
        revision = FileRevision.objects.filter(path="notes.md").latest("number")
    assert (revision.before, revision.reason) == (NOTES, "by the workflow")


@pytest.mark.parametrize("strategy", ["append", "overwrite", "upsert_kv", "replace_section"])
def test_the_ceiling_and_the_mask_hold_on_every_way_in(
    call: Call, alice: Person, settings: Any, strategy: str
) -> None:
    settings.MEMORY_MEMORY_MD_MAX_CHARS = 500
    secret = "gh" + "p_" + "A1b2C3d4E5" * 4
    put(call, alice, "# Memory\n\n## A\n\n- a\n", "MEMORY.md")
    content = (
        f"key: the token is {secret}\n"
        if strategy == "upsert_kv"
        else f"The token is {secret}\n" + "x " * 600
    )
    answer = write(
        call, alice, strategy, content, path="MEMORY.md", section="A" if strategy == "replace_section" else ""
    )
    assert answer.status_code == 200
    assert secret not in answer.content.decode()
    assert len(text(call, alice, "MEMORY.md")) <= 500


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"strategy": "merge", "content": "x"}, "strategy"),
        ({"strategy": "append", "content": "  "}, "content"),
        ({"strategy": "append"}, "content"),
        ({"content": "x"}, "strategy"),
        ({"strategy": "append", "content": "x", "section": "y" * 301}, "section"),
    ],
)
def test_bad_orders_are_refused(call: Call, alice: Person, body: dict[str, Any], field: str) -> None:
    answer = call(alice, "POST", f"{FILES}/notes.md/write-memory", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert field in answer.json()["errors"]


def test_a_version_that_has_moved_on_is_refused(call: Call, alice: Person) -> None:
    put(call, alice)
    body = {"strategy": "append", "content": "x"}
    stale = call(alice, "POST", f"{FILES}/notes.md/write-memory", body, **{"If-Match": '"x.1"'})
    assert stale.status_code == 412


def test_a_person_s_own_file_and_the_shared_one(call: Call, alice: Person, vera: Person) -> None:
    put(call, alice)
    assert write(call, vera, "append", "x").status_code == 403
    answer = call(
        vera,
        "POST",
        f"{FILES}/notes.md/write-memory?scope=personal",
        {"strategy": "append", "content": "- mine"},
    )
    assert answer.status_code == 201
    assert text(call, alice) == NOTES


class TestAsATool:
    def use(self, who: Person, **arguments: Any) -> dict[str, Any]:
        context = ToolContext(who.principal, who.agent)
        return call_tool(TOOLS["write_memory"], arguments, context).content

    def test_a_model_writes_the_person_s_own(self, alice: Person) -> None:
        told = self.use(alice, filename="MEMORY.md", strategy="append", content="- likes rain")
        assert (told["filename"], told["changed"]) == ("MEMORY.md", True)
        with workspace_scope(alice.workspace):
            file = WorkspaceFile.objects.get(path="MEMORY.md", scope="PERSONAL")
        assert file.content.endswith("- likes rain\n")

    def test_a_day_s_note_is_not_overwritten(self, alice: Person) -> None:
        for content in ("- one", "- two"):
            self.use(alice, filename="memory/2026-06-09.md", strategy="append", content=content)
        told = self.use(alice, filename="memory/2026-06-09.md", strategy="overwrite", content="- three")
        assert told["error"] == "note_exists"

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ({"strategy": "merge", "content": "x"}, "invalid_arguments"),
            ({"strategy": "append", "content": ""}, "invalid_arguments"),
            ({"strategy": "replace_section", "content": "x", "section": "None"}, "section_not_found"),
        ],
    )
    def test_what_it_refuses_is_told(self, alice: Person, arguments: dict[str, Any], error: str) -> None:
        assert self.use(alice, filename="MEMORY.md", **arguments)["error"] == error
