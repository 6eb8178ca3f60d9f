"""Where the tools and Memoro disagree: on a file, on an order, on what is cut."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memoro.bootstrap.loaders.ground import Ground, ground_of, label_of
from memoro.bootstrap.loaders.results import (
    MEMORO,
    TITLES,
    Config,
    Difference,
    Homes,
    Loaded,
    Own,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class _Share(NamedTuple):
    """What one loader has of one file; `size` is 0 where the file is not loaded now."""

    place: int
    size: int
    kept: int
    now: bool


_Shares = dict[str, _Share]


def compare(
    loaded: Sequence[Loaded], own: Sequence[Own], cwd: str, homes: Homes
) -> tuple[Difference, ...]:
    """Say where the tools and Memoro disagree, one line each; files are known by where links lead.

    First who has which file, then orders, then cuts. Of two files in different orders a line is
    made only where somebody has them next to each other, since that implies the others.

    Args:
        loaded: what the tools would load, as `emulate` says.
        own: what Memoro has loaded, in its order.
        cwd: the folder that all of them were started in.
        homes: the person's folders.
    """
    shares = {MEMORO: _own_shares(own)}
    names: dict[str, str] = {}
    ground = ground_of(cwd, homes, (), Config())
    for each in own:
        names.setdefault(os.path.realpath(each.path), _label(each.path, ground))
    for each in loaded:
        shares[TITLES[each.tool]] = _shares(each)
        for file in each.files:
            names.setdefault(os.path.realpath(file.path), file.label)
    return (
        *_loading(shares, names),
        *_orders(shares, names),
        *_cuts(shares, names),
    )


def _label(path: str, ground: Ground) -> str:
    user = ground.homes.user
    return label_of(path, ground.root, None if user is None else os.path.realpath(user))


def _own_shares(own: Sequence[Own]) -> _Shares:
    shares: _Shares = {}
    for place, each in enumerate(own):
        size = each.kept_bytes + each.cut_bytes
        shares.setdefault(os.path.realpath(each.path), _Share(place, size, each.kept_bytes, True))
    return shares


def _shares(loaded: Loaded) -> _Shares:
    shares: _Shares = {}
    later = False
    for file in loaded.files:
        later = file.how == "on demand"
        share = _Share(file.order, file.bytes, file.kept_bytes, not later)
        shares.setdefault(os.path.realpath(file.path), share)
    return shares


def _loading(shares: dict[str, _Shares], names: dict[str, str]) -> Iterator[Difference]:
    for path, name in names.items():
        have = [who for who, files in shares.items() if path in files and files[path].now]
        later = [who for who, files in shares.items() if path in files and not files[path].now]
        lack = [who for who, files in shares.items() if path not in files]
        if not have or not (later or lack):
            continue
        parts = [f"loaded by {_listed(have)}"]
        if later:
            parts.append(f"on demand by {_listed(later)}")
        if lack:
            parts.append(f"not by {_listed(lack)}")
        fewer = min(have, [*later, *lack], key=len)
        yield Difference("loaded", f"{name}: {', '.join(parts)}", (path,), tuple(fewer))


def _orders(shares: dict[str, _Shares], names: dict[str, str]) -> Iterator[Difference]:
    done: set[frozenset[str]] = set()
    for files in shares.values():
        sequence = [path for path, share in files.items() if share.now]
        for first, second in pairwise(sequence):
            pair = frozenset((first, second))
            if pair in done:
                continue
            done.add(pair)
            both = {
                who: each[first].place < each[second].place
                for who, each in shares.items()
                if first in each and second in each and each[first].now and each[second].now
            }
            before = [who for who, forwards in both.items() if forwards]
            after = [who for who, forwards in both.items() if not forwards]
            if after:
                text = (
                    f"{names[first]} before {names[second]}: {_listed(before)};"
                    f" behind it: {_listed(after)}"
                )
                yield Difference("order", text, (first, second), (*before, *after))


def _cuts(shares: dict[str, _Shares], names: dict[str, str]) -> Iterator[Difference]:
    for path, name in names.items():
        have = {who: files[path] for who, files in shares.items() if path in files}
        have = {who: share for who, share in have.items() if share.now}
        cut = {who: share for who, share in have.items() if share.kept < share.size}
        if not cut:
            continue
        parts = [
            f"{who} keeps {f'{share.kept:,} of {share.size:,} bytes' if share.kept else 'nothing'}"
            for who, share in cut.items()
        ]
        whole = [who for who in have if who not in cut]
        if len(have) > 1 and not whole and len({share.kept for share in cut.values()}) == 1:
            continue
        if whole:
            parts.append(f"{_listed(whole)} {'keeps' if len(whole) == 1 else 'keep'} all")
        yield Difference("cut", f"{name}: {', '.join(parts)}", (path,), tuple(have))


def _listed(who: Sequence[str]) -> str:
    return who[0] if len(who) == 1 else f"{', '.join(who[:-1])} and {who[-1]}"
