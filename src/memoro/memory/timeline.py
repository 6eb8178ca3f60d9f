"""The timeline: what was done when, found by time and by words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from memoro.memory.episodes import episode_line
from memoro.memory.folding import folded
from memoro.memory.records import EPISODE, Record, project_name
from memoro.memory.standing import as_it_stood
from memoro.memory.store import Reader

LIMIT = 50
_FILLER = frozenset(
    """a about an and any are at by can could d de da das do dos did does e em for from had has have
    how i in is it its me my na nas no nos o of on or os our s t tell than that the their there
    they this to um uma was we were what when where which who why will with work worked would
    you your fizemos fiz foi que qual quais quando onde como com para por sobre se eu happened
    happen done doing got get made make""".split()  # noqa: SIM905
)


class Wanted(NamedTuple):
    """What a timeline is asked for. `since` and `until` bound it, `words` filter it; with
    `window_wins` (the window came from the same natural words) what lies in the window is given
    unfiltered where no word matches. `as_of` shows it as it was known then."""

    scopes: Collection[str] | None
    since: datetime | None = None
    until: datetime | None = None
    words: tuple[str, ...] = ()
    window_wins: bool = False
    project: str | None = None
    limit: int = LIMIT
    as_of: datetime | None = None


class Timeline(NamedTuple):
    """Episodes, oldest first; `left_out` counts those that lie before them and are not shown, and
    `unfiltered` says that the words matched nothing, so that the window alone counted."""

    episodes: tuple[Record, ...]
    left_out: int = 0
    unfiltered: bool = False


def timeline(reader: Reader, wanted: Wanted) -> Timeline:
    """The episodes that are asked for, the latest kept where there are too many."""
    found = reader.between([EPISODE.name], wanted.scopes, wanted.since, wanted.until)
    if wanted.as_of is not None:
        stood = [as_it_stood(reader, one, wanted.as_of) for one in found]
        found = [one for one in stood if one is not None]
        found = [one for one in found if (one.valid_from or one.created_at) <= wanted.as_of]
    if wanted.project is not None:
        found = [one for one in found if _is_of(one, wanted.project)]
    matching = [one for one in found if _matches(one, wanted.words)]
    unfiltered = bool(wanted.words) and not matching and wanted.window_wins and bool(found)
    kept = found if unfiltered else matching
    shown = kept[: wanted.limit]
    return Timeline(tuple(reversed(shown)), len(kept) - len(shown), unfiltered)


def content_words(text: str) -> tuple[str, ...]:
    """The words of a question that say what it is about; all of them where none does."""
    words = tuple(dict.fromkeys(re.findall(r"\w+(?:[.\-/#+]\w+)*[+#]*", folded(text))))
    return tuple(word for word in words if word not in _FILLER)


def _is_of(episode: Record, project: str) -> bool:
    """Whether an episode belongs to a project: by its scope, or by the name that it was given."""
    names = (project_name(episode.scope) or "", str(episode.data.get("project", "")))
    return folded(project) in map(folded, names)


def _matches(episode: Record, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = folded(episode_line(episode))
    return all(_stands_in(word, text) for word in words)


def _stands_in(word: str, text: str) -> bool:
    """Whether a word begins a word of the text; where a script has no spaces, anywhere."""
    if not word.isascii():
        return word in text
    stem = word[:-1] if len(word) > 4 and word.endswith("s") else word
    return re.search(rf"(?<![a-z0-9]){re.escape(stem)}", text) is not None
