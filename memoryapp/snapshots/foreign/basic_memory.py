"""A basic-memory folder: every note is a file here, and each of its observations and relations a fact that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_datetime

from memoryapp.actions.facts import NewFact
from memoryapp.llm.markdown import with_code_marked
from memoryapp.models import Fact
from memoryapp.snapshots.archive import Archive
from memoryapp.snapshots.foreign.facts import Told, ToldFact
from memoryapp.snapshots.foreign.target import Sorted, Target, folder_around, markdown_of
from memoryapp.snapshots.names import Contents, Placed

FOLDER: Final = "notes"
# A path has at most four parts here, the folder of the notes among them.
DEEPEST: Final = 3
RELATION: Final = "relation"

# A single character in brackets is a box to be ticked.
OBSERVATION = re.compile(r"\s*[-*+]\s+\[(?P<category>[^\[\]]{2,64})\]\s+(?P<text>\S.*)")
RELATED = re.compile(r"\s*[-*+]\s+(?P<kind>[^\[\]]{0,100}?)\s*\[\[(?P<to>[^\[\]]{1,200})\]\]\s*(?P<rest>.*)")
TAG = re.compile(r"(?:^|\s)#(?P<tag>[\w/-]{1,64})")
FRONT_KEY = re.compile(r"(?P<key>[\w-]{1,40}):\s*(?P<value>.*)")
FRONT_ITEM = re.compile(r"\s*-\s+(?P<value>.+)")
LONGEST_FRONT: Final = 200
LONGEST_LINE: Final = 4_000
LONGEST_TITLE: Final = 200


@dataclass(frozen=True, slots=True)
class Front:
    """What stands above a note, as far as it matters here."""

    values: dict[str, str]
    tags: tuple[str, ...]
    lines: int

    @property
    def said_at(self) -> datetime | None:
        """When the note was last known to be true, as far as it says."""
        for name in ("modified", "updated", "date", "created"):
            moment = _moment(self.values.get(name, ""))
            if moment is not None:
                return moment
        return None


def place_notes(archive: Archive, target: Target) -> Contents:
    """Every note of the folder as a file, with the facts it states beside it."""
    found = Sorted(target)
    records = markdown_of(archive.records, found)
    top = folder_around((record.name for record in records), 1)
    for record in records:
        path = found.place(record, _path_of(record.name.removeprefix(top)))
        if path:
            tells = partial(read_note, path)
            found.placed.append(Placed(record, target.part, path, "facts", tells))
    return found.contents(top)


def _path_of(name: str) -> str:
    """Below the notes' folder; what lies deeper than paths go here has its folders in its name."""
    parts = name.split("/")
    flat = [*parts[: DEEPEST - 1], " - ".join(parts[DEEPEST - 1 :])] if len(parts) > DEEPEST else parts
    return "/".join([FOLDER, *flat])


def read_note(path: str, content: str) -> Told:
    """The facts that a note states: `- [category] text #tag (context)` and `- relation [[Other note]]`."""
    lines = content.split("\n")
    front = read_front(lines)
    title = (front.values.get("title") or PurePosixPath(path).stem)[:LONGEST_TITLE]
    told = Told()
    position = sum(len(line) + 1 for line in lines[: front.lines])
    for number, (line, is_code) in enumerate(with_code_marked(lines[front.lines :]), start=front.lines + 1):
        if len(line) > LONGEST_LINE:
            if not is_code and OBSERVATION.match(line[:LONGEST_LINE]):
                told.complain(number, f"longer than {LONGEST_LINE} characters, so that only the file has it")
        elif not is_code:
            for fact in _facts_of(line.rstrip("\r"), title, front):
                place = {"path": path, "start": position, "end": position + len(line), "heading": title}
                told.facts.append(ToldFact(number, fact, place))
        position += len(line) + 1
    return told


def _facts_of(line: str, title: str, front: Front) -> Iterator[NewFact]:
    observation = OBSERVATION.match(line)
    if observation and observation["category"].strip():
        yield _observation(observation["category"].strip(), observation["text"], title, front)
        return
    relation = RELATED.match(line)
    if relation and relation["kind"]:
        rest, context = _apart(relation["rest"])
        if not rest:  # else it is a sentence with a link in it, which the file keeps
            yield _relation(relation["kind"], relation["to"], context, title, front)


def _observation(category: str, text: str, title: str, front: Front) -> NewFact:
    said, context = _apart(text)
    said, context = (said, context) if said else (text.strip(), "")
    tags = [found["tag"] for found in TAG.finditer(said)]
    words = TAG.sub("", said).strip() or said
    return NewFact(
        text=f"{_about(title, words)}{words}{_remark(context)}",
        category=category.lower(),
        labels=_labels(tags, front),
        metadata=_metadata(title, front, context=context),
        said_at=front.said_at,
        origin=Fact.Origin.IMPORT,
    )


def _relation(kind: str, to: str, context: str, title: str, front: Front) -> NewFact:
    other = to.partition("|")[0].strip()
    words = kind.replace("_", " ").strip(" :\"'")
    return NewFact(
        text=f"{title} {words} {other}{_remark(context)}",
        category=RELATION,
        labels=_labels([], front),
        metadata=_metadata(title, front, relation=kind.strip(), target=other, context=context),
        said_at=front.said_at,
        origin=Fact.Origin.IMPORT,
    )


def _metadata(title: str, front: Front, **more: str) -> dict[str, Any]:
    known = {"note": title, "permalink": front.values.get("permalink", ""), **more}
    return {name: value for name, value in known.items() if value}


def _remark(context: str) -> str:
    return f" ({context})" if context else ""


def _about(title: str, words: str) -> str:
    """A fact stands alone, so it names what it is about, unless it does already."""
    return "" if title.casefold() in words.casefold() else f"{title}: "


def _apart(text: str) -> tuple[str, str]:
    """What a line says, and the remark in brackets at its end."""
    said = text.strip()
    opening = said.rfind("(")
    if not said.endswith(")") or opening < 0:
        return said, ""
    return said[:opening].strip(), said[opening + 1 : -1].strip()


def _labels(tags: list[str], front: Front) -> list[str]:
    return list(dict.fromkeys([*tags, *front.tags]))[:32]


def read_front(lines: list[str]) -> Front:
    """The front matter of a note: `key: value` and lists. Whatever else YAML can say means nothing here."""
    values: dict[str, str] = {}
    tags: list[str] = []
    if not lines or lines[0].strip() != "---":
        return Front(values, (), 0)
    key = ""
    for number, line in enumerate(lines[1:LONGEST_FRONT], start=1):
        if line.strip() in {"---", "..."}:
            return Front(values, tuple(tags), number + 1)
        named, item = FRONT_KEY.match(line), FRONT_ITEM.match(line)
        if named:
            key, value = named["key"].lower(), _unquoted(named["value"])
            values[key] = value
            tags += _listed(value) if key == "tags" else []
        elif item and key == "tags":
            tags += _listed(item["value"])
    return Front({}, (), 0)


def _listed(text: str) -> list[str]:
    names = (_unquoted(name).lstrip("#") for name in text.strip("[]").split(","))
    return [name[:64] for name in names if name]


def _unquoted(text: str) -> str:
    return text.strip().strip("\"'").strip()


def _moment(text: str) -> datetime | None:
    try:
        moment, day = parse_datetime(text), parse_date(text)
        if moment is None and day is not None:
            moment = datetime(day.year, day.month, day.day, tzinfo=UTC)
        # At the edge of the calendar there is no such moment in UTC.
        return moment and (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
