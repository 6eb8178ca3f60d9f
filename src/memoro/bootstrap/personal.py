"""The two files in HOME that a person writes about themselves and about the assistant's tone."""

from __future__ import annotations

import os
from typing import NamedTuple

from memoro.bootstrap.files import printable, read_text_file
from memoro.errors import FileRefusedError

# The first name of each pair counts where both are there.
_PERSONALITY_NAMES = ("SOUL.md", "soul.md")
_PROFILE_NAMES = ("USER.md", "profile.md")

# Characters that show nothing and that `str.isspace` does not know: Unicode's default ignorables
# as first and last of each run, and the braille blank.
_INVISIBLE_RUNS = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)


class PersonalPaths(NamedTuple):
    """Which file each text came from; None where there is none. A blank file is still named."""

    personality: str | None
    profile: str | None


class PersonalFiles(NamedTuple):
    """The personal files as one run sees them.

    `personality` is "" for the default one, `profile` "" for none; else each is the file's whole
    text. `warnings` are one line each, meant for the person.
    """

    personality: str
    profile: str
    paths: PersonalPaths
    warnings: tuple[str, ...]


def read_personal(home: str, soul_bytes: int, profile_bytes: int) -> PersonalFiles:
    """Read the personality and the profile from `home`; nothing is created or changed.

    Args:
        home: Memoro's own folder; it may be a link to a folder, and it may be missing.
        soul_bytes: the most bytes of the personality file.
        profile_bytes: the most bytes of the profile.

    Raises:
        FileRefusedError: a file that counts is no regular UTF-8 file, or `home` is no folder that
            can be listed.
        TooLargeError: a file that counts is over its limit.
    """
    listing = _listing(home)
    personality, soul_path, soul_warnings = _read_one(
        home, listing, _PERSONALITY_NAMES, soul_bytes, "MEMORO_SOUL_BYTES"
    )
    profile, profile_path, profile_warnings = _read_one(
        home, listing, _PROFILE_NAMES, profile_bytes, "MEMORO_PROFILE_BYTES"
    )
    return PersonalFiles(
        personality,
        profile,
        PersonalPaths(soul_path, profile_path),
        soul_warnings + profile_warnings,
    )


def is_blank(text: str) -> bool:
    """Whether the text has nothing to see: only spaces, line ends and invisible characters."""
    return all(char.isspace() or _is_invisible(ord(char)) for char in text)


def _is_invisible(code: int) -> bool:
    return any(first <= code <= last for first, last in _INVISIBLE_RUNS)


def _listing(home: str) -> frozenset[str]:
    # Asking for each name instead would find `Soul.md` on a disk that ignores case, and would
    # take one file there for two.
    try:
        return frozenset(os.listdir(home))
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise FileRefusedError(
            f"{printable(home)} can't be listed: {error.strerror or 'unknown error'}",
            "Make it a folder that you can read, or set MEMORO_HOME to one",
        ) from error


def _read_one(
    home: str, listing: frozenset[str], names: tuple[str, str], limit_bytes: int, setting: str
) -> tuple[str, str | None, tuple[str, ...]]:
    there = [name for name in names if name in listing]
    if not there:
        return "", None, ()
    path = os.path.join(home, there[0])
    warnings = tuple(
        f"{printable(home)} has both {there[0]} and {name}: {there[0]} counts, {name} is ignored"
        for name in there[1:]
    )
    text = read_text_file(path, limit_bytes, setting)
    if text is None:
        return "", None, warnings
    return "" if is_blank(text) else text, path, warnings
