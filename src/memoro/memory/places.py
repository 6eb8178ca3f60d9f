"""Places: the folders in which something was learned without a project that was registered.

A place is known by what its folder is known by (`memoro.bootstrap.workspace.identify`): the root
commits of its history, which all clones share; else the git common directory, which all worktrees
share; else its real path, whole and never spelt into another form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from memoro.errors import Reason, Refusal
from memoro.memory.records import GLOBAL, PLACE, Record, project_name
from memoro.memory.store import Change, ChangeSet, Plan, Reader

_PREFIX = "place:"
_HASH_DIGITS = 16
_MOST_EARLIER = 8
_LONGEST_SHOWN = 200


def is_place(scope: str) -> bool:
    """Whether a scope is a place's."""
    return scope.startswith(_PREFIX)


def place_scope(identity: Mapping[str, Any]) -> str:
    """The scope of what is learned in a folder that no known place is (see `find_place`).

    Args:
        identity: `path`, and where git could tell them `common_dir`, `subpath` and `roots`.
    """
    return _PREFIX + _digest(identity)


def place_record(
    identity: Mapping[str, Any], at: datetime, places: Iterable[Record] = ()
) -> Record:
    """The record of a folder that is seen for the first time, and is none of the known places.

    Its scope is `place_scope`, save where that is the scope of a place which has moved away since.
    """
    taken = {place.key for place in places}
    digests = (_digest(identity, turn) for turn in range(len(taken) + 1))
    digest = next(each for each in digests if _PREFIX + each not in taken)
    path = str(identity["path"])
    data = {
        "path": path,
        "common_dir": identity.get("common_dir"),
        "subpath": _subpath(identity),
        "roots": _roots(identity),
    }
    return Record("pl_" + digest, PLACE.name, GLOBAL, _PREFIX + digest, path, at, at, data=data)


def find_place(
    identity: Mapping[str, Any],
    places: Iterable[Record],
    has_commits: Callable[[Sequence[str]], bool | None] = lambda _: None,
) -> Record | None:
    """The known place that a folder is; None where it is a new one.

    The first of these that finds one: the same history under the scope that goes with it; the same
    common directory and subpath, or the same path; an earlier path, where the repository still
    holds the place's history; exactly the same root commits and subpath. A folder that merely
    lies inside of a place is another one: whatever was learned in the user's home would be every
    project's.

    Args:
        identity: what the folder is known by now.
        places: the known places.
        has_commits: whether the folder's repository holds these commits, None where it can't be
            told. Asked only where another history than before lies in a place's folder: a branch
            without common history, or another repository that has taken the folder over.
    """
    known = sorted(places, key=lambda place: (place.created_at, place.id))
    scope = place_scope(identity) if _roots(identity) else None
    same = next((place for place in known if place.key == scope), None)
    if same is not None:
        return same
    for place in known:
        if _is_same_folder(place.data, identity) and not _is_replaced(place, identity, has_commits):
            return place
    for place in known:
        before = _roots(place.data)
        if before and identity["path"] in place.data.get("earlier", ()) and has_commits(before):
            return place
    related = [place for place in known if _has_same_history(place.data, identity)]
    return related[0] if len(related) == 1 else None


def seen_at(place: Record, identity: Mapping[str, Any], at: datetime) -> Record | None:
    """The place as it is after its folder was seen again; None where nothing about it is new.

    A new path (it was moved, or this is another clone) takes the old one's place, and up to eight
    older ones are kept, the latest first. A further worktree is no new path, because worktrees
    come and go; the main one is. Roots are only ever added to: a branch without common history
    does not make another place.
    """
    data = dict(place.data)
    if _is_moved(data, identity):
        earlier = [data["path"], *data.get("earlier", ())]
        data["earlier"] = [path for path in earlier if path != identity["path"]][:_MOST_EARLIER]
        data["path"] = identity["path"]
    if identity.get("common_dir") is not None:
        data["common_dir"] = identity["common_dir"]
        data["subpath"] = _subpath(identity)
    if set(_roots(identity)) >= set(_roots(data)):
        data["roots"] = _roots(identity)
    if data == place.data:
        return None
    return place._replace(
        text=str(data["path"]), data=data, updated_at=at, revision=place.revision + 1
    )


def home_path(path: str, user_home: str) -> str:
    """A path as it is shown: the user's home as `~`, odd characters escaped, and of one that is
    absurdly long the end."""
    home = user_home.rstrip("/")
    if home and (path == home or path.startswith(home + "/")):
        path = "~" + path[len(home) :]
    if len(path) > _LONGEST_SHOWN:
        path = "…" + path[-_LONGEST_SHOWN:]
    return path if path.isprintable() else repr(path)


def label(
    scope: str, places: Mapping[str, Record], projects: Mapping[str, Record], user_home: str
) -> str:
    """Where something was learned that is shown elsewhere; "" for what is global.

    Args:
        scope: the scope of what is shown.
        places: the known places, by scope.
        projects: the registered projects, by any key. A place whose folder was registered since
            is told by the project's name.
        user_home: the user's home folder.
    """
    if not is_place(scope):
        name = project_name(scope)
        return "" if name is None else f"from: project {name}"
    place = places.get(scope)
    if place is None:
        return "from: a folder that is no longer known"
    for project in projects.values():
        if project.key is not None and _is_same_folder(place.data, project.data):
            return f"from: project {project.key}"
    return f"from: {home_path(str(place.data['path']), user_home)}"


def keep(before: Record | None, after: Record) -> Plan:
    """Keep a place as it is now; refused where somebody else has done so since `before` was read:
    two processes may come to a new folder at once."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        if reader.get(after.id) != before:
            return Refusal(Reason.CONFLICT, f"the place {after.text} is kept already")
        return ChangeSet("place", [Change(before, after)])

    return plan


def place_of(project: Record, places: Iterable[Record]) -> Record | None:
    """The place that a project's folder was before it was registered."""
    same = [place for place in places if _is_same_folder(place.data, project.data)]
    return min(same, key=lambda place: (place.created_at, place.id), default=None)


def shown_on(record_branch: str | None, here: str | None, merged: bool | None) -> bool:
    """Whether what was learned on a branch is shown now.

    Args:
        record_branch: the branch that it is kept to; None where it is kept to none.
        here: the branch that the folder is on; None where it is on none.
        merged: whether the record's branch was merged; None where that can't be told, and then it
            is shown on its own branch alone.
    """
    return record_branch is None or record_branch == here or merged is True


def _digest(identity: Mapping[str, Any], turn: int = 0) -> str:
    roots, common_dir = _roots(identity), identity.get("common_dir")
    if roots:
        parts = ["history", _subpath(identity), *roots]
    elif common_dir is not None:
        parts = ["repository", str(common_dir), _subpath(identity)]
    else:
        parts = ["path", str(identity["path"])]
    # No path holds a NUL, so that no two lists give the same bytes.
    raw = "\0".join(parts + [""] * turn).encode("utf-8", "surrogatepass")
    return sha256(raw).hexdigest()[:_HASH_DIGITS]


def _roots(data: Mapping[str, Any]) -> list[str]:
    return sorted({str(root) for root in data.get("roots") or ()})


def _subpath(data: Mapping[str, Any]) -> str:
    return str(data.get("subpath") or "")


def _is_same_folder(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    path, common_dir = one.get("path"), one.get("common_dir")
    if path is not None and path == other.get("path"):
        return True
    same = common_dir is not None and common_dir == other.get("common_dir")
    return same and _subpath(one) == _subpath(other)


def _is_replaced(
    place: Record,
    identity: Mapping[str, Any],
    has_commits: Callable[[Sequence[str]], bool | None],
) -> bool:
    before = _roots(place.data)
    if not before or identity.get("common_dir") is None or set(before) & set(_roots(identity)):
        return False
    return has_commits(before) is False


def _has_same_history(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    # Exactly the same: a repository that took in another one's history has that one's roots too.
    roots = _roots(one)
    return bool(roots) and roots == _roots(other) and _subpath(one) == _subpath(other)


def _is_moved(data: Mapping[str, Any], identity: Mapping[str, Any]) -> bool:
    path, common_dir = str(identity["path"]), identity.get("common_dir")
    if path == data.get("path"):
        return False
    if common_dir is None or common_dir != data.get("common_dir"):
        return True
    top = str(common_dir).removesuffix("/.git")
    return path == "/".join(part for part in (top, _subpath(identity)) if part)
