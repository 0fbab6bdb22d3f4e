"""Whatever a model writes is read as the object it was asked for or refused whole (BC-124 to BC-138)."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from memoryapp.llm.errors import MalformedReply
from memoryapp.llm.structured import parse_object, reply_schema, salvage, validate
from memoryapp.llm.tasks import ExtractionReply

FIELDS = ExtractionReply.model_fields
NORMAL = {
    "should_update": True,
    "reason": "r",
    "daily_entry": "Moved to Porto.",
    "memory_update": "",
    "profile_update": "",
}
PLAIN = json.dumps(NORMAL)


class Dream(BaseModel):
    should_update: bool
    memory_content: str = ""


def read(text: str) -> dict[str, Any]:
    return parse_object(text, expected=FIELDS)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"  \n{PLAIN}\n",
        f"Notes {{regarding meetings}} follow: {PLAIN} -- done {{ok}}",
        f"Here is what I found!\n\n```json\n{PLAIN}\n```\nLet me know if you need more.",
        f"```\n{PLAIN}\n```",
        f'<think>Options: {{"a":1}} or [skip]. I pick the first.</think>\n```json\n{PLAIN}\n```',
        f'Options: {{"a":1}} or [skip].</think>{PLAIN}',
        f"See [1] and [note]: {PLAIN}",
        f'{{"a": 1}} {PLAIN} {{}}',
        f"[{PLAIN}]",
        PLAIN.replace('"}', '",}'),
        PLAIN.replace("true", "True").replace('"', "'"),
        PLAIN.replace("Moved to", "Moved\tto").replace("\t", " "),
        PLAIN.replace("{", "{ // the answer\n", 1),
        "\ufeff" + PLAIN,
        PLAIN.replace('"daily_entry"', "daily_entry"),
        re.sub(r'"(\w+)":', r"\1:", PLAIN),
        f"{{note: unclosed {PLAIN}",
    ],
)
def test_finds_the_object(text: str) -> None:
    assert read(text) == NORMAL


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"a \q b", r"a \q b"),
        ("line one\nline two", "line one\nline two"),
        ("tab\there", "tab\there"),
        (r"caf\u0000e", "cafe"),
        ("caf\x00e", "cafe"),
        (r"bell\u0007", "bell"),
        (r"half \ud83d", "half "),
        (r"\ud83d\udeb2", "🚲"),
        ("asked about <think> tags", "asked about <think> tags"),
        ("it's fine", "it's fine"),
        ("braces {like} [these]", "braces {like} [these]"),
        ("早安", "早安"),
    ],
)
def test_texts_arrive_as_they_were_meant(written: str, meant: str) -> None:
    assert read(f'{{"should_update": true, "daily_entry": "{written}"}}')["daily_entry"] == meant


def test_a_repair_keeps_what_is_written_in_two_halves() -> None:
    assert (
        read(r"{'should_update': True, 'daily_entry': 'by bike \ud83d\udeb2'}")["daily_entry"] == "by bike 🚲"
    )


def test_of_two_objects_the_last_complete_one_counts() -> None:
    draft, corrected = ({"should_update": True, "daily_entry": f"Limit is {limit}"} for limit in (30, 40))

    assert read(f"{json.dumps(draft)}\nCorrection:\n{json.dumps(corrected)}") == corrected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("<think>only thinking", "empty"),
        ("I'm unable to process this conversation.\nIt is too short.\nSorry.", "no complete JSON object"),
        ("{}", "no complete JSON object"),
        ("null", "no complete JSON object"),
        ('"should_update"', "no complete JSON object"),
        ("{should we update?}", "no complete JSON object"),
        (f"[{PLAIN}, {PLAIN}]", "array"),
        ('[{"op": "ADD", "text": "x"}, {"op": "ADD", "text": "y"}]', "array"),
        (
            '{"should_update": true, "reason": "merge", "memory_content": "# Memory\\n\\n## Team\\n- Five peop',
            "cut off",
        ),
        (
            '{"should_update": true, "operations": [{"op": "ADD", "text": "a", "reason": "b"}, {"op": "AD',
            "cut off",
        ),
        ('```json\n{"should_update": true,', "cut off"),
        ("{'should_update': True, 'daily_entry': 'half", "cut off"),
        ('{"should_update": true, "daily_entry": "Draft"}\nCorrection: {"should_upd', "cut off"),
        ('{"other": 1}', "no complete JSON object"),
        ("{" * 5000, "no complete JSON object"),
        ("[" * 100_000, "no complete JSON object"),
        ('{"should_update":' * 3000, "cut off"),
        ("[{'op': 'ADD', 'reason': 'x'}, {'op': 'ADD', 'reason': 'y'}]", "array"),
    ],
)
def test_refuses_what_is_no_answer(text: str, reason: str) -> None:
    with pytest.raises(MalformedReply, match=reason) as refused:
        read(text)

    assert refused.value.raw == text
    assert "unable to process" not in refused.value.detail


def test_takes_no_time_over_nonsense() -> None:
    started = time.process_time()

    for text in ("{a" * 50_000, '{"a":' * 20_000, "[{" * 50_000, "<think>" * 20_000):
        with pytest.raises(MalformedReply):
            read(text)

    assert time.process_time() - started < 2


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_valid_object_survives_prose_around_it(value: Any) -> None:
    obj = {"should_update": True, "operations": value}

    found = read(f"Sure {{ok}}:\n```json\n{json.dumps(obj)}\n```")

    assert set(found) == set(obj)


class TestValidate:
    def test_says_nothing_to_keep_is_a_result(self) -> None:
        reply = validate(ExtractionReply, read('{"should_update": false, "reason": "nothing durable"}'))

        assert (reply.should_update, reply.operations, reply.daily_entry) == (False, [], "")

    def test_null_means_nothing_where_a_field_is_optional(self) -> None:
        reply = validate(
            ExtractionReply,
            {"should_update": True, "memory_update": None, "operations": [{"op": "ADD", "also": None}]},
        )

        assert reply.memory_update == ""
        assert reply.operations[0].also == []

    def test_a_wrong_type_is_refused_with_its_field_and_without_its_value(self) -> None:
        with pytest.raises(MalformedReply) as refused:
            validate(
                ExtractionReply,
                {"should_update": True, "daily_entry": ["met Mira"], "profile_update": {"name": "Mira"}},
            )

        assert "daily_entry: Input should be a valid string" in refused.value.detail
        assert "profile_update: Input should be a valid string" in refused.value.detail
        assert "Mira" not in refused.value.detail

    @pytest.mark.parametrize(
        "obj", [{}, {"should_update": None}, {"should_update": "perhaps"}, {"reason": "x"}]
    )
    def test_refuses_an_object_without_its_required_field(self, obj: dict[str, Any]) -> None:
        with pytest.raises(MalformedReply, match="should_update"):
            validate(ExtractionReply, obj)


class TestSalvage:
    def test_leaves_out_wrong_optional_fields_and_says_so(self) -> None:
        reply, refused = salvage(
            ExtractionReply,
            {
                "should_update": True,
                "daily_entry": ["met Mira"],
                "memory_update": "fine",
                "profile_update": {"name": "Mira"},
            },
        )

        assert (reply.daily_entry, reply.memory_update, reply.profile_update) == ("", "fine", "")
        assert sorted(reason.split(":")[0] for reason in refused) == ["daily_entry", "profile_update"]

    def test_leaves_out_wrong_entries_of_a_list(self) -> None:
        operations = [
            {"op": "ADD", "text": "first"},
            {"op": "JUMP", "text": "second"},
            "third",
            {"op": "add", "text": "fourth"},
        ]

        reply, refused = salvage(ExtractionReply, {"should_update": True, "operations": operations})

        assert [operation.text for operation in reply.operations] == ["first", "fourth"]
        assert [reason.split(":")[0] for reason in refused] == ["operations.1.op", "operations.2"]

    def test_never_does_without_a_required_field(self) -> None:
        with pytest.raises(MalformedReply, match="should_update"):
            salvage(Dream, {"should_update": [], "memory_content": "# Memory"})

    def test_numbers_are_only_numbers(self) -> None:
        """Whether a number was ever given out is decided where the facts are; here it only has to be one (BC-138)."""
        operations = [
            {"op": "UPDATE", "target": 0, "text": "a"},
            {"op": "DELETE", "target": 12},
            {"op": "DELETE", "target": "018f3c9e-7b1a"},
            {"op": "ADD", "text": "b"},
        ]

        reply, refused = salvage(ExtractionReply, {"should_update": True, "operations": operations})

        assert [operation.target for operation in reply.operations] == [0, 12, None]
        assert len(refused) == 1


def test_schema_has_what_servers_understand() -> None:
    schema = reply_schema(Dream)

    assert schema.name == "Dream"
    assert schema.schema == {
        "type": "object",
        "properties": {"should_update": {"type": "boolean"}, "memory_content": {"type": "string"}},
        "required": ["should_update"],
    }
