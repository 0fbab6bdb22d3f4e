"""The library behind our own rules: what it adds, and that it never hangs a forked worker."""

from __future__ import annotations

import subprocess
import sys

from memoryapp.safety.second_net import CHUNK, find_by_library
from tests.safety.made_up import LOWER, MadeUp

made = MadeUp("second net")

FORKING = """
import os, signal
from memoryapp.safety.credentials import find_credentials
text = "".join(f"password: aB9!{n}xQz7\\n" for n in range(3000))
before = len(find_credentials(text))
child = os.fork()
if child == 0:
    signal.alarm(30)
    os._exit(0 if len(find_credentials(text)) == before else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_knows_vendors_that_our_rules_do_not_name() -> None:
    token = made.prefixed("lin _api_", 40)

    (finding,) = find_by_library(f"é {token}")

    assert (finding.start, finding.end) == (2, 2 + len(token))


def test_finds_what_stands_at_the_border_of_two_pieces() -> None:
    token = made.prefixed("gh p_", 36)
    text = "x " * (CHUNK // 2 - 10) + token + " y" * 100

    assert {text[finding.start : finding.end] for finding in find_by_library(text)} == {token}


def test_keeps_the_offsets_of_equal_values_on_several_lines() -> None:
    token = made.prefixed("gh p_", 36)
    text = f"一 {token}\n二\n三 {token} and {token}"

    assert [text[finding.start : finding.end] for finding in find_by_library(text)] == [token] * 3


def test_leaves_identifiers_alone() -> None:
    assert not list(find_by_library(f"token_name = {made.run(4, LOWER)}_label"))


def test_a_forked_child_does_without_it() -> None:
    """Its runtime does not survive a fork: a scan there would hang for ever."""
    done = subprocess.run(
        [sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.strip() == "0"
    assert "second credential detector is off" in done.stderr
