"""Putting text into a file without editing the whole of it: after what is there, into a section, or value by value."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.actions.file_text import checked_path
from memoryapp.actions.files import FileWrite
from memoryapp.actions.merging import Strategy
from memoryapp.actions.write_memory import write_memory
from memoryapp.dashboard.forms import PageForm
from memoryapp.dashboard.frame import Crumb
from memoryapp.dashboard.pages import Visit, page
from tenants.scoping import Scope

LONGEST = 1_000_000
WAYS = [
    (Strategy.APPEND.value, gettext_lazy("After what is there")),
    (Strategy.REPLACE_SECTION.value, gettext_lazy("Replace a section")),
    (
        Strategy.UPSERT_KV.value,
        gettext_lazy("As values: lines of “key: value”, each replacing its own"),
    ),
    (Strategy.OVERWRITE.value, gettext_lazy("Replace everything")),
]


class AdditionForm(PageForm):
    """Text for a file, and the way it joins what is there."""

    content = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=LONGEST,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    strategy = forms.ChoiceField(label=gettext_lazy("Where it goes"), choices=WAYS)
    section = forms.CharField(
        label=gettext_lazy("Section"),
        help_text=gettext_lazy(
            "Its heading. Leave it empty for the whole file, or to use the heading in the text."
        ),
        max_length=300,
        required=False,
    )


@page("files")
def add_to_file(request: HttpRequest, visit: Visit, file_path: str, scope: str) -> HttpResponse:
    """The form; what cannot be put in plainly is refused, with the text kept."""
    name = checked_path(file_path)
    file_url = visit.url("files-personal" if scope == Scope.PERSONAL else "files-shared", name)
    form = AdditionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = {**form.cleaned_data, "content": form.cleaned_data["content"].replace("\r\n", "\n")}
        with form.showing_refusals():
            written = write_memory(
                principal=visit.principal,
                agent=visit.the_agent,
                path=name,
                scope=scope,
                origin="dashboard",
                person=True,
                **given,
            )
            visit.toast(words_for(written))
            return redirect(file_url)
    context = {"form": form, "name": name, "scope": scope, "file_url": file_url}
    crumbs = [Crumb(name, file_url), Crumb(_("Add to it"))]
    return visit.render("dashboard/file_addition.html", context, crumbs=crumbs, status=form.status)


def words_for(written: FileWrite) -> str:
    """What a person is told about their write."""
    if written.masked:
        return _("Saved. A credential in it was masked and not stored.")
    if written.truncated:
        return _("Saved, but cut at a heading: the file is over its size limit.")
    return _("Saved.") if written.changed else _("Nothing was changed.")


urlpatterns = [
    path("add/shared/<path:file_path>", add_to_file, {"scope": Scope.TEAM.value}, name="files-add"),
    path(
        "add/personal/<path:file_path>",
        add_to_file,
        {"scope": Scope.PERSONAL.value},
        name="files-add-personal",
    ),
]
