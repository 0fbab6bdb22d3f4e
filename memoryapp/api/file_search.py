"""Keyword search over workspace files: which file, which line, and the words around."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp.actions.agents import load_agent
from memoryapp.api.base import WorkspaceAPIView
from memoryapp.api.fields import Text
from memoryapp.retrieval.keyword import MOST_FILES, MOST_QUERY_CHARS, search_files


class FileSearchQuery(serializers.Serializer[Any]):
    q = Text(max_length=MOST_QUERY_CHARS)
    limit = serializers.IntegerField(min_value=1, max_value=MOST_FILES, default=20)


class FileHit(serializers.Serializer[Any]):
    path = serializers.CharField()
    scope = serializers.CharField()
    line = serializers.IntegerField()
    snippet = serializers.CharField(help_text="Plain text: whoever shows it as HTML escapes it.")
    marks = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="Where the words are in the snippet: start and end.",
    )
    score = serializers.FloatField()


class FileHits(serializers.Serializer[Any]):
    results = FileHit(many=True, source="items")
    leftOut = serializers.IntegerField(
        source="left_out", help_text="Files that contain a word but were not scanned."
    )


class FileSearchView(WorkspaceAPIView):
    @extend_schema(operation_id="search_files", parameters=[FileSearchQuery], responses=FileHits)
    def get(self, request: Request, agent_id: str) -> Response:
        """The lines that hold the words, in shared files and the acting owner's own, best first."""
        query = self.read_query(FileSearchQuery)
        agent = load_agent(self.principal, agent_id)
        found = search_files(query["q"], principal=self.principal, agent=agent, limit=query["limit"])
        return Response(FileHits(found).data)
