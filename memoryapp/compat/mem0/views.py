"""The routes themselves: authenticate, translate, call one function, translate back."""

from __future__ import annotations

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memoryapp.actions.conversations import add_message, open_conversation
from memoryapp.actions.fact_batches import add_facts
from memoryapp.actions.facts import AddedFact, add_fact
from memoryapp.actions.masking import masked
from memoryapp.compat.mem0.additions import Addition, read_addition
from memoryapp.compat.mem0.errors import Handler, with_mem0_keys
from memoryapp.compat.mem0.items import as_item
from memoryapp.compat.mem0.places import Labels, choose_agent
from memoryapp.compat.mem0.searches import Search, read_search
from memoryapp.exceptions import ValidationFailed
from memoryapp.jobs.extraction import enqueue_extraction
from memoryapp.models import Agent, Event, Fact
from memoryapp.retrieval.indexing import embed_now
from memoryapp.retrieval.search import Hit, search_memories
from tenants.principals import Principal

# More texts than this are found by their words at once and embedded by the worker.
EMBEDDED_INLINE = 10


@extend_schema(exclude=True)
class Mem0View(APIView):
    """A view that speaks mem0: an unbound token sees every API end user, one that is bound only its own."""

    principal: Principal

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.principal = cast("Principal", request.auth).as_integrator()

    def get_exception_handler(self) -> Handler:
        return with_mem0_keys(super().get_exception_handler())

    def acting(self, labels: Labels) -> Principal:
        """The principal on behalf of the one user a call is about; of nobody in particular without one."""
        return self.principal.acting_as(labels.user_id or None)

    @property
    def body(self) -> dict[str, Any]:
        """The body, which the parser has seen to be an object."""
        return cast("dict[str, Any]", self.request.data)

    def listed(self, results: list[dict[str, Any]]) -> Response:
        """A bare list, as these routes answered first, or an object for who asks for the newer format."""
        newer = self.body.get("output_format") == "v1.1"
        return Response({"results": results, "relations": []} if newer else results)


class AddView(Mem0View):
    def post(self, request: Request) -> Response:
        """Store messages word for word, or have them read for what is worth keeping."""
        addition = read_addition(self.body)
        principal = self.acting(addition.labels)
        agent = choose_agent(principal, addition.labels.agent_id)
        if addition.infer:
            return self.listed([_pending(_read_later(principal, agent, addition))])
        return self.listed([_added(each) for each in _store(principal, agent, addition)])


def _store(principal: Principal, agent: Agent, addition: Addition) -> list[AddedFact]:
    news = addition.as_facts()
    if len(news) > EMBEDDED_INLINE:
        return add_facts(principal=principal, agent=agent, news=news, lift_tombstones=True)
    # Masked first: an embedder may be at the other end of a network, and a vector tells what it was made of.
    vectors = embed_now([masked(new.text, principal.workspace)[0] for new in news])
    return [
        add_fact(principal=principal, agent=agent, new=new, vector=vector, lift_tombstone=True)
        for new, vector in zip(news, vectors, strict=True)
    ]


def _added(added: AddedFact) -> dict[str, Any]:
    item = as_item(added.fact)
    event = "ADD" if added.created else "NONE"
    return {**item, "event": event, "status": "SUCCEEDED", "data": {"memory": item["memory"]}}


def _read_later(principal: Principal, agent: Agent, addition: Addition) -> Event:
    """Keep the messages as a conversation and have it read soon, however short it is."""
    if not addition.labels.user_id:
        raise ValidationFailed.of("user_id", "Messages are read for a user: send user_id, or infer: false.")
    conversation = open_conversation(
        principal=principal, agent=agent, external_id=addition.labels.run_id or None
    )
    for said in addition.messages:
        add_message(
            principal=principal,
            conversation=conversation,
            role="assistant" if said.role == "agent" else said.role,
            text=said.text,
            name=said.name,
            said_at=addition.said_at,
        )
    event = enqueue_extraction(conversation, bypass=True)
    if event is None:
        raise ValidationFailed.of("infer", "This conversation is not read for memory.")
    return event


def _pending(event: Event) -> dict[str, Any]:
    return {
        "message": "Memory processing has been queued for background execution",
        "status": "PENDING",
        "event_id": str(event.pk),
    }


class SearchView(Mem0View):
    def post(self, request: Request) -> Response:
        """The memories that answer a question, best first."""
        search = read_search(self.body)
        principal = self.acting(search.labels)
        agent = choose_agent(principal, search.labels.agent_id)
        found = search_memories(
            masked(search.query, principal.workspace)[0],
            principal=principal,
            agent=agent,
            filters=search.node,
            top_k=search.top_k,
            threshold=search.threshold,
            sources=("facts",),
            explain=True,
            show_expired=search.show_expired,
            latest_only=search.latest_only,
            reference_date=search.reference_date,
            mem0_names=True,
        )
        return self.listed([_found(hit, search) for hit in found.items])


def _found(hit: Hit, search: Search) -> dict[str, Any]:
    reasons = hit.explain or {}
    item = {
        **as_item(cast("Fact", hit.object)),
        "score": round(hit.score, 4),
        "score_breakdown": {
            "semantic": reasons["vector"]["score"],
            "bm25": reasons["lexical"]["score"],
            "entity": reasons["boosts"].get("speaker", 0.0),
        },
    }
    return {
        name: value for name, value in item.items() if not search.fields or name in search.fields | {"id"}
    }
