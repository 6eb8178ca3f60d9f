"""Links lead somewhere, and what is named exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, prose

LINK = re.compile(r"\]\(([^)\s]+)\)")


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in _anchors(file), target


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / target).resolve() for target in LINK.findall(prose(index))}
    for page in (ROOT / "docs").rglob("*.md"):
        assert page == index or page.resolve() in linked, page


def test_decisions_are_numbered_and_short() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    for number, page in enumerate(pages, 1):
        lines = page.read_text(encoding="utf-8").splitlines()
        assert page.name.startswith(f"{number:04}-")
        assert lines[0].startswith(f"# {number:04} ")
        assert len(lines) < 30, page.name
        text = "\n".join(lines)
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Consequence"))


def test_every_invariant_names_a_check_that_exists() -> None:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {one["name"] for one in pyproject["tool"]["importlinter"]["contracts"]}
    rules = tuple(pyproject["tool"]["ruff"]["lint"]["select"])
    invariants = re.findall(r"^- .*(?:\n  .*)*", text, flags=re.M)
    assert invariants
    for one in invariants:
        said, _, check = " ".join(one.split()).partition(" Check: ")
        assert check, said
        if check.startswith("contract "):
            assert check.removeprefix("contract ").strip('".') in contracts, said
        elif check.startswith("lint, rule "):
            assert check.removeprefix("lint, rule ").startswith(rules), said
        else:
            named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", check)
            assert named, said
            for file, test in named:
                assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), check


def test_what_contributors_are_sent_to_exists() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in re.findall(r"`(src/[\w/.]+?)`", table):
        if "NNNN" not in path:
            assert (ROOT / path).exists(), path
