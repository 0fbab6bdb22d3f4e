"""What the model sees in a turn: the stable system prompt, the history, the fenced memory of this owner, the message.

Told without a model, so that a page can show it truthfully: the turn sends exactly these parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from django.conf import settings
from django.utils import timezone

from memoryapp.actions.recalls import FACT
from memoryapp.actions.turns import Earlier
from memoryapp.chat.budget import cut_to_tokens, estimate_tokens, first_within
from memoryapp.llm.markdown import cut_at_section
from memoryapp.llm.types import ChatMessage, Role
from memoryapp.models import Agent, Message
from memoryapp.models.categories import FactCategory
from memoryapp.prompts import render_prompt
from memoryapp.providers import providers_for
from memoryapp.providers.base import Kind, Snippet, TurnQuery
from memoryapp.providers.chain import end_of_asking, prefetched, shared_blocks
from memoryapp.retrieval.recall_plan import RecallPlan
from memoryapp.retrieval.search import Hit
from memoryapp.safety.fences import fence

LAST_MESSAGES = 2
# How much of the window the files of a prompt may take; a file of which so little would be left is left out.
FILES_SHARE, SMALLEST_FILE = 0.35, 100
CUT_MARK = "\n\n[cut here: over the size limit]\n"
CUT, LEFT_OUT = "cut: over its share of the window", "left out: over its share of the window"
SUMMARY, HISTORY = "summary", "history"
SUMMARY_TITLE = "What was said earlier in this conversation, summed up"
VIEW_TITLES = {"user": "About the person", "feedback": "Rules they set"}


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of what the model sees."""

    name: str
    role: Role
    text: str

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True)
class Omission:
    """What did not fit, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class TurnContext:
    """Everything a turn sends but the message itself, and what of memory it used."""

    parts: tuple[Part, ...]
    omitted: tuple[Omission, ...]
    # What was found for the message, best first, in the words in which it stands in the prompt.
    found: tuple[Snippet, ...]
    standing: tuple[str, ...] = ()
    plan: RecallPlan = field(default_factory=lambda: RecallPlan(""))
    history: tuple[Earlier, ...] = ()
    # What the conversation came to before its history begins.
    summary: str = ""

    @property
    def fixed_tokens(self) -> int:
        """What all takes that is not the conversation."""
        return sum(part.tokens for part in self.parts if part.name not in {SUMMARY, HISTORY})

    def with_history(self, history: Sequence[Earlier], summary: str, *omitted: Omission) -> TurnContext:
        """The same with another stretch of the conversation, and what went before it as a summary."""
        others = [part for part in self.parts if part.name not in {SUMMARY, HISTORY}]
        return replace(
            self,
            parts=(others[0], *_conversation(history, summary), *others[1:]),
            omitted=(*self.omitted, *omitted),
            history=tuple(history),
            summary=summary,
        )

    def messages_with(self, text: str) -> tuple[ChatMessage, ...]:
        """The request's messages, the person's own words last."""
        before = tuple(ChatMessage(part.role, part.text) for part in self.parts if part.text)
        return (*before, ChatMessage("user", text))

    @property
    def recalled(self) -> tuple[Hit, ...]:
        return tuple(snippet.hit for snippet in self.found if snippet.hit is not None)

    @property
    def memory(self) -> str:
        """The fenced memory of the owner as the model sees it; empty when there is none."""
        return next((part.text for part in self.parts if part.name == "memory"), "")


def assemble_context(
    query: TurnQuery, history: Sequence[Earlier], *, summary: str = "", with_tools: bool = False
) -> TurnContext:
    """Everything the model is told before the message: system prompt, history, the owner's memory for this query."""
    providers = providers_for(query.agent, query.principal.workspace)
    until = end_of_asking()
    blocks, fetched = shared_blocks(providers, query, until), prefetched(providers, query, until)
    shared, cut, room = fit_files(blocks.snippets, int(settings.MEMORY_WINDOW_MAX_INPUT_TOKENS * FILES_SHARE))
    offered, cut_too, _ = fit_files(fetched.snippets, room)
    system = Part(
        "system", "system", system_prompt(query.agent, shared, today=_today(query) if with_tools else "")
    )
    own, found, omitted = fit_memory(offered, known=system.text)
    omitted = [*cut, *cut_too, *omitted]
    omitted += [
        Omission(name, "this memory source did not answer in time, or failed")
        for name in dict.fromkeys([*blocks.silent, *fetched.silent])
    ]
    memory = Part("memory", "user", fence(own) if own else "")
    standing = tuple(snippet.text for snippet in (*offered, *shared) if snippet.kind is Kind.STANDING)
    alone = TurnContext((system, memory), tuple(omitted), tuple(found), standing, query.plan)
    return alone.with_history(history, summary)


def _conversation(history: Sequence[Earlier], summary: str) -> list[Part]:
    """What was said: a summary of the earlier part, which is data as all that people said, then the messages."""
    before = [Part(SUMMARY, "user", fence([summary], SUMMARY_TITLE))] if summary else []
    return [*before, *(Part(HISTORY, _role_of(message), message.text) for message in history)]


def _today(query: TurnQuery) -> str:
    return timezone.now().astimezone(query.principal.workspace.zone).date().isoformat()


def system_prompt(agent: Agent, shared: Sequence[Snippet], *, today: str = "") -> str:
    """Who the agent is and what is shared by all it talks to; the same bytes until one of them changes.

    With a day it may use tools: whoever writes “as of” or filters by dates has to know which day it is. That stands
    last, so that all before it stays the same from one day to the next.
    """
    files = [
        f"---\n\n{snippet.source}\n\n---\n\n{snippet.text}" for snippet in shared if snippet.kind is Kind.FILE
    ]
    standing, _ = standing_block([snippet for snippet in shared if snippet.kind is Kind.STANDING])
    known = [f"---\n\nKnown to all\n\n---\n\n{standing}"] if standing else []
    description = agent.description.strip()
    return render_prompt(
        "chat_system",
        agent_name=agent.name,
        agent_description=f" {description}" if description else "",
        tools=f"\n{render_prompt('chat_tools')}" if today else "",
        today=f"\n\nToday is {today}." if today else "",
        files="\n" + "\n\n".join([*files, *known]),
    )


def fit_files(offered: Sequence[Snippet], room: int) -> tuple[list[Snippet], list[Omission], int]:
    """What is offered with its files cut to so many tokens, what was left out, and how many are left.

    The first file that does not fit is cut, those behind it are left out; the same files give the same bytes.
    """
    kept: list[Snippet] = []
    omitted: list[Omission] = []
    for snippet in offered:
        fitting = _fitting(snippet, room) if snippet.kind is Kind.FILE else snippet
        if fitting is snippet:
            room -= estimate_tokens(snippet.text) if snippet.kind is Kind.FILE else 0
        else:
            room = 0
            omitted.append(Omission(snippet.source, CUT if fitting.text else LEFT_OUT))
        if fitting is snippet or fitting.text:
            kept.append(fitting)
    return kept, omitted, room


def _fitting(file: Snippet, tokens: int) -> Snippet:
    if estimate_tokens(file.text) <= tokens:
        return file
    head = cut_to_tokens(file.text, tokens) if tokens >= SMALLEST_FILE else ""
    return replace(file, text=cut_at_section(file.text, len(head), CUT_MARK) if head else "")


def fit_memory(offered: Sequence[Snippet], *, known: str) -> tuple[list[str], list[Snippet], list[Omission]]:
    """The owner's memory cut to its budgets: the texts to fence, what of them was found, and what was left out."""
    files = [_cut(snippet) for snippet in offered if snippet.kind is Kind.FILE]
    standing, omitted = standing_block([snippet for snippet in offered if snippet.kind is Kind.STANDING])
    texts = [*files, *([standing] if standing else [])]
    found = [snippet for snippet in offered if snippet.kind is Kind.RECALLED]
    fresh, told = without_repeats(found, "\n".join([known, *texts]))
    fitting = first_within(fresh, settings.MEMORY_RECALL_MAX_TOKENS, settings.MEMORY_RECALL_MAX_ITEMS)
    if len(fitting) < len(fresh):
        omitted.append(Omission("recall", f"{len(fresh) - len(fitting)} recalled items were over the budget"))
    if fitting:
        texts.append(
            "\n".join(
                [
                    "Recalled for this message:",
                    *(f"- {_line(each)} ({each.source})" for each in _in_order(fitting)),
                ]
            )
        )
    return texts, [*fitting, *told], omitted


def without_repeats(found: Sequence[Snippet], said: str) -> tuple[list[Snippet], list[Snippet]]:
    """What is not said yet, sections without those of their lines that are; and the facts that are said elsewhere."""
    heard = _folded(said)
    fresh: dict[int, Snippet] = {}
    told: list[Snippet] = []
    # Facts first: they say with a date, and each by itself, what the note of a day has in passing.
    for place, snippet in sorted(enumerate(found), key=lambda each: _is_section(each[1])):
        pieces = _pieces(snippet.text) if _is_section(snippet) else [snippet.text]
        unsaid = "; ".join(piece for piece in pieces if _folded(piece) not in heard)
        if unsaid:
            fresh[place] = replace(snippet, text=unsaid)
            heard = f"{heard} {_folded(unsaid)}"
        elif not _is_section(snippet):
            told.append(snippet)
    return [fresh[place] for place in sorted(fresh)], told


def _is_section(snippet: Snippet) -> bool:
    return snippet.hit is not None and snippet.hit.kind != FACT


def _pieces(section: str) -> list[str]:
    """The statements of a section: its lines without headings and marks, taken apart where they are lists."""
    lines = [line.strip().removeprefix("- ") for line in section.splitlines() if not line.startswith("#")]
    return [piece.strip() for line in lines for piece in line.split("; ") if piece.strip()]


def standing_block(snippets: Sequence[Snippet]) -> tuple[str, list[Omission]]:
    """Always-on entries as a list per type, newest first within the budget, with a footer that counts the rest."""
    limit = settings.MEMORY_SYSTEM_BLOCK_MAX_CHARS
    kept: list[Snippet] = []
    size = 0
    for snippet in snippets:
        size += len(snippet.text) + len("- \n")
        if limit and size > limit:
            break
        kept.append(snippet)
    totals = Counter(snippet.group for snippet in snippets)
    for snippet in snippets:
        totals[snippet.group] = max(totals[snippet.group], snippet.group_size)
    left_out = totals.total() - len(kept)
    lines = list(_listed(kept))
    if not left_out:
        return "\n".join(lines), []
    lines.append(f"({left_out} older entries are not shown.)")
    return "\n".join(lines), [Omission("always-on facts", f"{left_out} older entries were over the budget")]


def _listed(snippets: Iterable[Snippet]) -> Iterable[str]:
    # A source of somebody else's may have groups of its own.
    order = list(VIEW_TITLES)
    by_group = sorted(snippets, key=lambda snippet: order.index(_view(snippet)))
    for group, entries in groupby(by_group, key=_view):
        yield f"{VIEW_TITLES[group]}:"
        yield from (f"- {_line(snippet)}" for snippet in entries)


def _view(snippet: Snippet) -> str:
    return snippet.group if snippet.group in VIEW_TITLES else "user"


def _in_order(recalled: Sequence[Snippet]) -> list[Snippet]:
    """What was recalled by kind, who the person is first, each kind best first."""
    order = [member.slug for member in FactCategory]
    return sorted(recalled, key=lambda each: order.index(each.group) if each.group in order else len(order))


def _line(snippet: Snippet) -> str:
    return " ".join(snippet.text.split("\n")).strip()


def _cut(snippet: Snippet) -> str:
    ceilings = {
        "PROFILE.md": settings.MEMORY_PROFILE_MAX_CHARS,
        "MEMORY.md": settings.MEMORY_MEMORY_MD_MAX_CHARS,
    }
    return f"{snippet.source}:\n{cut_at_section(snippet.text, ceilings.get(snippet.source, 0), CUT_MARK)}"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _role_of(message: Earlier) -> Role:
    return "assistant" if message.role == Message.Role.ASSISTANT else "user"
