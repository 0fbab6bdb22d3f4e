"""What is wrong with a search, a filter or a pattern, and what a model's server answered."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

QUESTIONS: Final = (
    _("The language model gave an empty answer."),
    _("Only a failed event can be tried again."),
    _("This workspace is being scrubbed already."),
    _('Write the keys of the metadata as an object: {"metadata": {"key": "value"}}.'),
    _('For several values write {{"{}": {{"in": […]}}}}.'),
    _("strict is true or false."),
    _("{} takes a list."),
    _("A list has at most {} values."),
    _("{} takes a single value, not {}."),
    _("A value has at most {} characters, and none that is not text."),
    _("{} takes a text, a number or a truth value."),
    _("A number must be finite."),
    _("A number is needed."),
    _("true or false is needed."),
    _("A text is needed."),
    _("{} takes a number or a text."),
    _("A key of the metadata is a text that is not empty."),
    _("A filter is an object, not {}."),
    _("A group of a filter must not be empty."),
    _("A filter is nested at most {} deep."),
    _("{} takes a list of filters."),
    _("{} must not be empty."),
    _("A condition must not be empty."),
    _("Name at least one key of the metadata."),
    _("A filter has at most {} conditions."),
    _("exists is true or false."),
    _("A date is written 2026-01-31, 2026-01-31T12:00:00Z, or in Unix seconds."),
    _("Say what to look for."),
    _("A search has at most {} characters."),
    _("Unknown source “{}”. Allowed: {}."),
    _("A whole number from 1 to {}."),
    _("The embeddings endpoint sent {} vectors for {} texts."),
    _(
        "The model {} makes vectors of {} numbers, but MEMORYAPP_EMBEDDING_DIMENSIONS is {}: set it "
        "right and run `manage.py reembed`."
    ),
    _("The embeddings endpoint does not answer: {}"),
    _("The packaged embedder needs a processor with AVX2; set MEMORYAPP_EMBEDDING_BASE_URL."),
    _("The packaged embedder does not load: {}"),
    _("Write an address such as https://models.example.org/v1."),
    _("This address points into a private network, which the operator of this installation does not allow."),
    _("Unknown filter field “{}”. Allowed: {}."),
    _("an object"),
    _("a list"),
    _("a text"),
    _("a truth value"),
    _("a number"),
    _("The pattern is empty."),
    _("The pattern is longer than {} characters."),
    _("The pattern is not a valid regular expression."),
    _("The pattern matches an empty text."),
    _("The pattern takes too long on long texts."),
    _("The language model's server sent no answer."),
    _("The language model's server did not answer with JSON."),
)
