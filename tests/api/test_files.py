"""Workspace files through the API."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.conftest import Call, Person

FILES = "/agents/juno/workspace/files"
BAD_NAMES = [
    "../x.md",
    "memory/../../x.md",
    "/abs/x.md",
    "..\\x.md",
    "%2e%2e%2fx.md",
    "memory/..%2fx.md",
    "C:x.md",
    "memory//x.md",
    "./MEMORY.md",
    "memory/2026-01-01.md/../MEMORY.md",
    "a\x00.md",
    "\uff0e\uff0e/x.md",
    "memory/2026-13-40.md",
    "memory/2026-02-29.md",
    "memory/2026-1-5.md",
    ".md",
    "memory/.md",
    "x.md.exe",
    "x.txt",
    "x.md/",
    "n" * 300 + ".md",
]


@pytest.mark.parametrize("name", BAD_NAMES)
@pytest.mark.parametrize(
    "spelling", [quote, lambda name: quote(quote(name))], ids=["escaped", "escaped twice"]
)
def test_a_bad_name_reads_writes_and_reveals_nothing(
    call: Call, alice: Person, name: str, spelling: object
) -> None:
    path = f"{FILES}/{spelling(name)}"  # type: ignore[operator]
    before = call(alice, "GET", FILES).json()["count"]

    for method, body in (
        ("GET", None),
        ("PUT", {"content": "x"}),
        ("PATCH", {"oldText": "a", "newText": "b"}),
        ("DELETE", None),
    ):
        response = call(alice, method, path, body)
        assert response.status_code in {400, 404}, (method, response.content)
        assert "/work" not in response.json()["detail"]
    assert call(alice, "GET", FILES).json()["count"] == before


def test_a_leap_day_that_exists(call: Call, alice: Person) -> None:
    assert call(alice, "PUT", f"{FILES}/memory/2028-02-29.md", {"content": "x"}).status_code == 201


def test_a_file_comes_back_as_it_was_written_with_its_tag(call: Call, alice: Person) -> None:
    created = call(alice, "PUT", f"{FILES}/notes.md", {"content": "Grüße 🚲\n"})
    read = call(alice, "GET", f"{FILES}/notes.md")

    assert (created.status_code, created.json()["enabled"]) == (201, False)
    assert read.json()["content"] == "Grüße 🚲\n"
    assert read.headers["ETag"] == created.headers["ETag"] == read.json()["etag"]


def test_of_two_editors_the_one_with_the_old_text_is_refused(call: Call, alice: Person, bob: Person) -> None:
    tag = call(alice, "GET", f"{FILES}/MEMORY.md").headers["ETag"]

    first = call(alice, "PUT", f"{FILES}/MEMORY.md", {"content": "A"}, **{"If-Match": tag})
    second = call(bob, "PUT", f"{FILES}/MEMORY.md", {"content": "B"}, **{"If-Match": f"W/{tag}"})

    assert (first.status_code, second.status_code) == (200, 412)
    assert second.json()["code"] == "version_conflict"
    assert call(alice, "GET", f"{FILES}/MEMORY.md").json()["content"] == "A"


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("{}", 200),
        ("W/{}", 200),
        ('"a.1", {}', 200),
        ('W/"a.1",W/{}', 200),
        ("*", 200),
        ('"a.1"', 412),
        ("", 412),
    ],
)
def test_every_way_to_name_the_version_that_was_read(
    call: Call, alice: Person, value: str, status: int
) -> None:
    tag = call(alice, "PUT", f"{FILES}/notes.md", {"content": "one"})["ETag"]
    given = {"If-Match": value.format(tag)}

    assert call(alice, "PUT", f"{FILES}/notes.md", {"content": "two"}, **given).status_code == status
    if status == 412:
        restored = call(alice, "POST", f"{FILES}/notes.md/revisions/1/restore", **given)
        assert restored.status_code == 412


def test_without_a_tag_the_last_write_wins_and_the_earlier_text_can_be_restored(
    call: Call, alice: Person
) -> None:
    call(alice, "PUT", f"{FILES}/MEMORY.md", {"content": "A"})
    call(alice, "PUT", f"{FILES}/MEMORY.md", {"content": "B"})
    revisions = call(alice, "GET", f"{FILES}/MEMORY.md/revisions").json()["results"]
    older = next(row["number"] for row in revisions if row["number"] == revisions[0]["number"] - 1)

    assert call(alice, "GET", f"{FILES}/MEMORY.md/revisions/{older}").json()["after"] == "A"
    assert call(alice, "POST", f"{FILES}/MEMORY.md/revisions/{older}/restore").json()["content"] == "A"


def test_create_only(call: Call, alice: Person) -> None:
    assert (
        call(alice, "PUT", f"{FILES}/new.md", {"content": "A"}, **{"If-None-Match": "*"}).status_code == 201
    )
    assert (
        call(alice, "PUT", f"{FILES}/new.md", {"content": "B"}, **{"If-None-Match": "*"}).status_code == 412
    )


@pytest.mark.parametrize(("content", "old"), [("- limit: 5\n- limit: 5\n", "- limit: 5"), ("aaaa", "aaa")])
def test_an_ambiguous_edit_is_refused_with_the_count(
    call: Call, alice: Person, content: str, old: str
) -> None:
    call(alice, "PUT", f"{FILES}/notes.md", {"content": content})

    response = call(alice, "PATCH", f"{FILES}/notes.md", {"oldText": old, "newText": "x"})

    assert response.status_code == 409
    assert "2 times" in response.json()["detail"]
    assert call(alice, "GET", f"{FILES}/notes.md").json()["content"] == content


def test_an_edit_of_all_says_how_many(call: Call, alice: Person) -> None:
    call(alice, "PUT", f"{FILES}/notes.md", {"content": "- limit: 5\n- limit: 5\n"})
    edit = {"oldText": "- limit: 5", "newText": "- limit: 6", "replaceAll": True}

    assert call(alice, "PATCH", f"{FILES}/notes.md", edit).json()["replacements"] == 2


@pytest.mark.parametrize("flag", ["true", 1, None])
def test_a_flag_is_true_or_false_and_nothing_like_it(call: Call, alice: Person, flag: object) -> None:
    call(alice, "PUT", f"{FILES}/notes.md", {"content": "a a"})

    assert (
        call(
            alice, "PATCH", f"{FILES}/notes.md", {"oldText": "a", "newText": "b", "replaceAll": flag}
        ).status_code
        == 400
    )


def test_the_ceiling_holds_on_every_way_in(call: Call, alice: Person) -> None:
    long = "# M\n\n## One\n" + "x" * 5000 + "\n## Two\n" + "y" * 5000
    written = call(alice, "PUT", f"{FILES}/MEMORY.md", {"content": long}).json()
    edit = {"oldText": "x", "newText": "zz", "replaceAll": True}
    edited = call(alice, "PATCH", f"{FILES}/MEMORY.md", edit).json()

    assert written["truncated"]
    assert edited["truncated"]
    assert call(alice, "GET", f"{FILES}/MEMORY.md").json()["size"] <= 8000


def test_a_personal_file_is_seen_by_its_owner_only(call: Call, alice: Person, bob: Person) -> None:
    call(bob, "PUT", f"{FILES}/diary.md?scope=personal", {"content": "mine"})

    assert call(bob, "GET", f"{FILES}/diary.md?scope=personal").json()["content"] == "mine"
    assert call(bob, "GET", f"{FILES}/diary.md").status_code == 404
    for path in (f"{FILES}/diary.md?scope=personal", f"{FILES}/diary.md/revisions?scope=personal"):
        assert call(alice, "GET", path).status_code == 404
        assert call(bob, "GET", f"{path}&endUserId=ann").status_code == 404
    assert call(alice, "GET", f"{FILES}?scope=personal").json()["count"] == 0


def test_a_viewer_writes_what_is_their_own_and_nothing_shared(call: Call, vera: Person) -> None:
    assert call(vera, "PUT", f"{FILES}/mine.md?scope=personal", {"content": "x"}).status_code == 201
    assert call(vera, "PUT", f"{FILES}/shared.md", {"content": "x"}).status_code == 403
    assert call(vera, "PUT", "/agents/juno/workspace/prompt-files", {"files": []}).status_code == 403


def test_a_deleted_file_can_be_restored(call: Call, alice: Person) -> None:
    call(alice, "PUT", f"{FILES}/notes.md", {"content": "once"})
    assert call(alice, "DELETE", f"{FILES}/notes.md").status_code == 204
    assert call(alice, "GET", f"{FILES}/notes.md").status_code == 404

    assert call(alice, "POST", f"{FILES}/notes.md/revisions/1/restore").json()["content"] == "once"


def test_prompt_files_are_exactly_those_named_in_that_order(call: Call, alice: Person) -> None:
    call(alice, "PUT", f"{FILES}/house.md", {"content": "rules"})
    path = "/agents/juno/workspace/prompt-files"

    assert call(alice, "PUT", path, {"files": ["house.md", "SOUL.md"]}).json() == {
        "files": ["house.md", "SOUL.md"]
    }
    assert call(alice, "GET", path).json() == {"files": ["house.md", "SOUL.md"]}
    assert call(alice, "PUT", path, {"files": ["missing.md"]}).status_code == 400


def test_a_credential_is_never_stored(call: Call, alice: Person) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5" * 4

    written = call(alice, "PUT", f"{FILES}/notes.md", {"content": f"token {secret}", "reason": secret}).json()

    assert written["masked"]
    assert secret not in written["content"]
    assert secret not in call(alice, "GET", f"{FILES}/notes.md/revisions").content.decode()


def test_keywords_are_found_with_their_line_and_place(call: Call, alice: Person, bob: Person) -> None:
    call(alice, "PUT", f"{FILES}/notes.md", {"content": "🚲 first\r\n\r\n<b>harbour</b> lights\r\n"})
    call(bob, "PUT", f"{FILES}/mine.md?scope=personal", {"content": "harbour of bob"})

    (hit,) = call(alice, "GET", "/agents/juno/workspace/search?q=harbour").json()["results"]

    assert (hit["path"], hit["line"]) == ("notes.md", 3)
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["harbour"]
    found = call(bob, "GET", "/agents/juno/workspace/search?q=harbour").json()["results"]
    assert {row["path"] for row in found} == {"notes.md", "mine.md"}


@pytest.mark.parametrize(
    "query", ["", "q=", "q=%20", "q=" + "x" * 1_001, "q=a&limit=0", "q=a&limit=ten", "q=a%00"]
)
def test_a_search_that_makes_no_sense(call: Call, alice: Person, query: str) -> None:
    assert call(alice, "GET", f"/agents/juno/workspace/search?{query}").status_code == 400
