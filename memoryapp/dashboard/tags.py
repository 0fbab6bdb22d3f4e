"""Template tags of the dashboard: icons, times, trust bars and the other small things pages repeat."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, pgettext
from django.utils.translation import gettext_lazy as _

from memoryapp.actions.statements import undressed
from memoryapp.dashboard import dates
from memoryapp.dashboard.counting import say_count, say_place
from memoryapp.dashboard.diffs import compare_texts
from memoryapp.dashboard.markup import markdown_to_html, markdown_to_line
from memoryapp.safety.credentials import MARKER
from memoryapp.wording import say

register = template.Library()
register.filter("markdown", markdown_to_html)
register.filter("as_line", markdown_to_line)
register.filter("counted", say_count)
register.simple_tag(say_place, name="place")
register.filter("undressed", undressed)
register.filter("said", say)
register.filter("calendar", dates.say_calendar_day)

# Below this a fact is left out of answers; the bar is hatched.
LOW_TRUST = 0.30
# Up to here it soon will be.
FADING_BELOW = LOW_TRUST + 0.06
BAR_WIDTH, BAR_HEIGHT = 56, 6
HATCH_STEP = 5
EXPIRES_SOON = timedelta(days=14)
TIME_STYLES = {
    "when": dates.say_when,
    "date": dates.say_date,
    "day": dates.say_day,
    "moment": dates.say_moment,
    "until": dates.say_until,
    "clock": dates.say_clock,
}


@register.simple_tag
@cache
def icon(name: str, size: str = "") -> SafeString:
    """One icon of the sprite; the word beside it says what it means."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>',
        size,
        static("icons/sprite.svg"),
        name,
    )


@register.simple_tag
def when(moment: datetime | None, style: str = "when") -> SafeString | str:
    """A time in words, exact to machines and on hover; a dash for never."""
    if moment is None:
        return "–"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(timespec="seconds"),
        dates.say_exactly(moment),
        TIME_STYLES[style](moment),
    )


@register.simple_tag
def comma() -> str:
    """Between two clauses put together by a template."""
    return pgettext("between clauses", ", ")


@register.simple_tag
def colon() -> str:
    """Before what a template names."""
    return pgettext("before what is named", ": ")


@register.simple_tag
def stop() -> str:
    """At the end of a sentence put together by a template."""
    return pgettext("end of a sentence", ".")


@register.filter
def with_masks(text: str) -> SafeString:
    """A message as it was said, with dots where a credential stood."""
    dots = format_html(
        '<span class="masked" title="{}">••••••••</span>', _("A credential was here. It was not stored.")
    )
    return format_html_join(dots, "{}", ((piece,) for piece in text.split(MARKER)))


@register.filter
def thousands(number: int | None) -> str:
    """A number with thin groups: 12,480."""
    return f"{number or 0:,}"


@register.filter
def kilo(number: int) -> str:
    """A size in thousands or millions with one digit: 1.1 k."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} M"
    return str(number) if number < 1000 else f"{number / 1000:.1f} k"


@register.filter
def moment(written: str) -> datetime | None:
    """A time that JSON holds, for `when`."""
    return datetime.fromisoformat(written) if written else None


@register.filter
def categories(names: Iterable[str]) -> str:
    """Categories of facts in the middle of a sentence: “identity, rule”."""
    return gettext(", ").join(say(name.capitalize()).lower() for name in names)


@register.filter
def sentence(reason: str) -> str:
    """A reason of the engine's as a sentence: with a capital and a full stop."""
    words = say(reason)
    if words.endswith((".", "。", "?", "!")):
        return capfirst(words)
    return gettext("%(words)s.") % {"words": capfirst(words)}


@register.filter
def signed(number: float) -> str:
    """What is added or taken away: +0.04."""
    return f"{number:+.2f}" if round(number, 2) else "0"


@register.filter
def svg(number: float) -> str:
    """A number as an attribute of a drawing, whatever the reader's language."""
    return f"{number:.2f}"


@register.filter
def initials(name: str) -> str:
    """Two letters for a person's or workspace's tile; one character of a Chinese name."""
    words = [word for word in name.replace("@", " ").replace(".", " ").split() if word[0].isalnum()]
    if not words:
        return "?"
    if ord(words[0][0]) > 0x2E7F:
        return words[0][0]
    return "".join(word[0] for word in words[:2]).upper()


@lru_cache(maxsize=4_096)
def drawn(component: str, language: str, **values: Any) -> SafeString:
    """A small component in a language, drawn once for each look that it has: a page may show a hundred of them."""
    return render_to_string(f"components/{component}.html", values)


@register.simple_tag
def trust(value: float, pinned: bool = False) -> SafeString:
    """The trust bar: length and number, hatched when the fact is too little trusted to be used."""
    value = min(max(value, 0.0), 1.0)
    low, value = value < LOW_TRUST, round(value, 2)
    length = round(value * (BAR_WIDTH - 2), 1)
    hatch = (
        [f"M{x} {BAR_HEIGHT - 1}L{min(x + 4, length + 1):g} 1" for x in range(1, int(length), HATCH_STEP)]
        if low
        else []
    )
    return drawn(
        "trust",
        get_language() or "",
        value=value,
        pinned=bool(pinned),
        length=length,
        low=low,
        hatch=" ".join(hatch),
        width=BAR_WIDTH,
    )


@register.inclusion_tag("components/diff.html")
def diff(before: str, after: str) -> dict[str, Any]:
    """Two texts compared line by line."""
    return {"lines": compare_texts(before, after)}


@register.simple_tag
def scope_badge(scope: str, owner_key: str = "", mine: str = "") -> SafeString:
    """Who sees a row: only you, somebody named, the team, everybody."""
    name = "" if not owner_key or owner_key == mine else owner_key
    return drawn("scope", get_language() or "", scope=str(scope), name=name)


STATUS_WORDS = {
    "pending": ("pending", "circle-dashed", _("Pending review")),
    "superseded": ("", "arrow-right", _("Superseded")),
    "merged": ("", "git-merge", _("Merged")),
    "forgotten": ("bad", "ban", _("Forgotten")),
}


@register.simple_tag
def status_badge(fact: Any) -> str:
    """A fact's state when it is not the normal one."""
    kind, icon_name, word = STATUS_WORDS.get(fact.status, ("", "", ""))
    expires = fact.expires_at if fact.expires_at and fact.expires_at < timezone.now() + EXPIRES_SOON else None
    if not (word or expires):
        return ""
    shown = {"kind": kind, "icon": icon_name, "word": word, "since": fact.valid_to, "expires": expires}
    return render_to_string("components/status.html", shown)
