"""Japanese: what somebody says of themselves, told in the third person."""

from __future__ import annotations

import regex

_GROUP = regex.compile("(?:私|僕|俺|わたし|ぼく)(?:たち|達|ら)")
_OWNER = regex.compile("私|僕|俺|わたし|わたくし|ぼく|おれ")


def third_person(text: str, *, owner: str = "ユーザー") -> str:
    """The statement with 私, 僕 … replaced by the owner."""
    return _OWNER.sub(owner, _GROUP.sub(f"{owner}のチーム", text))
