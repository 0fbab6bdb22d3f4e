"""What is heard of a stream that passes through."""

from __future__ import annotations

import pytest

from memoryapp.compat.openai.listening import Listener
from tests.scripted_endpoint import DONE, chunk, event

STOP = chunk(finish_reason="stop")


@pytest.mark.parametrize(
    ("stream", "said", "is_whole"),
    [
        pytest.param(chunk("Oat 🚲") + STOP + DONE, "Oat 🚲", True, id="an ordinary one"),
        pytest.param(chunk("Oat ends with <th") + STOP, "Oat ends with <th", True, id="no announced end"),
        pytest.param(chunk("<think>a</think>Oat") + STOP + DONE, "Oat", True, id="thinking"),
        pytest.param(
            chunk("plan") + chunk("</think>Oat") + STOP + DONE, "Oat", True, id="thinking from the start"
        ),
        pytest.param(
            chunk("Oat") + event({"error": "x"}) + STOP + DONE, "Oat", False, id="an error in between"
        ),
        pytest.param(chunk("Oat") + b"data: oops\n\n" + STOP + DONE, "Oat", False, id="no JSON"),
        pytest.param(chunk("Oat") + DONE, "Oat", False, id="not finished"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_an_answer_is_heard_however_it_is_cut(
    stream: bytes, said: str, is_whole: bool, size: int, line_end: bytes
) -> None:
    sent, listener = stream.replace(b"\n", line_end), Listener()

    for at in range(0, len(sent), size):
        listener.hear(sent[at : at + size])
    listener.end()

    assert (listener.said, listener.is_whole) == (said, is_whole)
