"""Owner keys: one spelling for everyone whose memory is kept, and the one function that makes it."""

from __future__ import annotations

import re
import unicodedata

from tenants.exceptions import InvalidOwner

SYSTEM = "system"
# Made up by members to try an agent out: every member of the workspace may act as them.
TEST_CHANNEL = "test"
MAX_SENDER_LENGTH = 128
RESERVED_CHANNELS = {"user", SYSTEM, "web"}
CHANNEL_PATTERN = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def user_owner_key(user_id: int) -> str:
    """The owner key of somebody logged in to the web console."""
    return f"user:{user_id}"


def end_user_owner_key(sender: str, channel: str = "api") -> str:
    """The owner key of a channel's sender, `<channel>:<sender>`.

    Raises InvalidOwner for a blank, overlong or reserved sender or channel, and for control characters.
    """
    if not CHANNEL_PATTERN.fullmatch(channel) or channel in RESERVED_CHANNELS:
        raise InvalidOwner(
            "channel", "A channel is a short lower-case word; user, system and web are reserved."
        )
    return f"{channel}:{checked_sender(sender)}"


def checked_sender(sender: object) -> str:
    """The sender as given, once it is known to be usable as an identity: compared exactly, never folded or trimmed."""
    if not isinstance(sender, str):
        raise InvalidOwner("endUserId", "An end user's id must be a string.")
    if not sender.strip():
        raise InvalidOwner("endUserId", "An end user's id must not be blank.")
    if len(sender) > MAX_SENDER_LENGTH:
        raise InvalidOwner("endUserId", f"An end user's id has at most {MAX_SENDER_LENGTH} characters.")
    if sender.strip().casefold() == SYSTEM:
        raise InvalidOwner("endUserId", "The id “system” is reserved.")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in sender):
        raise InvalidOwner("endUserId", "An end user's id must not contain control characters.")
    return sender


def owner_key_from_label(label: str) -> str:
    """The owner key a filter or a URL means: a full key as it stands, a bare value as an API end user."""
    prefix, _, rest = label.partition(":")
    if label == SYSTEM or (rest and (prefix == "user" or CHANNEL_PATTERN.fullmatch(prefix))):
        return label
    return end_user_owner_key(label)


def end_user_of(owner_key: str) -> str | None:
    """The end user's own id of an `api:` key, else None."""
    channel, _, sender = owner_key.partition(":")
    return sender if channel == "api" else None


def is_test_owner(owner_key: str) -> bool:
    """Whether a key is a test end user's, and nobody's real memory."""
    return owner_key.startswith(f"{TEST_CHANNEL}:")
