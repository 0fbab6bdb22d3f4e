"""The embedded PostgreSQL over a folder of its own: made, reused, recovered after anything, and kept to itself."""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import shutil
import signal
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from memoryapp.embedded import EmbeddedServer, roles


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(tmp_path_factory.mktemp("embedded"))
    server.start()
    yield server
    server.stop()


def postmaster(server: EmbeddedServer) -> int:
    return int((server.cluster / "postmaster.pid").read_text().splitlines()[0])


def connect(server: EmbeddedServer, role: str) -> psycopg.Connection:
    access = server.access()
    assert access is not None
    return psycopg.connect(access.url(role), autocommit=True)


def kill(server: EmbeddedServer) -> None:
    process = os.pidfd_open(postmaster(server))
    try:
        signal.pidfd_send_signal(process, signal.SIGKILL)
        assert select.select([process], [], [], 10)[0], "it is still there"
    finally:
        os.close(process)


def test_the_three_roles_have_what_they_need_and_no_more(server: EmbeddedServer) -> None:
    with connect(server, roles.OWNER_ROLE) as owner:
        owner.execute("CREATE TABLE notes (id serial PRIMARY KEY, text text)")
    try:
        with connect(server, roles.APP_ROLE) as app:
            assert roles.find_role_problems(app) == []
            app.execute("INSERT INTO notes (text) VALUES ('kept')")
            assert app.execute("SELECT text FROM notes").fetchall() == [("kept",)]
            for forbidden in ("TRUNCATE notes", "DROP TABLE notes", "CREATE TABLE mine ()"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    app.execute(forbidden.encode())
    finally:
        with connect(server, roles.OWNER_ROLE) as owner:
            owner.execute("DROP TABLE notes")


def test_the_settings_the_product_relies_on(server: EmbeddedServer) -> None:
    with server.connect_as_superuser(roles.DATABASE) as connection:
        row = connection.execute(
            "SELECT current_setting('data_checksums'), current_setting('max_connections'),"
            " current_setting('listen_addresses'), datlocprovider, datlocale, pg_get_userbyid(datdba)"
            " FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        assert row == ("on", "200", "127.0.0.1", "b", "C.UTF-8", roles.OWNER_ROLE)
        extensions = connection.execute("SELECT extname FROM pg_extension").fetchall()
        assert {name for (name,) in extensions} >= set(roles.EXTENSIONS)


def test_nobody_comes_in_without_a_password_and_nobody_else_reads_it(server: EmbeddedServer) -> None:
    access = server.access()
    assert access is not None
    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(
            host="127.0.0.1", port=access.port, user=roles.SUPERUSER, dbname="postgres", passfile="/none"
        )
    assert stat.S_IMODE((server.home / "connection.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(server.cluster.stat().st_mode) == 0o700
    assert not set(access.passwords.values()) & set(repr(access).split("'"))
    assert not list(server.home.glob("*.password"))


def test_starting_again_reuses_the_running_server(server: EmbeddedServer) -> None:
    running = postmaster(server)
    assert EmbeddedServer(server.home.parent).start() == server.access()
    assert postmaster(server) == running


def test_a_killed_server_comes_back_with_its_rows_and_port(server: EmbeddedServer) -> None:
    port = server.start().port
    with connect(server, roles.OWNER_ROLE) as owner:
        owner.execute("CREATE TABLE kept AS SELECT generate_series(1, 1000) AS number")
    kill(server)
    assert not server.is_running()
    assert server.start().port == port
    with connect(server, roles.OWNER_ROLE) as owner:
        assert owner.execute("SELECT count(*) FROM kept").fetchone() == (1000,)
        owner.execute("DROP TABLE kept")


def test_a_pid_file_that_names_another_program_is_no_obstacle(server: EmbeddedServer) -> None:
    server.stop()
    (server.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{server.cluster}\n0\n1\n\n127.0.0.1\n")
    server.start()
    assert server.is_running()


@pytest.mark.long
def test_a_port_somebody_took_is_changed(server: EmbeddedServer) -> None:
    port = server.start().port
    server.stop()
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        squatter.bind(("127.0.0.1", port))
        squatter.listen()
        access = server.start()
        assert access.port != port
        assert json.loads((server.home / "connection.json").read_text())["port"] == access.port
    assert server.is_running()


def test_a_copied_folder_gets_a_server_of_its_own(server: EmbeddedServer, tmp_path: Path) -> None:
    port = server.start().port
    server.stop()
    shutil.copytree(server.home.parent, tmp_path / "copy")
    server.start()
    copy = EmbeddedServer(tmp_path / "copy")
    try:
        assert not copy.is_running()
        assert copy.start().port != port
        assert postmaster(copy) != postmaster(server)
    finally:
        copy.stop()


def test_stopping_twice_says_so(server: EmbeddedServer) -> None:
    server.start()
    assert server.stop() is True
    assert server.stop() is False
    server.start()


@pytest.mark.long
def test_half_made_folders_are_made_anew_by_one_of_many(tmp_path: Path) -> None:
    partial = tmp_path / "postgres" / "data.partial"
    partial.mkdir(parents=True)
    (partial / "PG_VERSION").write_text("18")
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        ports = pool.map(start_port, [tmp_path] * 3)
    server = EmbeddedServer(tmp_path)
    try:
        assert len(set(ports)) == 1
        assert server.is_running()
        assert not partial.exists()
    finally:
        server.stop()


def start_port(data_dir: Path) -> int:
    return EmbeddedServer(data_dir).start().port


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_where_user_namespaces_are_off_root_becomes_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin"
    fake.mkdir()
    (fake / "unshare").write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    (fake / "unshare").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}:{os.environ['PATH']}")
    # pytest's folders are closed to other users, which is what the refusal is about.
    closed = EmbeddedServer(tmp_path / "closed")
    with pytest.raises(RuntimeError, match="choose a --data-dir"):
        closed.start()
    base = Path(tempfile.gettempdir())
    for folder in (
        tmp_path,
        *(parent for parent in tmp_path.parents if parent.is_relative_to(base) and parent != base),
    ):
        folder.chmod(0o755)
    server = EmbeddedServer(tmp_path / "open")
    try:
        server.start()
        assert Path(f"/proc/{postmaster(server)}").stat().st_uid != 0
        kill(server)
        server.start()
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("attribute", "problem"), [("SUPERUSER", "is a superuser"), ("BYPASSRLS", "has BYPASSRLS")]
)
def test_a_role_that_security_does_not_bind_is_found(
    server: EmbeddedServer, attribute: str, problem: str
) -> None:
    with server.connect_as_superuser(roles.DATABASE) as admin:
        admin.execute(roles.statement("CREATE ROLE {} LOGIN PASSWORD 'loose'", "loose"))
        admin.execute(sql.SQL("ALTER ROLE loose {}").format(sql.SQL(attribute)))
        try:
            access = server.access()
            assert access is not None
            with psycopg.connect(
                host="127.0.0.1", port=access.port, user="loose", password="loose", dbname=roles.DATABASE
            ) as loose:
                assert roles.find_role_problems(loose) == [f"loose {problem}"]
        finally:
            admin.execute("DROP ROLE loose")


def test_an_owner_of_tables_is_found(server: EmbeddedServer) -> None:
    with connect(server, roles.OWNER_ROLE) as owner:
        owner.execute("CREATE TABLE mine ()")
        assert roles.find_role_problems(owner) == [
            "memoryapp_owner owns 1 tables here, or is a member of the role that does"
        ]
        owner.execute("DROP TABLE mine")


def test_a_server_that_others_use_can_be_left_to_them(server: EmbeddedServer) -> None:
    server.start()
    with connect(server, roles.APP_ROLE):
        assert server.stop(unless_used=True) is False
        assert server.is_running()
    assert server.stop(unless_used=True) is True
    server.start()
