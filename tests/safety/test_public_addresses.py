"""A host is looked up once and called where it was found, so that a name that changes its mind leads nowhere else."""

from __future__ import annotations

import asyncio
import datetime
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from memoryapp.safety import public_addresses
from memoryapp.safety.public_addresses import AsyncPublicTransport, NotPublic, PublicTransport, transport_for

NAME = "hooks.example"
# On this machine alone there are no public addresses: one of the loopback stands for them.
PUBLIC, INSIDE = "127.0.0.1", "127.0.0.2"


class Names:
    """A name server that may change its mind."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers, self.asked = list(answers), 0

    def __call__(self, host: str, port: int | None, *_: Any, **__: Any) -> list[Any]:
        self.asked += 1
        addresses = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0)) for address in addresses]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Names]:
    def make(*answers: list[str]) -> Names:
        server, real = Names(*answers), socket.getaddrinfo
        monkeypatch.setattr(public_addresses, "is_public", lambda address: address == PUBLIC)
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, *given, **more: (server if host == NAME else real)(host, *given, **more),
        )
        return server

    return make


@pytest.fixture
def heard() -> Iterator[tuple[ThreadingHTTPServer, list[tuple[str, str]]]]:
    calls: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            calls.append((self.connection.getsockname()[0], self.headers["Host"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing on the test's output."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)  # noqa: S104 - both addresses of the loopback
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield server, calls
    server.shutdown()
    server.server_close()


def test_a_name_that_changes_its_mind_is_asked_once(heard: Any, names: Any) -> None:
    server, calls = heard
    resolver = names([PUBLIC], [INSIDE])
    with httpx2.Client(transport=PublicTransport()) as client:
        answer = client.post(f"http://{NAME}:{server.server_port}/", content=b"x")
    assert (answer.status_code, resolver.asked) == (204, 1)
    assert calls == [(PUBLIC, f"{NAME}:{server.server_port}")]
    with httpx2.Client(transport=PublicTransport()) as client, pytest.raises(NotPublic):
        client.post(f"http://{NAME}:{server.server_port}/", content=b"x")
    assert len(calls) == 1


def test_one_private_address_among_several_is_enough(heard: Any, names: Any) -> None:
    names([PUBLIC, INSIDE])
    with httpx2.Client(transport=PublicTransport()) as client, pytest.raises(NotPublic):
        client.post(f"http://{NAME}:{heard[0].server_port}/", content=b"x")
    assert heard[1] == []


def test_the_same_in_an_event_loop(heard: Any, names: Any) -> None:
    server, calls = heard
    names([PUBLIC], [INSIDE])

    async def call() -> int:
        async with httpx2.AsyncClient(transport=AsyncPublicTransport()) as client:
            return (await client.post(f"http://{NAME}:{server.server_port}/", content=b"x")).status_code

    assert asyncio.run(call()) == 204
    with pytest.raises(NotPublic):
        asyncio.run(call())
    assert [address for address, _ in calls] == [PUBLIC]


def certified(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def test_the_certificate_is_held_to_the_name_and_not_to_the_address(
    heard: Any, names: Any, tmp_path: Path
) -> None:
    server, calls = heard
    names([PUBLIC])
    right, wrong = certified(tmp_path, NAME), certified(tmp_path, "other.example")
    trusting = ssl.create_default_context(cafile=str(right))
    trusting.load_verify_locations(wrong)
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(wrong)
    server.socket = serving.wrap_socket(server.socket, server_side=True)
    with httpx2.Client(transport=PublicTransport(verify=trusting)) as client:
        with pytest.raises(httpx2.ConnectError, match="certificate"):
            client.post(f"https://{NAME}:{server.server_port}/", content=b"x")
        serving.load_cert_chain(right)
        client.post(f"https://{NAME}:{server.server_port}/", content=b"x")
    assert len(calls) == 1


def test_a_proxy_in_the_environment_looks_names_up_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(transport_for(public_only=True), PublicTransport)
    assert transport_for(public_only=False) is None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert transport_for(public_only=True) is None
