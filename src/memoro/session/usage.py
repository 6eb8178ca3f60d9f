"""How Memoro is used, computed from what the store records anyway; nothing is counted twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from ipaddress import ip_address
from typing import NamedTuple, Protocol

from memoro.memory.records import KINDS

PEAK_HOURS = 3


class Feature(NamedTuple):
    """Something that was used `times` times; `parts` splits that by how it ended, or by who did
    it."""

    name: str
    times: int
    parts: Mapping[str, int]


class CommandCount(NamedTuple):
    """How often something was changed by a command that a person typed."""

    command: str
    times: int


class Resolution(NamedTuple):
    """How a session went on after a failed run: `tries` runs later one was answered, `seconds`
    after the failure."""

    tries: int
    seconds: float
    model_before: str
    model_after: str


class Failure(NamedTuple):
    """Failed runs that ended with the same words.

    `resolved` of them were followed by an answer in their session; `resolution` is the latest of
    those, for a failure at `resolved_at`.
    """

    error: str
    times: int
    last_seen: datetime
    resolved: int = 0
    resolved_at: datetime | None = None
    resolution: Resolution | None = None


class ErrorPattern(NamedTuple):
    """Failures that differ in numbers, IDs, quoted texts, paths and addresses only.

    `resolution` says what helped last; None where nothing did.
    """

    pattern: str
    times: int
    last_seen: datetime
    resolved: int
    resolution: str | None


class Usage(NamedTuple):
    """What was done with Memoro so far.

    A session lasts `average_seconds` from its first message to its last, and has
    `messages_per_session` of them. `hours` counts the user's own messages by local hour;
    `peak_hours` are the fullest of them, the first one first.
    """

    sessions: int
    messages: int
    average_seconds: float
    messages_per_session: float
    hours: tuple[int, ...]
    peak_hours: tuple[int, ...]
    features: tuple[Feature, ...]
    commands: tuple[CommandCount, ...]
    errors: tuple[ErrorPattern, ...]


class UsageSource(Protocol):
    """Where the usage is computed."""

    def usage(self, local: Callable[[datetime], datetime]) -> Usage:
        """The usage so far; `local` gives a time as the user's clock shows it.

        Raises:
            StoreError: what was recorded can't be read.
        """
        ...


def hours_of(
    moments: Iterable[tuple[datetime, int]], local: Callable[[datetime], datetime]
) -> tuple[int, ...]:
    """Counts at their times, added up by the local hour of the day."""
    hours = [0] * 24
    for at, count in moments:
        hours[local(at).hour] += count
    return tuple(hours)


def peaks(hours: tuple[int, ...]) -> tuple[int, ...]:
    """The hours with the most, at most three; none in which nothing was said."""
    used = [hour for hour, count in enumerate(hours) if count]
    return tuple(sorted(used, key=lambda hour: (-hours[hour], hour))[:PEAK_HOURS])


_RUN_FEATURES = {"chat": "chats", "scheduled": "scheduled runs", "messaging": "messaging runs"}


def features_of(
    runs: Iterable[tuple[str, str, int]],
    tools: Iterable[tuple[str, str, int]],
    changes: Iterable[tuple[str, str, int]],
) -> tuple[Feature, ...]:
    """What was used, most first: kinds of run by how they ended, tools by what came of the call,
    kinds of memory (and "undo") by who changed them. Each is given as name, part and count."""
    counted: dict[str, dict[str, int]] = {}
    for named, rows in ((_run_name, runs), ("tool {}".format, tools), (_kind_name, changes)):
        for name, part, count in rows:
            parts = counted.setdefault(named(name), {})
            parts[part] = parts.get(part, 0) + count
    found = [Feature(name, sum(parts.values()), parts) for name, parts in counted.items()]
    return tuple(sorted(found, key=lambda one: (-one.times, one.name)))


def _run_name(kind: str) -> str:
    return _RUN_FEATURES.get(kind, f"{kind} runs")


def _kind_name(kind: str) -> str:
    if kind == "session":
        return "deleted chats"
    return KINDS[kind].heading.lower() if kind in KINDS else kind


def patterns_of(failures: Iterable[Failure]) -> tuple[ErrorPattern, ...]:
    """The failures by the pattern of their words, the most common first."""
    found: dict[str, list[Failure]] = {}
    for one in failures:
        found.setdefault(pattern(one.error), []).append(one)
    summed = [_summed(words, alike) for words, alike in found.items()]
    summed.sort(key=lambda one: one.pattern)
    return tuple(sorted(summed, key=lambda one: (one.times, one.last_seen), reverse=True))


def _summed(words: str, alike: list[Failure]) -> ErrorPattern:
    last = max(
        (one for one in alike if one.resolved_at is not None),
        key=lambda one: (one.resolved_at, one.error),
        default=None,
    )
    return ErrorPattern(
        words,
        sum(one.times for one in alike),
        max(one.last_seen for one in alike),
        sum(one.resolved for one in alike),
        None if last is None or last.resolution is None else told(last.resolution),
    )


def told(resolution: Resolution) -> str:
    """The words for what helped."""
    before, after = resolution.model_before, resolution.model_after
    if before != after:
        return f"answered after the model was changed from {before} to {after}"
    if resolution.tries == 1:
        return f"answered on the next try, {duration(resolution.seconds)} later"
    return f"answered {resolution.tries} tries and {duration(resolution.seconds)} later"


def duration(seconds: float) -> str:
    """A length of time in its largest unit: "40 s", "3 min", "5 h", "2 days"."""
    if seconds < 59.5:
        return f"{max(0.0, seconds):.0f} s"
    if seconds < 59.5 * 60:
        return f"{seconds / 60:.0f} min"
    if seconds < 47.5 * 3_600:
        return f"{seconds / 3_600:.0f} h"
    return f"{seconds / 86_400:.0f} days"


_QUOTED = re.compile(
    r"""(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w)|"[^"\n]+"|`[^`\n]+`|«[^«»\n]+»|“[^“”\n]+”"""
)
_URL = re.compile(r"(?<!\w)[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s'\"<>]+")
_WORD = re.compile(r"[^\s=,;()\[\]{}<>\"'|#]+")
_HOST = re.compile(r"(?:[a-z0-9-]+\.){2,}[a-z]{2,}|(?:[a-z0-9-]+\.)*[a-z0-9-]+:\d{4,5}|localhost")
_NUMBER = re.compile(
    r"[-+~$€£]?\d[\d.:/+-]*[^\W\d_]{0,3}[%°]?"  # 5, 2026-05-02, 16:10, 210ms, 3rd, 80%
    r"|\d[\d-]+T[\d:.]+(?:Z|[+-][\d:]+)?|(?:\d[\d.]*[a-z]{1,2})+"  # instants, 1m30s
)
_NUMBERS = re.compile(r"<number>(?:[,.:]<number>)+")
_OWN_ID = re.compile(r"[a-z]{1,2}_[0-9a-z]{12,}")
_TURNS = re.compile(r"\d(?=[^\W\d_])|[^\W\d_](?=\d)")
_ID_CHARACTERS = 8


def pattern(error: str) -> str:
    """An error's words with what differs from one time to the next folded: numbers, IDs, quoted
    texts, paths, addresses. Takes time in proportion to the text."""
    text = _QUOTED.sub("<text>", error)
    text = _URL.sub(lambda found: "<address>" + _ending(found[0]), text)
    text = _WORD.sub(lambda found: _folded(found[0]), text)
    return " ".join(_NUMBERS.sub("<number>", text).split())


def _ending(word: str) -> str:
    return word[len(word.rstrip(".,:;!?)]")) :]


def _folded(word: str) -> str:
    if word.isalpha() and word != "localhost":
        return word
    ending = _ending(word)
    core = word[: len(word) - len(ending)]
    if _is_address(core):
        return "<address>" + ending
    if _NUMBER.fullmatch(core):
        return "<number>" + ending
    if _is_path(core):
        return "<path>" + ending
    parts = (_folded_part(part) for part in core.split(":"))
    return ":".join(parts) + ending


def _folded_part(part: str) -> str:
    if _NUMBER.fullmatch(part):
        return "<number>"
    if _is_path(part):
        return "<path>"
    pieces = re.split(r"[-_.]", part)
    return "<id>" if _OWN_ID.fullmatch(part) or any(map(_is_id, pieces)) else part


def _is_address(word: str) -> bool:
    if "@" in word:
        name, _, host = word.rpartition("@")
        return bool(name) and "." in host
    return bool(_HOST.fullmatch(word)) or _is_ip(word) or _is_ip(word.rpartition(":")[0])


def _is_ip(word: str) -> bool:
    if len(word) > 45 or not ("." in word or ":" in word):
        return False
    try:
        ip_address(word)
    except ValueError:
        return False
    return True


def _is_path(word: str) -> bool:
    if word.startswith(("/", "~/", "./", "../")) or word[1:3] == ":\\":
        return len(word) > 1
    name = word.rpartition("/")[2]
    has_ending = name.rpartition(".")[2].isalpha() and "." in name
    return word.count("/") > 1 or ("/" in word and has_ending)


def _is_id(piece: str) -> bool:
    # Letters and digits by turns make an ID; a name and its version turn once.
    return len(piece) >= _ID_CHARACTERS and len(_TURNS.findall(piece)) > 1
