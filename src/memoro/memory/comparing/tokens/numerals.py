"""Numbers, versions, dates, times and addresses that are written as one word."""

from __future__ import annotations

import re

from memoro.memory.comparing.normal import is_path
from memoro.memory.comparing.tokens.token import CODE, NUMBER, TIME, VERSION, Token

_GROUPED = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})*\.000|\d{1,3}(?:\.\d{3}){2,}"
)
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")
_DOTTED = re.compile(r"v?\d+(?:\.(?:\d+|x))+[-+.\w]*", re.I)
_PLAIN_NUMBER = re.compile(r"[-+]?\d+")
_VERSION_NUMBER = re.compile(r"v(\d{1,4})", re.I)
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})")
_QUARTER = re.compile(r"[qQtT][1-4]")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2})|h(\d{2}))(?::\d{2})?(am|pm)?|(\d{1,2})(am|pm)", re.I)


def read_whole(core: str) -> Token | None:
    """The chunk as one number, time, path, URL or address; None where it is a word or several."""
    if is_path(core) or "://" in core or core.startswith("www."):
        return Token(core, _address(core), CODE)
    if "@" in core[1:]:
        return Token(core, core.lower(), CODE)
    if core[0].isdigit() or core[-1].isdigit():
        return _figure(core)
    if "/" in core and "." in core:
        return Token(core, core.rstrip("/"), CODE)
    return None


def _address(core: str) -> str:
    scheme, separator, rest = core.partition("://")
    if not separator:
        return core.rstrip("/") or core
    host, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{host.lower()}{slash}{path}".rstrip("/")


def _figure(core: str) -> Token | None:
    if core.isdigit():
        return Token(core, core.lstrip("0") or "0", NUMBER)
    if _QUARTER.fullmatch(core):
        return Token(core, core.lower(), TIME)
    if _DATE.fullmatch(core):
        return Token(core, _iso(core), TIME)
    if (clock := _CLOCK.fullmatch(core)) is not None:
        return Token(core, _clock_key(clock), TIME)
    if _GROUPED.fullmatch(core):
        return Token(core, _grouped(core), NUMBER)
    if _DECIMAL_COMMA.fullmatch(core):
        return Token(core, core.replace(",", "."), NUMBER)
    if _DOTTED.fullmatch(core):
        return Token(core, core.lower().removeprefix("v"), VERSION)
    if (number := _VERSION_NUMBER.fullmatch(core)) is not None:
        return Token(core, number.group(1), VERSION)
    if _PLAIN_NUMBER.fullmatch(core):
        return Token(core, core.lstrip("+"), NUMBER)
    return None


def _grouped(core: str) -> str:
    return core.replace(",", "") if "," in core else core.replace(".", "")


def _iso(core: str) -> str:
    parts = re.split(r"[-/.]", core)
    if len(parts[0]) == 4:
        return "-".join([parts[0], *(part.zfill(2) for part in parts[1:])])
    first, second, year = parts
    return f"{year if len(year) == 4 else '20' + year}/{first.zfill(2)}/{second.zfill(2)}"


def _clock_key(clock: re.Match[str]) -> str:
    hours = int(clock.group(1) or clock.group(5))
    minutes = clock.group(2) or clock.group(3) or "00"
    half = (clock.group(4) or clock.group(6) or "").lower()
    return clock_key(hours, minutes, half)


def clock_key(hours: int, minutes: str, half: str) -> str:
    """The time of day on 24 hours; `half` is am, pm or empty."""
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    return f"{hours:02}:{minutes}"


def as_number(digits: str, suffix: str) -> Token:
    """Digits as a number, multiplied by their suffix (k, M)."""
    token = _figure(digits.rstrip(".,")) or Token(digits, digits, NUMBER)
    zeros = {"k": "000", "m": "000000"}.get(suffix.lower(), "")
    if zeros and token.key.isdigit():
        return Token(digits + suffix, token.key + zeros, NUMBER)
    return token._replace(text=digits + suffix, kind=NUMBER)
