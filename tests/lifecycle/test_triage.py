"""The gates of triage: what passes, what is repaired, what is refused and why."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from memoryapp.lifecycle.triage import Verdict, judge, judge_all
from memoryapp.llm.tasks import Candidate, KnownFact, Operation, Overlay, TranscriptMessage

TODAY = date(2026, 4, 20)
GITHUB_TOKEN = "gh" + "p_" + "aB3" * 12


def said(*texts: str, role: str = "user") -> tuple[TranscriptMessage, ...]:
    return tuple(
        TranscriptMessage(number, role, text, at=datetime(2026, 4, 20, 9, tzinfo=UTC))  # type: ignore[arg-type]
        for number, text in enumerate(texts, start=1)
    )


def known(*texts: str) -> tuple[KnownFact, ...]:
    return tuple(KnownFact(number, text) for number, text in enumerate(texts))


def proposed(text: str = "", **fields: Any) -> Candidate:
    return Candidate(**{"op": "ADD", "category": "preference", "evidence": [1], "text": text, **fields})


def judged(candidate: Candidate, *user: str, **context: Any) -> Verdict:
    transcript = said(*(user or (candidate.text,)))
    return judge(candidate, transcript=transcript, today=TODAY, **context)


# --- What is concrete, lasting and new passes --------------------------------------------------------------------


def test_a_concrete_fact_passes_as_it_is() -> None:
    verdict = judged(proposed("User prefers tabs over spaces because the screen reader copes better"))

    assert verdict.accepted
    assert verdict.text == "User prefers tabs over spaces because the screen reader copes better"


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("What is the capital of Peru?", "factual"),
        ("It runs every night", "factual"),
        ("She works at the clinic", "factual"),
        ("User is so tired", "utility"),
        ("User asked for a summary of the report", "utility"),
        ("HEARTBEAT_OK", "utility"),
        ("User might move to Lisbon one day", "factual"),
        ("Answer in at most 50 words", "utility"),
        ("用户今天好累", "utility"),
        ("", "factual"),
    ],
)
def test_what_is_no_lasting_fact_is_refused(text: str, gate: str) -> None:
    verdict = judged(proposed(text), "something else was said here")

    assert not verdict.accepted
    assert verdict.gate == gate
    assert verdict.reason


def test_a_wish_for_one_answer_is_not_kept_but_a_standing_one_is() -> None:
    once = judged(proposed("User wants the answer in 50 words", category="rule"), "In 50 words please")
    always = judged(proposed("User rule: always answer in at most 50 words", category="rule"))

    assert (once.accepted, once.gate) == (False, "utility")
    assert always.accepted


@pytest.mark.parametrize(
    "fields",
    [
        {"scope": "session"},
        {"stability": "transient"},
        {"confidence": 0.3},
        {"expires": date(2026, 4, 1)},
    ],
)
def test_what_does_not_last_is_refused(fields: dict[str, Any]) -> None:
    verdict = judged(proposed("User parks the van behind the bakery", **fields))

    assert (verdict.accepted, verdict.gate) == (False, "utility")


def test_what_was_asked_to_be_remembered_may_be_of_today() -> None:
    assert judged(proposed("User parks the van on level 3", stability="transient", explicit=True)).accepted


# --- Novelty -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("User enjoys daily walks with Poppy", "User has a dog named Poppy and loves their daily walks"),
        ("User likes brief answers", "User prefers concise answers"),
        ("用户喜欢喝绿茶", "用户喜爱喝绿茶"),
        ("Usuario: le gusta el jazz", "Al usuario le gusta el jazz"),
    ],
)
def test_the_same_in_other_words_is_nothing_new(text: str, old: str) -> None:
    verdict = judged(proposed(text), known=known(old))

    assert (verdict.accepted, verdict.gate) == (False, "novelty")


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("User prefers Python for backend services because of async support", "User likes Python"),
        ("User does not like jazz", "User likes jazz"),
        ("User's blog runs on Hugo 0.128", "User's blog runs on Hugo 0.110"),
    ],
)
def test_a_reason_a_negation_or_a_version_is_new(text: str, old: str) -> None:
    assert judged(proposed(text), known=known(old)).accepted


def test_an_update_that_only_rewords_is_refused() -> None:
    update = proposed("User enjoys jazz", op="UPDATE", target=0)

    assert judged(update, known=known("User likes jazz")).gate == "novelty"


def test_an_update_of_a_number_that_was_never_given_is_refused() -> None:
    verdict = judged(
        proposed("User lives in Bristol", op="UPDATE", target=12), known=known("User lives in Leeds")
    )

    assert not verdict.accepted
    assert "12" in verdict.reason


def test_an_update_takes_in_only_facts_that_exist() -> None:
    update = proposed("User has a dog named Poppy", op="UPDATE", target=0, also=[0, 1, 7])

    verdict = judged(update, known=known("User has a dog", "Dog's name is Poppy"))

    assert verdict.candidate.also == [1]


def test_a_temporary_constraint_never_replaces_what_it_limits() -> None:
    update = proposed(
        "User has paused hiking because of a hurt knee", op="UPDATE", target=0, category="project"
    )

    verdict = judged(
        update, "I hurt my knee, can't hike for a while", known=known("User enjoys hiking on weekends")
    )

    assert verdict.accepted
    assert verdict.candidate.op is Operation.ADD
    assert verdict.candidate.target is None
    assert verdict.text.startswith("As of 2026-04-20, user has paused hiking")


@pytest.mark.parametrize(
    "asked", ["Forget my shoe size, please.", "I don't wear that shoe size any more, it's another one now."]
)
def test_a_deletion_needs_somebody_who_asked_or_an_end(asked: str) -> None:
    delete = proposed(op="DELETE", target=0)

    assert judged(delete, asked, known=known("User's shoe size is 43")).accepted


def test_a_passing_ailment_may_be_asked_to_be_forgotten() -> None:
    delete = proposed(op="DELETE", target=0)

    verdict = judged(
        delete,
        "Hello again. Please wipe everything about my knee surgery.",
        known=known("User had knee surgery in February"),
    )

    assert verdict.accepted


def test_a_deletion_nobody_asked_for_is_refused() -> None:
    verdict = judged(
        proposed(op="DELETE", target=0), "I bought shoes.", known=known("User's shoe size is 43")
    )

    assert (verdict.accepted, verdict.gate) == (False, "novelty")


def test_a_deletion_passes_when_another_fact_takes_it_in() -> None:
    update = proposed("User has a dog named Poppy", op="UPDATE", target=0)
    triaged = judge_all(
        [update, proposed(op="DELETE", target=1)],
        known=known("User has a dog", "Dog's name is Poppy"),
        transcript=said("Poppy says hi"),
        today=TODAY,
    )

    assert [candidate.op for candidate in triaged.accepted] == [Operation.UPDATE, Operation.DELETE]


# --- Who said it -------------------------------------------------------------------------------------------------


def test_what_only_the_assistant_said_is_no_fact() -> None:
    transcript = (
        *said("Which tea should I try?"),
        TranscriptMessage(2, "assistant", "Lapsang, I love smoky tea."),
    )

    verdict = judge(proposed("User loves smoky Lapsang"), transcript=transcript, today=TODAY)

    assert (verdict.accepted, verdict.gate) == (False, "factual")


def test_what_the_assistant_reports_to_have_done_is_one() -> None:
    transcript = (
        *said("Update the call scripts sheet with the new templates"),
        TranscriptMessage(
            2, "assistant", "Done. The call scripts sheet (ID: 146Qbb...) now uses the new templates."
        ),
    )
    outcome = proposed(
        "Call scripts sheet (ID: 146Qbb...) was updated with the new templates",
        category="configuration",
        evidence=[1, 2],
    )

    assert judge(outcome, transcript=transcript, today=TODAY).accepted


def test_a_guess_nobody_made_is_refused() -> None:
    verdict = judged(proposed("User seems to be a frequent traveller"), "I need a laptop bag for the train")

    assert (verdict.accepted, verdict.gate) == (False, "factual")


# --- Repairs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("I prefer tea because my stomach likes it", "User prefers tea because their stomach likes it"),
        ("我对花生过敏", "用户对花生过敏"),
        ("Prefiero el té verde", "Usuario: prefiere el té verde"),
        ("Ich bevorzuge kurze Antworten", "Nutzer/in bevorzugt kurze Antworten"),
        ("私は大阪に住んでいます", "ユーザーは大阪に住んでいます"),
        ("- User likes rye bread", "User likes rye bread"),
    ],
)
def test_the_first_person_becomes_the_third(text: str, repaired: str) -> None:
    assert judged(proposed(text)).text == repaired


def test_a_gender_nobody_stated_is_taken_back() -> None:
    guessed = proposed("Kiran's sister visited him and brought her bike", category="relationship")

    assert (
        judged(guessed, "Kiran's visitors came").text == "Kiran's sister visited them and brought their bike"
    )


def test_a_stated_gender_stays() -> None:
    stated = proposed("User's sister Maya brought her bike", category="relationship")

    assert judged(stated, "My sister Maya brought her bike").text == "User's sister Maya brought her bike"


def test_what_changes_with_time_is_dated() -> None:
    verdict = judged(proposed("User finished the survey yesterday", category="project"))

    assert verdict.text == "User finished the survey on 2026-04-19"


def test_a_project_without_a_date_gets_one() -> None:
    verdict = judged(proposed("User is building a seed-swap app", category="project"))

    assert verdict.text == "As of 2026-04-20, user is building a seed-swap app"


def test_dates_that_are_written_out_stay_as_they_are() -> None:
    text = "As of 2026-03-01, user is moving next month (2026-04)"

    assert judged(proposed(text, category="project")).text == text


def test_a_long_fact_loses_its_last_clauses() -> None:
    clause = "User prefers tables with borders and captions in the reports for the board; "

    text = judged(proposed(clause * 9)).text

    assert len(text.split()) <= 50
    assert text.endswith("board")


def test_a_fact_in_another_script_falls_back_on_the_persons_own_words() -> None:
    translated = proposed("User is allergic to peanuts", quote="我对花生过敏", category="identity")

    assert judged(translated, "我对花生过敏").text == "用户对花生过敏"


def test_a_fact_in_another_script_without_a_quotation_is_refused() -> None:
    verdict = judged(proposed("User is allergic to peanuts"), "我对花生过敏")

    assert (verdict.accepted, verdict.gate) == (False, "factual")


# --- Credentials -------------------------------------------------------------------------------------------------


def test_a_credential_becomes_the_note_that_one_was_configured() -> None:
    leak = proposed(f"The GitHub token for the release bot is {GITHUB_TOKEN}", category="technical")

    verdict = judged(leak)

    assert verdict.accepted
    assert verdict.text == "GitHub token was configured for the release bot (as of 2026-04-20)"
    assert verdict.candidate.category == "configuration"


def test_a_credential_without_a_purpose_leaves_nothing() -> None:
    verdict = judged(proposed(f"User pasted {GITHUB_TOKEN}"), f"Why is this rejected? {GITHUB_TOKEN}")

    assert (verdict.accepted, verdict.gate) == (False, "safe")
    assert GITHUB_TOKEN not in f"{verdict.text}{verdict.reason}{verdict.candidate.quote}"


def test_a_connection_string_keeps_its_host() -> None:
    address = "postgres://worker:" + "s3cr3t!Pw-9" + "@db.marsh.internal:5432/jobs"

    verdict = judged(proposed(f"The worker uses {address}", category="configuration"))

    assert verdict.text == "The worker uses postgres://db.marsh.internal:5432/jobs"


def test_the_workspaces_own_patterns_count() -> None:
    verdict = judged(proposed("User's badge is ACME-77-1234 for the door"), secrets=[r"ACME-\d\d-\d{4}"])

    assert "ACME-77-1234" not in verdict.text


# --- One reply as a whole ----------------------------------------------------------------------------------------


def test_a_known_fact_is_acted_on_once() -> None:
    triaged = judge_all(
        [
            proposed("User lives in Bristol", op="UPDATE", target=0, category="identity"),
            proposed(op="DELETE", target=0, explicit=True),
        ],
        known=known("User lives in Leeds"),
        transcript=said("I moved to Bristol. Forget that I live in Leeds."),
        today=TODAY,
    )

    assert [candidate.op for candidate in triaged.accepted] == [Operation.UPDATE]
    assert [refusal.gate for refusal in triaged.refused] == ["novelty"]


def test_one_bad_candidate_stops_no_other() -> None:
    triaged = judge_all(
        [
            proposed("User lives in Bristol", op="UPDATE", target=0, category="identity"),
            proposed(op="DELETE", target=12),
            proposed("User keeps two bicycles in the hall"),
        ],
        known=known("User lives in Leeds"),
        transcript=said("I moved to Bristol and keep two bicycles in the hall."),
        today=TODAY,
    )

    assert len(triaged.accepted) == 2
    assert triaged.refused[0].reason == "There is no known fact 12."


def test_the_same_is_not_added_twice() -> None:
    twice = [proposed("User likes jazz from the sixties"), proposed("User loves jazz from the sixties")]

    triaged = judge_all(twice, transcript=said("I love jazz from the sixties"), today=TODAY)

    assert len(triaged.accepted) == 1


def test_nothing_to_keep_is_told_with_its_gate_and_reason() -> None:
    nothing = Candidate(op=Operation.NONE, text="How are you?", gate="factual", reason="a question")

    triaged = judge_all([nothing], today=TODAY)

    assert (triaged.refused[0].gate, triaged.refused[0].reason) == ("factual", "a question")


def test_what_the_workspace_leaves_out_is_left_out() -> None:
    overlay = Overlay(exclude=("never store salaries",))

    assert judged(proposed("User's salary is 50,000 euros"), overlay=overlay).gate == "utility"
    assert judged(proposed("User likes jazz from the sixties"), overlay=overlay).accepted
