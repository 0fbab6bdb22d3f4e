"""The check at start: vectors of other dimensions than the settings promise would be found by nobody."""

from __future__ import annotations

import logging

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from memoryapp.retrieval.vectors import EmbedderUnavailable, make_embedder
from memoryapp.retrieval.vectors.packaged import DIMENSIONS, NAME

logger = logging.getLogger(__name__)


def refuse_wrong_dimensions() -> None:
    """Raise ImproperlyConfigured when the embedder makes other vectors than the settings say.

    One that does not answer is no reason not to start: searches go on by words until it does.
    """
    if not settings.EMBEDDING_BASE_URL:
        _check_packaged()
        return
    try:
        make_embedder().embed_query("hello")
    except EmbedderUnavailable as error:
        if error.code == "embedder_dimensions":
            raise ImproperlyConfigured(error.detail) from error
        logger.warning("%s Searches are answered by words alone until it does.", error.detail)


def _check_packaged() -> None:
    given = (settings.EMBEDDING_MODEL, settings.EMBEDDING_DIMENSIONS)
    if given != (NAME, DIMENSIONS):
        raise ImproperlyConfigured(
            f"The packaged embedder is {NAME} with {DIMENSIONS} dimensions, but the settings say {given[0]} with "
            f"{given[1]}. Set MEMORYAPP_EMBEDDING_BASE_URL for another embedder, or leave the other two out."
        )
