"""The network addresses that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoro.memory.mentions.mention import Mention
from memoro.memory.mentions.tools import canonical, is_known
from memoro.memory.mentions.vocabulary import EXTENSIONS, words

_URL = re.compile(r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{1,14})://([^\s<>\"'`\\|^{}“”«»\x01]+)")
_MAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@(?!\d+(?:\.\d+)*(?![\w.-]))[\w-]{1,63}(?:\.[\w-]{1,63})*"
    r"(?::[\w./~-]+)?"
)
_NUMERIC = re.compile(
    r"(?<![\w.:/=-])(\d{1,3}(?:\.\d{1,3}){3})(/\d{1,2})?(?::(\d{1,5}))?(?![\w:/]|\.\d|-\d)"
)
_SIXTH = re.compile(r"(?<![\w:\[])\[([0-9A-Fa-f:]{2,39})\]:(\d{1,5})(?![\w:])")
_HOST = re.compile(
    r"(?<![\w.:@/-])([A-Za-z](?:[\w-]{0,62})(?:\.[A-Za-z0-9][\w-]{0,62}){0,8}):(\d{2,5})(?![\w:]"
    r"|\.\d)"
)
_VERSION_BEFORE = re.compile(r"(?:\bversion|\bversão|\bv|[=<>^~])\s*$", re.IGNORECASE)
_TOWARDS = re.compile(
    r"\b(?:at|on|to|via|host|server|address|endpoint|is|from|em|no|na|para|servidor|endereço)"
    r"[\s:=`'\"(]+$",
    re.IGNORECASE,
)
_END = ".,;:!?)]}*_…"
_NO_HOSTS = words(
    """
    port line note id issue page step section version ticket item row code error since todo timeout
    limit max min size linha porta
    """
)
_LEAST_LONELY_PORT = 1_000
_MOST_PORT = 65_535


def find_addresses(text: str) -> Iterator[Mention]:
    """URLs of any scheme, host:port, and IPv4 addresses, without the credentials in them."""
    for match in _URL.finditer(text):
        rest = _trimmed(match[2])
        if rest:
            end = match.start(2) + len(rest)
            yield Mention("address", f"{match[1]}://{_public(rest)}", match.start(), end)
    for match in _NUMERIC.finditer(text):
        octets = [int(part) for part in match[1].split(".")]
        before = text[max(0, match.start() - 24) : match.start()]
        if max(octets) <= 255 and _is_port(match[3]) and not _is_version(before):
            yield Mention("address", match[0], match.start(), match.end())
    for match in _SIXTH.finditer(text):
        if _is_port(match[2]):
            yield Mention("address", match[0], match.start(), match.end())
    for match in _HOST.finditer(text):
        if _is_host(match[1], int(match[2]), text[max(0, match.start() - 20) : match.start()]):
            yield Mention("address", match[0], match.start(), match.end())


def find_mail_addresses(text: str) -> Iterator[tuple[int, int]]:
    """Where mail addresses and what looks like them stand (`git@host:path`), which name no file."""
    for match in _MAIL.finditer(text):
        yield match.span()


def _trimmed(rest: str) -> str:
    """Without the punctuation that follows it; a closing bracket stays where it was opened."""
    while rest and rest[-1] in _END:
        if rest[-1] == ")" and rest.count("(") >= rest.count(")"):
            break
        rest = rest[:-1]
    return rest


def _public(rest: str) -> str:
    host, slash, path = rest.partition("/")
    return host.rpartition("@")[2] + slash + path


def _is_port(digits: str | None) -> bool:
    return digits is None or 0 < int(digits) <= _MOST_PORT


def _is_version(before: str) -> bool:
    """Whether what stands before four numbers makes them a version: "Oracle 19.3.0.0"."""
    last = before.split()[-1:] if before[-1:].isspace() else []
    return _VERSION_BEFORE.search(before) is not None or any(is_known(canonical(w)) for w in last)


def _is_host(host: str, port: int, before: str) -> bool:
    name = host.lower()
    if not 0 < port <= _MOST_PORT:
        return False
    if name == "localhost":
        return True
    if "." in name:
        # With a file's ending it is a file and a line of it.
        return name.rpartition(".")[2] not in EXTENSIONS
    lonely = port < _LEAST_LONELY_PORT or name in _NO_HOSTS
    return not lonely and _TOWARDS.search(before) is not None
