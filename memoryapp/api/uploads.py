"""Uploads of archives: refused by their length before they are read, and cut off when they grow beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.core.files.uploadhandler import TemporaryFileUploadHandler
from rest_framework.parsers import DataAndFiles, MultiPartParser

from memoryapp.snapshots.limits import SNAPSHOT_LIMITS, refuse_upload

# What the form around the file may add.
FORM_OVERHEAD = 64 * 1024


class CappedUploadHandler(TemporaryFileUploadHandler):
    """Writes an upload to a temporary file, which goes with the request, and stops it at the limit."""

    received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        self.received += len(raw_data)
        if self.received > SNAPSHOT_LIMITS.upload_bytes:
            # Django closes only files that came in whole.
            self.file.close()
            raise refuse_upload()
        return super().receive_data_chunk(raw_data, start)


class ArchiveParser(MultiPartParser):
    """A multipart form with an archive in it; raises TooLarge before the body is read when it says it is too long."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> DataAndFiles[Any, Any]:
        request = (parser_context or {})["request"]
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > SNAPSHOT_LIMITS.upload_bytes + FORM_OVERHEAD:
            raise refuse_upload()
        request.upload_handlers = [CappedUploadHandler(request)]
        return super().parse(stream, media_type, parser_context)
