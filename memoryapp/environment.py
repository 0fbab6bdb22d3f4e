"""Typed reading of environment variables: every problem is reported at once, before anything starts."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


class Environment:
    """Reads settings from a mapping of environment variables and remembers what was wrong with them."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables
        self.problems: list[str] = []

    def raise_problems(self) -> None:
        """Raise ImproperlyConfigured naming every bad value, or return."""
        if self.problems:
            raise ImproperlyConfigured("Bad settings:\n  - " + "\n  - ".join(self.problems))

    def text(self, name: str, default: str) -> str:
        return self.variables.get(name, default).strip()

    def words(self, name: str, default: list[str]) -> list[str]:
        """Comma-separated words."""
        if name not in self.variables:
            return default
        return [word.strip() for word in self.variables[name].split(",") if word.strip()]

    def flag(self, name: str, *, default: bool) -> bool:
        if name not in self.variables:
            return default
        word = self.variables[name].strip().lower()
        if word not in TRUE_WORDS | FALSE_WORDS:
            self.problems.append(f"{name} is {word!r}; write true or false")
        return word in TRUE_WORDS

    def number(self, name: str, default: int, *, least: int = 0) -> int:
        word = self.variables.get(name, str(default)).strip()
        try:
            value = int(word)
        except ValueError:
            self.problems.append(f"{name} is {word!r}; write a whole number")
            return default
        if value < least:
            self.problems.append(f"{name} is {value}; the least is {least}")
        return value

    def ratio(self, name: str, default: float) -> float:
        word = self.variables.get(name, str(default)).strip()
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0 < value <= 1:
            self.problems.append(f"{name} is {word!r}; write a number above 0 and up to 1")
            return default
        return value

    def choice(self, name: str, default: str, *, valid: Callable[[str], bool]) -> str:
        word = self.text(name, default)
        try:
            accepted = valid(word)
        except (ValueError, LookupError):
            accepted = False
        if not accepted:
            self.problems.append(f"{name} is {word!r}, which is none of the values it takes")
        return word

    def cron(self, name: str, default: str) -> str:
        """A time in cron's five fields; Quartz's six, with seconds first and “?” for any, are understood too."""
        from croniter import croniter

        fields = self.text(name, default).replace("?", "*").split()
        word = " ".join(fields[1:] if len(fields) == 6 else fields)
        if len(word.split()) != 5 or not croniter.is_valid(word):
            self.problems.append(f"{name} is {word!r}; write a cron time such as {default!r}")
            return default
        return word

    def secret(self, name: str, *, kept_in: Path) -> str:
        """The variable, else the secret kept in a file of the data folder: made on first use, readable by us."""
        if self.variables.get(name):
            return self.variables[name]
        kept_in.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            # O_EXCL: of two processes starting at once only one makes the secret, the other reads it.
            handle = os.open(kept_in, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return kept_in.read_text().strip()
        value = secrets.token_urlsafe(48)
        with os.fdopen(handle, "w") as file:
            file.write(value)
        return value

    def databases(self, data_dir: Path) -> dict[str, dict[str, Any]]:
        """The app's connection and the migrating owner's: the environment's, or the embedded server's."""
        pooled = self.flag("MEMORYAPP_DATABASE_POOL", default=False)
        app_url = self.text("DATABASE_URL", "")
        if app_url:
            app = self._from_url("DATABASE_URL", app_url)
            owner = self._from_url("DATABASE_OWNER_URL", self.text("DATABASE_OWNER_URL", app_url))
        else:
            app, owner = _embedded(data_dir, "memoryapp_app"), _embedded(data_dir, "memoryapp_owner")
        return {"default": _connection(app, pooled=pooled), "owner": _connection(owner, pooled=False)}

    def _from_url(self, name: str, url: str) -> dict[str, Any]:
        parts = urlsplit(url)
        if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
            self.problems.append(f"{name} must look like postgresql://user:password@host:5432/database")
            return {}
        return {
            "HOST": parts.hostname or "",
            "PORT": parts.port or 5432,
            "NAME": unquote(parts.path.strip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
        }


def _embedded(data_dir: Path, role: str) -> dict[str, Any]:
    """Where the embedded server of the data folder listens; it writes the file when it starts."""
    kept = data_dir / "postgres" / "connection.json"
    known = json.loads(kept.read_text()) if kept.exists() else {}
    return {
        "HOST": "127.0.0.1",
        "PORT": known.get("port", 0),
        "NAME": "memoryapp",
        "USER": role,
        "PASSWORD": known.get("passwords", {}).get(role, ""),
    }


def _connection(values: dict[str, Any], *, pooled: bool) -> dict[str, Any]:
    """One entry of DATABASES, never kept open by a thread between requests.

    Only web servers pool: a pool has threads, which the forked processes of the queue would inherit broken.
    """
    pool = {"pool": {"min_size": 1, "max_size": 20, "timeout": 60}} if pooled else {}
    options = {**pool, **values.pop("OPTIONS", {})}
    return {"ENGINE": "django.db.backends.postgresql", "CONN_MAX_AGE": 0, "OPTIONS": options, **values}
