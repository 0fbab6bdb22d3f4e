"""Who may what, in one table: per route and method the role it takes and the token scope.

The isolation matrix test and the docs are generated from it; a route that is missing here answers nobody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from tenants.exceptions import InvalidCredentials, NotAllowed
from tenants.models import Role, TokenScope
from tenants.principals import Principal

if TYPE_CHECKING:
    # It reads the settings that name this module while it is being imported.
    from rest_framework.views import APIView


class Rule(NamedTuple):
    """The least role and, with a token, the scope a call needs."""

    role: Role
    scope: TokenScope | None


PUBLIC = None
READ = Rule(Role.VIEWER, TokenScope.MEMORY_READ)
WRITE_OWN = Rule(Role.VIEWER, TokenScope.MEMORY_WRITE)
WRITE = Rule(Role.MEMBER, TokenScope.MEMORY_WRITE)
CHAT = Rule(Role.VIEWER, TokenScope.CHAT)
SNAPSHOT = Rule(Role.VIEWER, TokenScope.SNAPSHOT)
IMPORT = Rule(Role.MEMBER, TokenScope.SNAPSHOT)
ADMIN = Rule(Role.ADMIN, TokenScope.ADMIN)
ANY_TOKEN = Rule(Role.VIEWER, None)

# Route name → method → rule. WRITE_OWN is refined by the action itself: a viewer writes only what is their own.
ROUTES: dict[str, dict[str, Rule | None]] = {
    "health-live": {"GET": PUBLIC},
    "health-ready": {"GET": PUBLIC},
    "metrics": {"GET": PUBLIC},
    "whoami": {"GET": ANY_TOKEN},
    "chat": {"POST": CHAT},
    "chat-stream": {"POST": CHAT, "GET": CHAT},
    "agents": {"GET": READ, "POST": ADMIN},
    "agent": {"GET": READ, "PATCH": ADMIN, "DELETE": ADMIN},
    "conversations": {"GET": READ},
    "conversation": {"GET": READ, "DELETE": WRITE_OWN},
    "conversation-messages": {"GET": READ},
    "conversation-memory": {"GET": READ},
    "summarize": {"POST": WRITE_OWN},
    "files": {"GET": READ},
    "file": {"GET": READ, "PUT": WRITE_OWN, "PATCH": WRITE_OWN, "DELETE": WRITE_OWN},
    "file-revisions": {"GET": READ},
    "file-revision": {"GET": READ},
    "file-restore": {"POST": WRITE_OWN},
    "file-write-memory": {"POST": WRITE_OWN},
    "prompt-files": {"GET": READ, "PUT": WRITE},
    "file-search": {"GET": READ},
    "context": {"POST": READ},
    "agent-scrub": {"POST": ADMIN},
    "scrub": {"POST": ADMIN},
    "memory-export": {"GET": SNAPSHOT},
    "memory-import-preview": {"POST": IMPORT},
    "memory-import": {"POST": IMPORT},
    "memory-import-undo": {"POST": IMPORT},
    "facts": {"GET": READ, "POST": WRITE_OWN, "DELETE": WRITE_OWN},
    "facts-search": {"POST": READ},
    "fact": {"GET": READ, "PATCH": WRITE_OWN, "DELETE": WRITE_OWN},
    "fact-history": {"GET": READ},
    "fact-provenance": {"GET": READ},
    "fact-feedback": {"POST": WRITE_OWN},
    "fact-confirm": {"POST": WRITE_OWN},
    "fact-pin": {"POST": WRITE_OWN},
    "fact-forget": {"POST": WRITE_OWN},
    "fact-undo-forget": {"POST": WRITE_OWN},
    "contradictions": {"GET": READ},
    "contradiction-resolve": {"POST": WRITE_OWN},
    "contradiction-undo": {"POST": WRITE_OWN},
    "reviews": {"GET": READ, "POST": WRITE_OWN},
    "review": {"POST": WRITE_OWN},
    "emergence": {"POST": WRITE},
    "focused-dream": {"POST": WRITE},
    "dreaming-status": {"GET": READ},
    "dream-candidates": {"GET": READ},
    "consolidation": {"POST": WRITE},
    "schedules": {"GET": READ},
    "schedule": {"PATCH": WRITE},
    "dream-reports": {"GET": READ},
    "dream-report": {"GET": READ},
    "dream-accept": {"POST": WRITE_OWN},
    "dream-decline": {"POST": WRITE_OWN},
    "dream-entry-confirm": {"POST": WRITE_OWN},
    "dream-entry-edit": {"POST": WRITE_OWN},
    "dream-entry-forget": {"POST": WRITE_OWN},
    "dream-entry-revert": {"POST": WRITE_OWN},
    "dream-archives": {"GET": READ},
    "dream-archive": {"GET": READ},
    "morning-card": {"GET": READ},
    "morning-card-seen": {"POST": WRITE_OWN},
    "soul-proposals": {"GET": READ},
    "soul-proposal-accept": {"POST": WRITE},
    "soul-proposal-decline": {"POST": WRITE},
    "events": {"GET": READ},
    "event": {"GET": READ},
    "event-retry": {"POST": WRITE},
    "owners": {"GET": ADMIN},
    "owner": {"GET": ADMIN},
    "owner-erase": {"POST": ADMIN},
    "owner-export": {"GET": ADMIN},
    "erasures": {"GET": ADMIN},
    "me-erase": {"POST": WRITE_OWN},
    "me-export": {"GET": SNAPSHOT},
    "tokens": {"GET": ANY_TOKEN, "POST": ANY_TOKEN},
    "token": {"DELETE": ANY_TOKEN},
    "members": {"GET": ADMIN},
    "providers": {"GET": ADMIN},
    "provider-mem0": {"GET": ADMIN, "PATCH": ADMIN},
    "overlays": {"GET": ADMIN},
    "overlay": {"GET": ADMIN, "PATCH": ADMIN},
    "overlay-try": {"POST": ADMIN},
    "member": {"PATCH": ADMIN, "DELETE": ADMIN},
    "invitations": {"GET": ADMIN, "POST": ADMIN},
    "invitation": {"DELETE": ADMIN},
    "audit": {"GET": ADMIN},
    "settings": {"GET": ADMIN, "PATCH": ADMIN},
    "webhooks": {"GET": ADMIN, "POST": ADMIN},
    "webhook": {"GET": ADMIN, "PATCH": ADMIN, "DELETE": ADMIN},
    "webhook-deliveries": {"GET": ADMIN},
    "webhook-replay": {"POST": ADMIN},
    "mem0-ping": {"GET": ANY_TOKEN},
    "mem0-memories": {"POST": WRITE_OWN, "GET": READ, "DELETE": WRITE_OWN},
    "mem0-memory": {"GET": READ, "PUT": WRITE_OWN, "DELETE": WRITE_OWN},
    "mem0-history": {"GET": READ},
    "mem0-add": {"POST": WRITE_OWN},
    "mem0-search-v1": {"POST": READ},
    "mem0-search": {"POST": READ},
    "mem0-search-v3": {"POST": READ},
    "mem0-list-v2": {"POST": READ},
    "mem0-list": {"POST": READ},
    "mem0-batch": {"PUT": WRITE_OWN, "DELETE": WRITE_OWN},
    "mem0-entities": {"GET": READ},
    "mem0-entity-v1": {"GET": READ, "DELETE": WRITE_OWN},
    "mem0-entity": {"GET": READ, "DELETE": WRITE_OWN},
    "mem0-profile": {"GET": READ},
    "mem0-profile-settings": {"GET": READ, "POST": ADMIN},
    "mem0-profile-jobs": {"POST": READ},
    "mem0-profile-job": {"GET": READ},
    "mem0-events": {"GET": READ},
    "mem0-event": {"GET": READ},
    "mem0-feedback": {"POST": WRITE_OWN},
    "mem0-exports": {"POST": READ},
    "mem0-export": {"POST": READ},
    "mem0-summary": {"POST": READ},
    "mem0-projects": {"POST": ADMIN},
    "mem0-project": {"GET": READ, "PATCH": ADMIN, "DELETE": ADMIN},
    "mem0-members": {"GET": ADMIN, "POST": ADMIN, "PUT": ADMIN, "DELETE": ADMIN},
    "mem0-webhooks": {"GET": ADMIN, "POST": ADMIN},
    "mem0-webhook": {"PUT": ADMIN, "DELETE": ADMIN},
    "mem0-hosted-memories": {"POST": WRITE_OWN, "GET": READ, "DELETE": WRITE_OWN},
    "mem0-hosted-memories-search": {"POST": READ},
    "mem0-hosted-memory": {"GET": READ, "PUT": WRITE_OWN, "DELETE": WRITE_OWN},
    "mem0-hosted-history": {"GET": READ},
    "mem0-hosted-search": {"POST": READ},
    "mem0-hosted-entities": {"GET": READ},
    "mem0-hosted-entity": {"GET": READ, "DELETE": WRITE_OWN},
    "mem0-sign-up": {"POST": PUBLIC},
    "mem0-sign-up-verify": {"POST": PUBLIC},
    "mem0-sign-up-agent": {"POST": PUBLIC},
    "openai-chat": {"POST": CHAT},
    "openai-models": {"GET": READ},
    "openai-model": {"GET": READ},
    "openai-embeddings": {"POST": READ},
}


def check_route(principal: Principal | None, route: str, method: str) -> None:
    """Raise InvalidCredentials or NotAllowed unless the principal may call the route; else it is an admin's."""
    rule = ROUTES.get(route, {}).get("GET" if method in {"HEAD", "OPTIONS"} else method, ADMIN)
    if rule is PUBLIC:
        return
    if principal is None:
        raise InvalidCredentials(
            "Authentication is needed: send an access token as “Authorization: Bearer …”."
        )
    principal.require(rule.role)
    if principal.token_id is not None and rule.scope is not None and not principal.has_scope(rule.scope):
        raise NotAllowed(f"This token lacks the scope {rule.scope}.")


class RoutePermission(BasePermission):
    """Judges every API call by the table above."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        method = request.method or "GET"
        if hasattr(view, method.lower()):  # what the view cannot do is answered 405, whoever asks
            route = (request.resolver_match and request.resolver_match.url_name) or ""
            check_route(getattr(request._request, "principal", None), route, method)
        return True
