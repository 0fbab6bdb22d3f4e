"""Connections that reach public addresses only: a host is looked up once, judged, and called where it was found.

Whoever checks a name and then connects by it asks a name server twice, which may answer differently the second time.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from typing import Any, Final
from urllib.request import getproxies

import httpx2

MOST_ADDRESSES: Final = 4
PRIVATE: Final = "The address leads into a private network."

Found = list[tuple[Any, Any, int, str, tuple[Any, ...]]]


class NotPublic(httpx2.ConnectError):
    """A host that stands for an address which must not be called."""


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet."""
    return ipaddress.ip_address(address.partition("%")[0]).is_global


def judged(found: Found, host: str) -> list[str]:
    """The addresses of a host; raises NotPublic when any of them is not public."""
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise httpx2.ConnectError(f"{host} has no address.")
    if not all(is_public(address) for address in addresses):
        raise NotPublic(PRIVATE)
    return addresses[:MOST_ADDRESSES]


def pinned(request: httpx2.Request, address: str) -> httpx2.Request:
    """The request at one address of its host; the host's name stays in its header and for its certificate."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


class PublicTransport(httpx2.HTTPTransport):
    """Calls the addresses that it has judged, one after the other until one answers."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        host, port = request.url.host, request.url.port
        try:
            found: Found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError(f"{host} is unknown.") from error
        failure: httpx2.TransportError | None = None
        for address in judged(found, host):
            try:
                return super().handle_request(pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        raise failure or httpx2.ConnectError(host)


class AsyncPublicTransport(httpx2.AsyncHTTPTransport):
    """The same inside an event loop, which the looking up does not hold up."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        host, port = request.url.host, request.url.port
        try:
            loop = asyncio.get_running_loop()
            found: Found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpx2.ConnectError(f"{host} is unknown.") from error
        failure: httpx2.TransportError | None = None
        for address in judged(found, host):
            try:
                return await super().handle_async_request(pinned(request, address))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failure = error
        raise failure or httpx2.ConnectError(host)


def transport_for(*, public_only: bool, verify: ssl.SSLContext | bool = True) -> httpx2.HTTPTransport | None:
    """The transport of a client that may call public addresses only; None, the client's own, for any other.

    With a proxy in the environment it is the proxy that looks names up and connects, and its rules that count.
    """
    return PublicTransport(verify=verify) if public_only and not _has_proxy() else None


def async_transport_for(
    *, public_only: bool, verify: ssl.SSLContext | bool = True
) -> httpx2.AsyncHTTPTransport | None:
    """As `transport_for`, for asynchronous clients."""
    return AsyncPublicTransport(verify=verify) if public_only and not _has_proxy() else None


def _has_proxy() -> bool:
    return not {"http", "https", "all"}.isdisjoint(_schemes(getproxies()))


def _schemes(proxies: Iterable[str]) -> set[str]:
    return {scheme.lower() for scheme in proxies}
