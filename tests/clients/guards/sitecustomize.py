"""Loaded by every Python a client test starts: no connection leaves the machine, and one that tries is noted."""

import os
import socket

LOOPBACK = ("127.", "::1", "localhost")
_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


def _refuse(host):
    with open(os.environ["CLIENT_TEST_OUTSIDE"], "a") as noted:
        noted.write(f"{host}\n")
    raise OSError(f"A client test must not connect to {host}.")


def _check(address):
    if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
        _refuse(address[0])


def connect(self, address):
    _check(address)
    return _connect(self, address)


def connect_ex(self, address):
    _check(address)
    return _connect_ex(self, address)


def getaddrinfo(host, *arguments, **options):
    if host is not None and not str(host).startswith(LOOPBACK):
        _refuse(host)
    return _getaddrinfo(host, *arguments, **options)


socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo = connect, connect_ex, getaddrinfo
