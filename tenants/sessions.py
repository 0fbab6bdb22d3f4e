"""Where somebody is signed in: Django's sessions in a table that knows its people, and how they end one.

The settings name this module as the session engine.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import QuerySet
from django.utils import timezone

from tenants.models import Session

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DEVICE, FIRST_SEEN = "device", "first_seen"
LAST_SEEN_PRECISION = timedelta(minutes=5)


class SessionStore(DatabaseStore):
    """Sessions as Django keeps them, besides whom each belongs to and when it was last seen."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        return self._described(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Session:
        return self._described(await super().acreate_model_instance(data), data)

    @staticmethod
    def _described(row: Any, data: dict[str, Any]) -> Session:
        """The columns repeat what the session holds, since each save writes the row anew, under a new key even."""
        described: Session = row
        described.user_id = data.get(SESSION_KEY)
        described.device = data.get(DEVICE, "")
        if FIRST_SEEN in data:
            described.first_seen_at = datetime.fromisoformat(data[FIRST_SEEN])
        return described

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc] # missing in the stubs
        if row is not None and self._is_stale(row):
            Session.objects.filter(pk=row.pk).update(last_seen_at=timezone.now())
        return row

    async def _aget_session_from_db(self) -> Session | None:
        row: Session | None = await super()._aget_session_from_db()  # type: ignore[misc] # missing in the stubs
        if row is not None and self._is_stale(row):
            await Session.objects.filter(pk=row.pk).aupdate(last_seen_at=timezone.now())
        return row

    @staticmethod
    def _is_stale(row: Session) -> bool:
        """Whether to note that it was seen: at most once in a few minutes, so that reading stays free of writes."""
        return timezone.now() - row.last_seen_at > LAST_SEEN_PRECISION


def describe_session(session: Any, user_agent: str) -> None:
    """Note in a fresh session which browser it is of and since when."""
    session[DEVICE] = user_agent[:300]
    session[FIRST_SEEN] = timezone.now().isoformat()


def sessions_of(user: User) -> QuerySet[Session]:
    """Where somebody is signed in, last seen first; what has expired is gone."""
    return Session.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-last_seen_at")


def handle_of(session: Session) -> str:
    """How a page names a session: its key would be as good as a password."""
    return hashlib.sha256(session.session_key.encode()).hexdigest()[:32]


def end_session(*, user: User, handle: str) -> bool:
    """Sign somebody out of one of their own browsers; False when none of theirs has that handle."""
    found = next((one for one in sessions_of(user) if handle_of(one) == handle), None)
    if found is None:
        return False
    found.delete()
    return True


def end_other_sessions(*, user: User, keep: str | None) -> int:
    """Sign somebody out everywhere but in the session of that key, and return how many sessions that ended."""
    others = Session.objects.filter(user=user).exclude(session_key=keep or "")
    ended = others.filter(expire_date__gt=timezone.now()).count()
    others.delete()
    return ended
