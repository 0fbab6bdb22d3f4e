"""`manage.py reembed`: give every memory a vector of the installation's embedder, going on where a run stopped."""

from __future__ import annotations

from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from tqdm import tqdm

from memoryapp.models import Embedding
from memoryapp.retrieval.indexing import add_waiting, embed_missing
from memoryapp.retrieval.vectors import EmbedderUnavailable, get_embedder
from memoryapp.retrieval.vectors.index import index_name, index_statement
from tenants.models import Workspace
from tenants.scoping import workspace_scope

BATCH: Final = 64
OWNER: Final = "owner"


class Command(BaseCommand):
    help = (
        "Give every fact, file section and message a vector of the configured embedder. To move to another model, set "
        "MEMORYAPP_EMBEDDING_* for this command alone: the server goes on searching with the old vectors until it is "
        "restarted with the new settings. May be interrupted and run again; what is done is not done twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--retry-refused",
            action="store_true",
            help="also ask again for texts that the embedder has refused",
        )
        parser.add_argument(
            "--drop-others",
            action="store_true",
            help="afterwards delete the vectors of other models, once nothing searches with them any more",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        embedder = get_embedder()
        try:
            # Says at once when the model's dimensions are not those of the settings.
            embedder.embed_passages(["A first text."])
        except EmbedderUnavailable as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{embedder.name}, {embedder.dimensions} dimensions")
        _ensure_index(embedder.name, embedder.dimensions)
        workspaces = list(Workspace.objects.order_by("created_at"))
        waiting = {
            workspace.pk: add_waiting(workspace, retry=options["retry_refused"]) for workspace in workspaces
        }
        refused = 0
        with tqdm(total=sum(waiting.values()), unit="text", file=self.stdout, mininterval=0.5) as bar:
            for workspace in workspaces:
                refused += _embed_workspace(workspace, bar)
        if options["drop_others"]:
            _drop_others(workspaces, embedder.name)
        self.stdout.write(f"Done; {refused} refused." if refused else "Done.")


def _embed_workspace(workspace: Workspace, bar: Any) -> int:
    refused = 0
    while True:
        try:
            progress = embed_missing(workspace, BATCH)
        except EmbedderUnavailable as error:
            raise CommandError(f"{error.detail} Run the command again to go on from here.") from error
        bar.update(progress.embedded + progress.refused)
        refused += progress.refused
        if not progress.left or not progress.embedded + progress.refused:
            return refused


def _ensure_index(model: str, dimensions: int) -> None:
    """Make the index of a new model, without locking writers out; one that a broken run left invalid is made anew."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [index_name(model)]
        )
        found = cursor.fetchone()
        if found == (False,):
            cursor.execute(f"DROP INDEX CONCURRENTLY {index_name(model)}")
        cursor.execute(index_statement(model, dimensions, concurrently=True))


def _drop_others(workspaces: list[Workspace], model: str) -> None:
    for workspace in workspaces:
        with workspace_scope(workspace):
            Embedding.objects.filter(workspace=workspace).exclude(model=model).delete()
    with connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'memoryapp\\_vectors\\_%%' AND indexname <> %s",
            [index_name(model)],
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f'DROP INDEX CONCURRENTLY "{name}"')
