"""`manage.py scrub`: counts, purges, and asks for the secret rather than take it as an argument."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.conftest import Call, Person
from tests.soiled import KEY, know_the_pattern, make_soiled, places_with


@pytest.fixture
def soiled(alice: Person) -> Person:
    return make_soiled(alice)


class TestCommand:
    def run(self, *arguments: str) -> str:
        out = StringIO()
        call_command("scrub", *arguments, stdout=out, stderr=StringIO())
        return out.getvalue()

    def test_counts_then_purges_then_finds_nothing(self, soiled: Person, call: Call) -> None:
        know_the_pattern(call, soiled)
        assert "would change" in self.run("harbour", "--dry-run")
        assert "memoryapp.Fact" in places_with(soiled)
        assert "Rows: facts: 1" in self.run("harbour", "--agent", "juno")
        assert "0 changed" in self.run("harbour", "--agent", "juno")

    def test_asks_for_the_secret(self, soiled: Person, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("getpass.getpass", lambda prompt: KEY)
        self.run("harbour", "--secret")
        assert places_with(soiled) == set()

    @pytest.mark.parametrize("arguments", [["nowhere"], ["harbour", "--agent", "nobody"]])
    def test_says_what_there_is_not(self, alice: Person, arguments: list[str]) -> None:
        with pytest.raises(CommandError):
            self.run(*arguments)
