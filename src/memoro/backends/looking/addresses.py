"""Whether something listens at the addresses of this machine that a statement names."""

from __future__ import annotations

from urllib.parse import urlsplit

from memoro.backends.looking.sight import UNSEEN, Sight
from memoro.memory.claims import Claim

_CONNECT_SECONDS = 0.2
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def look_for_address(claim: Claim) -> Sight:
    """Try whether a port of this machine is open; no other machine is ever spoken to."""
    place = _loopback(claim.what)
    if place is None:
        return UNSEEN
    hosts, port, shown = place
    if any(_listens(host, port) for host in hosts):
        return Sight(True, f"something listens on {shown}")
    # A server that is not running makes no statement about it wrong.
    return Sight(None, f"nothing listens on {shown} now")


def _loopback(what: str) -> tuple[tuple[str, ...], int, str] | None:
    """The addresses of this machine and the port that are meant; None for any other machine."""
    try:
        parts = urlsplit(what if "://" in what else f"//{what}")
        host, port = parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if host is None or port is None:
        return None
    if host == "localhost":
        # Never by its name, which may be set to another machine.
        return ("127.0.0.1", "::1"), port, f"localhost:{port}"
    from ipaddress import ip_address

    try:
        if not ip_address(host).is_loopback:
            return None
    except ValueError:
        return None
    return (host,), port, f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _listens(host: str, port: int) -> bool:
    import socket

    try:
        with socket.create_connection((host, port), timeout=_CONNECT_SECONDS):
            return True
    except OSError:
        return False
