"""How the parts behind the pages are doing: schedules, memory sources, webhooks, and how large the tables are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.schedules import RECURRENCES
from memoryapp.dashboard.pages import Visit
from memoryapp.models import Schedule, WebhookDelivery
from memoryapp.providers.breaker import BreakerState
from memoryapp.providers.status import provider_statuses
from tenants.models import Role

SCHEDULE_WORDS = {
    "dream": gettext_lazy("Dreaming"),
    "consolidation": gettext_lazy("Consolidation"),
    "projection": gettext_lazy("Fact projection"),
    "archive": gettext_lazy("Archive"),
    "sweep": gettext_lazy("Sweep of what has expired"),
    "usage": gettext_lazy("Count of usage"),
}
TABLES_SHOWN = 8
WEEK = timedelta(days=7)
SIZES = """
    SELECT relname, n_live_tup, pg_table_size(relid), pg_indexes_size(relid)
    FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC
"""
DATABASE = """
    SELECT pg_database_size(current_database()),
           (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
           current_setting('max_connections')::int
"""


@dataclass(frozen=True, slots=True)
class Recurring:
    """One recurring work of the agent in scope, or of the workspace, and when it is next."""

    schedule: Schedule

    @property
    def name(self) -> str:
        return str(SCHEDULE_WORDS.get(self.schedule.kind, self.schedule.kind.capitalize()))

    @property
    def off(self) -> str:
        """Why it does not run; empty when it does."""
        if not RECURRENCES[self.schedule.kind].enabled:
            return _("off for the installation")
        return "" if self.schedule.enabled else _("off")


class TableSize(NamedTuple):
    """One table with about how many rows it has, in bytes of data and of indexes."""

    name: str
    rows: int
    data: int
    indexes: int


@dataclass(frozen=True, slots=True)
class Database:
    """The installation's database at a glance."""

    size: int
    connections: int
    most_connections: int
    tables: list[TableSize]

    @property
    def indexes(self) -> int:
        return sum(table.indexes for table in self.tables)

    @property
    def largest(self) -> list[TableSize]:
        return self.tables[:TABLES_SHOWN]

    @property
    def is_crowded(self) -> bool:
        return self.connections > 0.8 * self.most_connections


class Sources(NamedTuple):
    """How many memory sources in use work, and the first that does not."""

    working: int
    used: int
    troubled: str


def recurring_work(visit: Visit) -> list[Recurring]:
    """The schedules of the agent in scope and of the workspace, soonest first."""
    schedules = Schedule.objects.visible_to(visit.principal)
    agent = visit.agent.pk if visit.agent else None
    rows = schedules.filter(Q(agent_id=agent) | Q(agent_id=None)).order_by("next_run")
    return [Recurring(row) for row in rows if row.kind in RECURRENCES]


def database() -> Database:
    """Sizes and connections, from what PostgreSQL keeps count of anyway; no table is read."""
    with connection.cursor() as cursor:
        cursor.execute(DATABASE)
        size, connections, most = cursor.fetchone()
        cursor.execute(SIZES)
        tables = [TableSize(*row) for row in cursor.fetchall()]
    return Database(size, connections, most, tables)


def sources(visit: Visit) -> Sources:
    """The memory sources in use, as this process has seen them."""
    used = [status for status in provider_statuses(visit.workspace) if status.in_use]
    troubled = [status.name for status in used if status.state is not BreakerState.CLOSED]
    return Sources(len(used) - len(troubled), len(used), troubled[0] if troubled else "")


def deliveries(visit: Visit) -> Counter[str]:
    """What became of the webhooks' deliveries of the last week, for admins."""
    if not visit.principal.can(Role.ADMIN):
        return Counter()
    rows = WebhookDelivery.objects.visible_to(visit.principal).filter(created_at__gt=timezone.now() - WEEK)
    return Counter(dict(rows.order_by().values_list("status").annotate(Count("pk"))))
