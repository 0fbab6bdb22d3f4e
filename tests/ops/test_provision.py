"""A PostgreSQL that somebody else runs: made ready by one command, then used by the app's role and the owner's."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.ops.installation import Installation, installed

pytestmark = pytest.mark.long


def provision(product: Installation, *options: str) -> tuple[dict[str, str], str]:
    """The two URLs that `db provision` prints, and what it remarks."""
    admin_url = product.manage("db", "url", "--role", "superuser").stdout.strip()
    done = product.manage("db", "provision", "--admin-url", admin_url, "--database", "other", *options)
    assert done.returncode == 0, done.stderr
    return dict(line.split("=", 1) for line in done.stdout.splitlines()), done.stderr


def test_a_provisioned_server_serves_the_product(tmp_path: Path) -> None:
    with installed(tmp_path / "server") as server, installed(tmp_path / "product") as product:
        urls, remark = provision(server)
        assert set(urls) == {"DATABASE_URL", "DATABASE_OWNER_URL"}
        assert "keep their password" in remark

        urls, remark = provision(server, "--new-passwords")
        assert remark == ""
        app_only = {"DATABASE_URL": urls["DATABASE_URL"]}
        refused = product.manage("migrate", **app_only)
        assert refused.returncode == 1
        assert "DATABASE_OWNER_URL must name the owner's role" in refused.stderr
        assert product.manage("migrate", **urls).returncode == 0
        assert product.manage("check", "--database", "default", **app_only).returncode == 0
        with psycopg.connect(urls["DATABASE_URL"]) as app:
            assert app.execute("SELECT count(*) FROM tenants_workspace").fetchone() is not None
        assert not (tmp_path / "product" / "postgres").exists()


def test_an_address_nobody_answers_is_told(tmp_path: Path) -> None:
    with installed(tmp_path) as product:
        done = product.manage(
            "db", "provision", "--admin-url", f"postgresql://a:b@127.0.0.1:{product.port}/postgres"
        )
        assert done.returncode == 1
        assert "The server says" in done.stderr
