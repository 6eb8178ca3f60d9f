"""No promise without a test, no test for a promise that isn't there."""

from __future__ import annotations

import re

from manifest import MANIFEST, promises, proofs, written

GROUPS = {
    "P": 30, "B": 20, "F": 14, "U": 9, "T": 3, "E": 7, "G": 4, "X": 11, "M": 7, "R": 7, "I": 8,
    "S": 14, "Z": 17,
}  # fmt: skip
"""How many promises each group has."""


def test_every_promise_has_its_line() -> None:
    wanted = {f"{group}{n:02}" for group, count in GROUPS.items() for n in range(1, count + 1)}
    assert {one.id for one in promises()} == wanted


def test_a_built_promise_has_tests_and_a_planned_one_an_issue() -> None:
    for one in promises():
        assert one.status in ("built", "planned"), one.id
        assert bool(one.tests) == (one.status == "built"), one.id
        assert (one.issue is not None) == (one.status == "planned"), one.id


def test_the_manifest_lists_the_tests_that_there_are() -> None:
    assert MANIFEST.read_text(encoding="utf-8") == written(), "run: python tests/manifest.py"


def test_tests_name_only_promises_that_exist() -> None:
    known = {one.id for one in promises()}
    assert set(proofs()) <= known
    assert all(re.fullmatch(r"[A-Z]\d\d", one) for one in known)
