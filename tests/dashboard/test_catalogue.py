"""Nothing is left in English: the Chinese catalogue holds what pages and code say, all of it and nothing else."""

from __future__ import annotations

import os

import pytest
from babel.messages.catalog import Catalog

from tests.catalogue import (
    bring_up_to_date,
    compiled,
    key_of,
    messages,
    placeholders,
    said,
    texts_of,
    translated,
)


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    """With UPDATE_SNAPSHOTS=1 what is new is put into it first, to be translated."""
    if os.environ.get("UPDATE_SNAPSHOTS"):
        bring_up_to_date()
    return translated()


def test_what_is_said_is_in_the_catalogue_and_nothing_else(catalogue: Catalog) -> None:
    spoken = {key_of(message): message.locations[0][0] for message in messages(said())}
    kept = {key_of(message) for message in messages(catalogue)}
    fresh = [f"{place}: {key[0]}" for key, place in spoken.items() if key not in kept]
    assert not fresh, "not in the catalogue yet:\n" + "\n".join(fresh)
    stale = [key[0] for key in kept if key not in spoken]
    assert not stale, "in the catalogue, and said nowhere any more:\n" + "\n".join(stale)


def test_everything_is_translated(catalogue: Catalog) -> None:
    left = [key_of(each)[0] for each in messages(catalogue) if each.fuzzy or not all(texts_of(each))]
    assert not left, "not translated yet:\n" + "\n".join(left)


def test_a_translation_fills_in_what_its_message_does(catalogue: Catalog) -> None:
    """The count may go where there is only one form: “1 fact” and “5 facts” are said by one sentence."""
    wrong = []
    for message in messages(catalogue):
        source = message.id if isinstance(message.id, str) else message.id[-1]
        wrong += [
            (source, text)
            for text in texts_of(message)
            if text and placeholders(text) != placeholders(source)
        ]
    assert wrong == []


def test_what_the_program_reads_is_compiled_from_the_catalogue(catalogue: Catalog) -> None:
    """With UPDATE_SNAPSHOTS=1 it is compiled anew."""
    assert compiled() == {key_of(message): texts_of(message) for message in messages(catalogue)}
