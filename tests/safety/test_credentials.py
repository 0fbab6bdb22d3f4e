"""Credentials are found wherever people and programs write them, and nothing else is taken for one."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from datetime import date

import pytest

from memoryapp.safety.credentials import MARKER, credential_note, find_credentials, redact, redact_tree
from memoryapp.safety.custom_patterns import MAX_LENGTH, PatternRefused, check_pattern
from memoryapp.safety.notes import LABELS
from tests.safety import forms, negatives, positives
from tests.safety.made_up import HEX, LETTERS, MadeUp, leaks

made = MadeUp("credentials")


def filled(template: str, value: str) -> str:
    return template.replace("{{", "{").replace("}}", "}").replace("{}", value)


def test_the_tables_are_as_large_as_promised() -> None:
    assert len(positives.ROWS) >= 80
    assert len(negatives.ROWS) >= 60


@pytest.mark.parametrize(
    ("template", "value"), [row[1:] for row in positives.ROWS], ids=[row[0] for row in positives.ROWS]
)
def test_masks_the_credential(template: str, value: str) -> None:
    masked = redact(filled(template, value))

    assert masked.findings
    assert all(finding.kind in LABELS for finding in masked.findings)
    assert not any(leaks(line, masked.text) for line in value.splitlines())


@pytest.mark.parametrize(
    ("template", "value"), [row[1:] for row in positives.ROWS], ids=[row[0] for row in positives.ROWS]
)
def test_masking_twice_changes_nothing(template: str, value: str) -> None:
    once = redact(filled(template, value)).text

    assert redact(once).text == once


def test_masking_twice_changes_nothing_where_a_word_stands_before_two_values() -> None:
    value = f"0090](decisions/{'0090-where-words-are-' + 'translated'}.md)).\n"
    once = redact(f"secret (role) {value}- hover, column, erase; by rule {value}").text

    assert redact(once).text == once


@pytest.mark.parametrize(
    ("form", "values"),
    [
        *((form, forms.passwords) for form in forms.PASSWORD_FORMS),
        *((form, forms.tokens) for form in forms.TOKEN_FORMS),
        *((form, forms.codes) for form in forms.CODE_FORMS),
    ],
)
def test_any_kind_of_value_in_any_form(
    form: str, values: Callable[[MadeUp], dict[str, Callable[[], str]]]
) -> None:
    leaked = []
    for kind, value_of in values(MadeUp(form)).items():
        value = value_of()
        if leaks(value, redact(form.format(value)).text):
            leaked.append(kind)

    assert not leaked


@pytest.mark.parametrize(("language", "text"), negatives.ROWS)
def test_leaves_harmless_text_alone(language: str, text: str) -> None:
    assert redact(text).text == text


def test_keeps_what_stands_around_the_credential() -> None:
    password, key = made.password(), made.prefixed("s k-", 40, LETTERS)

    masked = redact(f"Remember: the staging database password is {password} and the API key is {key}.")

    assert masked.text == f"Remember: the staging database password is {MARKER} and the API key is {MARKER}."
    assert [finding.kind for finding in masked.findings] == ["password", "api_key"]


def test_masks_only_the_password_of_a_connection_string() -> None:
    masked = redact(f"Point the worker at postgres://worker:{made.password()}@db.marsh.internal:5432/jobs")

    assert masked.text == f"Point the worker at postgres://worker:{MARKER}@db.marsh.internal:5432/jobs"


def test_names_the_vendor() -> None:
    findings = find_credentials(made.prefixed("gh p_", 36))

    assert [(finding.kind, finding.vendor) for finding in findings] == [("token", "GitHub")]


def test_offsets_are_those_of_the_original_text() -> None:
    password = made.password()
    text = f"🚲早安 İstanbul\u200b\u200b: the pass\u200bword is {password}\u200b, ciao\x00 é"

    (finding,) = find_credentials(text)

    assert text[finding.start : finding.end] == password


@pytest.mark.parametrize(
    "odd", ["", "\x00", "\ud800", "password is \ud800", "密码是", "password:", "=" * 50, "-----BEGIN"]
)
def test_odd_text_is_no_error(odd: str) -> None:
    assert redact(odd).text == odd


class TestHiddenValues:
    def test_base64_of_a_key(self) -> None:
        key = made.prefixed("gh p_", 36)
        encoded = base64.b64encode(key.encode()).decode()

        assert not leaks(encoded, redact(f"data: {encoded}").text)

    def test_base64_of_a_configuration(self) -> None:
        encoded = base64.b64encode(f"user: ada\npassword: {made.password()}\n".encode()).decode()

        assert not leaks(encoded, redact(f"config.yml: {encoded}\n").text)

    def test_url_safe_base64_without_padding(self) -> None:
        encoded = base64.urlsafe_b64encode(f"token={made.token(40)}".encode()).rstrip(b"=").decode()

        assert not leaks(encoded, redact(encoded).text)

    def test_basic_authentication(self) -> None:
        encoded = base64.b64encode(f"ada:{made.password()}".encode()).decode()

        assert redact(f"Authorization: Basic {encoded}").text == f"Authorization: Basic {MARKER}"

    def test_base64_of_ordinary_text_is_kept(self) -> None:
        encoded = base64.b64encode(b"The meeting is at 10:15 on Monday in room 12.").decode()

        assert redact(encoded).text == encoded

    @pytest.mark.parametrize("break_", ["\\\n", "\n", "\n    ", "\r\n", '" +\n    "', "'\n'", "\n> "])
    def test_split_over_lines(self, break_: str) -> None:
        key = made.prefixed("gh p_", 36)
        masked = redact(f"export TOKEN={key[:20]}{break_}{key[20:]}\nand then the build").text

        assert not leaks(key[:20], masked)
        assert not leaks(key[20:], masked)
        assert masked.endswith("and then the build")

    def test_long_key_wrapped_by_a_mail_program(self) -> None:
        key = made.prefixed("sk -ant-api03-", 90)
        masked = redact(f"key:\n{key[:60]}\n{key[60:]}\n").text

        assert not leaks(key[:60], masked)
        assert not leaks(key[60:], masked)

    def test_zero_width_characters_inside(self) -> None:
        key = made.prefixed("gh p_", 36)

        assert not leaks(key[5:], redact("\u200b".join(key)).text.replace("\u200b", ""))

    def test_all_of_several_recovery_codes(self) -> None:
        codes = [f"{made.run(4, HEX)}1-{made.run(5, HEX)}" for _ in range(6)]
        masked = redact("Recovery codes: " + ", ".join(codes)).text

        assert not any(leaks(code, masked) for code in codes)

    def test_a_value_that_begins_where_a_message_would_be_cut(self) -> None:
        value = made.token(40)
        text = "x " * 900 + f"the token is {value} " + "y " * 100

        assert not leaks(value, redact(text).text[:2000])


class TestTree:
    def test_a_key_speaks_for_its_value(self) -> None:
        tree = {"password": "sunflower", "pin": 4821, "user": "ada", "retries": 3, "on": True}

        assert redact_tree(tree) == {
            "password": MARKER,
            "pin": MARKER,
            "user": "ada",
            "retries": 3,
            "on": True,
        }

    def test_nested_lists_and_environment_entries(self) -> None:
        secret = made.password()
        tree = {
            "env": [{"name": "DB_PASSWORD", "value": secret}, {"name": "DB_HOST", "value": "db"}],
            "none": None,
        }

        assert redact_tree(tree) == {
            "env": [{"name": "DB_PASSWORD", "value": MARKER}, {"name": "DB_HOST", "value": "db"}],
            "none": None,
        }

    def test_headers(self) -> None:
        token = made.token(40)

        assert redact_tree({"Authorization": f"Bearer {token}"}) == {"Authorization": f"Bearer {MARKER}"}

    def test_secrets_as_keys_stay_apart(self) -> None:
        first, second = made.prefixed("gh p_", 36), made.prefixed("gh p_", 36)
        masked = redact_tree({first: 1, second: 2})

        assert len(masked) == 2
        assert not any(leaks(first, key) or leaks(second, key) for key in masked)

    def test_ordinary_metadata_is_kept(self) -> None:
        tree = {
            "source": "sheet 146QbbXk9aZ0mUuT3rPl",
            "run": "018f3c9e-7b1a-7c3d-9e2f-1a2b3c4d5e6f",
            "tags": ["tea"],
        }

        assert redact_tree(tree) == tree


class TestCustomPatterns:
    def test_finds_what_the_workspace_calls_secret(self) -> None:
        assert redact("badge EMP-4411 opens it", [r"EMP-\d{4}"]).text == f"badge {MARKER} opens it"

    @pytest.mark.parametrize("pattern", ["", "(", "a*", "x" * (MAX_LENGTH + 1), r"(a+)+$", r"(\w+\s?)*!$"])
    def test_refuses_useless_and_slow_patterns(self, pattern: str) -> None:
        with pytest.raises(PatternRefused):
            check_pattern(pattern)

    def test_accepts_a_good_one(self) -> None:
        check_pattern(r"\bEMP-\d{4}\b")

    def test_a_slow_pattern_that_got_through_is_left_out(self) -> None:
        started = time.perf_counter()

        masked = redact("a" * 4000 + "! password: " + made.password(), [r"(a+)+$"])

        assert MARKER in masked.text
        assert time.perf_counter() - started < 2


class TestTime:
    """A megabyte takes well under a second on a quiet machine; the limits allow for a busy one."""

    @pytest.mark.parametrize(
        "piece",
        [
            "User prefers tea over coffee because it keeps them calm, and the meeting is at 10:15 on Monday. ",
            "password: x\n",
            "sk-",
            "eyJ",
            "-----BEGIN PRIVATE KEY-----",
            "://a:",
            "abcdefgh1\n",
            "密码是什么，我的密码不对。",
            "the pairing code for the ",
            "'\"",
        ],
    )
    def test_grows_linearly(self, piece: str) -> None:
        small, large = (piece * (size // len(piece)) for size in (10_000, 100_000))

        def once(text: str) -> float:
            started = time.process_time()
            find_credentials(text)
            return time.process_time() - started

        def seconds(text: str) -> float:
            """The quickest of three: whatever else the machine does only adds."""
            return min(once(text) for _ in range(3))

        # Ten times the text takes ten times as long; what grows with its square takes a hundred times.
        assert seconds(large) < 40 * max(seconds(small), 0.003)

    def test_a_megabyte_of_prose_with_secrets_is_read_at_once(self) -> None:
        sentence = (
            "User moved to Porto in March and the build runs on Python 3.13, see https://example.com/a?b=c. "
            * 100
        )
        text = "".join(f"{sentence} password: {made.password()}\n" for _ in range(1_000_000 // len(sentence)))
        started = time.process_time()

        assert len(find_credentials(text)) >= 100
        assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("language", "service", "sentence"),
    [
        ("en", "the new service", "An API key was configured for the new service (as of 2026-03-30)"),
        ("en", "", "An API key was configured (as of 2026-03-30)"),
        ("zh-hans", "测试环境", "已为 测试环境 配置API 密钥（截至 2026-03-30）"),
        ("es", "el servidor", "Se configuró una clave de API para el servidor (a fecha de 2026-03-30)"),
        ("fr", "le serveur", "An API key was configured for le serveur (as of 2026-03-30)"),
    ],
)
def test_note_in_place_of_a_credential(language: str, service: str, sentence: str) -> None:
    assert credential_note("api_key", service, date(2026, 3, 30), language) == sentence


@pytest.mark.parametrize("language", ["en", "zh", "es", "de"])
@pytest.mark.parametrize("kind", sorted(LABELS))
def test_notes_are_no_credentials_themselves(kind: str, language: str) -> None:
    note = credential_note(kind, "staging", date(2026, 4, 2), language)

    assert redact(note).text == note
