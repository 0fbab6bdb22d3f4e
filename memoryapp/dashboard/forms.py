"""Forms in the dashboard's look, and how an action's refusals reach their fields."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from memoryapp.exceptions import MemoryAppError
from memoryapp.wording import say
from tenants.exceptions import TenancyError

# What an action may refuse and a page tells its reader in a sentence.
REFUSALS = (MemoryAppError, TenancyError)
SELECTED = mark_safe(" selected")
WITHOUT_BOX = (forms.CheckboxInput, forms.CheckboxSelectMultiple, forms.RadioSelect)


@cache
def time_zones() -> list[tuple[str, str]]:
    """Every time zone as a choice; looking for them reads hundreds of files, once."""
    return [(name, name) for name in sorted(zoneinfo.available_timezones())]


class LongSelect(forms.Select):
    """A choice of hundreds, written in one go: Django renders a template for each of them."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = "" if value is None else str(value)
        attributes = flatatt(self.build_attrs(self.attrs, {**(attrs or {}), "name": name}))
        options = ((key, SELECTED if str(key) == chosen else "", label) for key, label in self.choices)
        written = format_html_join("\n", '<option value="{}"{}>{}</option>', options)
        return format_html("<select{}>{}</select>", attributes, written)


def dress(form: forms.BaseForm) -> None:
    """Give a form's fields the dashboard's classes."""
    for field in form.fields.values():
        if not isinstance(field.widget, WITHOUT_BOX):
            field.widget.attrs.setdefault("class", "input")


class PageForm(forms.Form):
    """A form whose fields wear the dashboard's classes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        dress(self)

    @property
    def status(self) -> int:
        """The status of the page that shows the form."""
        return 400 if self.errors else 200

    @contextmanager
    def showing_refusals(self) -> Iterator[None]:
        """Show in the form what an action within refuses, and go on after the block."""
        try:
            yield
        except REFUSALS as error:
            self.refuse(error)

    def refuse(self, error: MemoryAppError | TenancyError) -> None:
        """Show what an action refused at the fields it names, else above the form."""
        for name, details in (error.errors or {"": [error.detail]}).items():
            field = re.sub(r"(?<=[a-z])([A-Z])", lambda match: f"_{match[1].lower()}", name)
            self.add_error(field if field in self.fields else None, [say(detail) for detail in details])
