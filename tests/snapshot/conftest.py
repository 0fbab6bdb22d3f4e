"""The doors of snapshots as a client comes through them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memoryapp.models import Agent
from tests.conftest import Person

Answer = tuple[int, dict[str, Any]]


class Door:
    """The snapshot routes of one agent as one person with a token uses them."""

    def __init__(self, client: Client, person: Person, agent: Agent | None = None) -> None:
        self.client, self.person = client, person
        self.base = f"/api/v1/agents/{(agent or person.agent).pk}/workspace/memory"

    def export(self, query: str = "") -> bytes:
        response = self.client.get(f"{self.base}/export{query}", headers=self.person.headers)
        assert response.status_code == 200, response.content
        assert response["Content-Type"] == "application/zip"
        return response.getvalue()

    def preview(self, data: bytes, query: str = "", **fields: str) -> Answer:
        form = {"file": SimpleUploadedFile("memory.zip", data), **fields}
        return self._send("import/preview" + query, form)

    def previewed(self, data: bytes, **fields: str) -> dict[str, Any]:
        status, body = self.preview(data, **fields)
        assert status == 200, body
        return body

    def apply(self, preview_id: str, data: bytes | None = None) -> Answer:
        if data is not None:
            return self._send("import", {"previewId": preview_id, "file": SimpleUploadedFile("m.zip", data)})
        return self._send("import", {"previewId": preview_id}, json_body=True)

    def bring(self, data: bytes, **fields: str) -> dict[str, Any]:
        status, body = self.apply(self.previewed(data, **fields)["previewId"])
        assert status == 200, body
        return body

    def undo(self, import_id: str) -> Answer:
        return self._send(f"import/{import_id}/undo", {}, json_body=True)

    def _send(self, path: str, body: dict[str, Any], *, json_body: bool = False) -> Answer:
        sent: dict[str, Any] = {"data": body}
        if json_body:
            sent = {"data": json.dumps(body), "content_type": "application/json"}
        response = self.client.post(f"{self.base}/{path}", headers=self.person.headers, **sent)
        return response.status_code, response.json()


MakeDoor = Callable[..., Door]


@pytest.fixture
def door(client: Client) -> MakeDoor:
    def make(person: Person, agent: Agent | None = None) -> Door:
        return Door(client, person, agent)

    return make


def contents(data: bytes) -> dict[str, bytes]:
    """An archive's entries by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().split("\n") if line]


def paths(files: list[dict[str, Any]]) -> list[str]:
    return [file["path"] for file in files]
