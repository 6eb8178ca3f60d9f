"""The manifest of promises, and the tests that say they prove them.

`python tests/manifest.py` writes the names of the tests into `requirements.toml`; which IDs are
built and which are planned is written there by hand.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent
MANIFEST = TESTS / "requirements.toml"


class Promise(NamedTuple):
    """A line of the manifest: `issue` names the work that brings a planned one."""

    id: str
    status: str
    issue: str | None
    tests: tuple[str, ...]


def promises() -> list[Promise]:
    """What the manifest says."""
    read = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    return [
        Promise(name, one["status"], one.get("issue"), tuple(one.get("tests", ())))
        for name, one in read.items()
    ]


def proofs() -> dict[str, list[str]]:
    """The tests that carry `@pytest.mark.requirement`, by the IDs they name."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        name = str(path.relative_to(TESTS))
        for test, ids in _marked(ast.parse(path.read_text(encoding="utf-8")), (), ()):
            for one in ids:
                found.setdefault(one, []).append(f"{name}::{test}")
    return found


def _marked(
    tree: ast.AST, inside: tuple[str, ...], ids: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _marked(node, (*inside, node.name), (*ids, *_ids(node)))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            own = dict.fromkeys((*ids, *_ids(node)))
            if own:
                yield "::".join((*inside, node.name)), tuple(own)


def _ids(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    return [
        argument.value
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.requirement"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def written() -> str:
    """The manifest with the tests as they are now."""
    proven = proofs()
    parts = [_HEAD]
    for one in promises():
        lines = [f"[{one.id}]", f'status = "{one.status}"']
        if one.status == "planned":
            lines.append(f'issue = "{one.issue}"')
        elif one.id in proven:
            tests = "".join(f'    "{test}",\n' for test in proven[one.id])
            lines.append(f"tests = [\n{tests}]")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


_HEAD = """\
# Every promise by its ID. "built": the tests that prove it. "planned": the work that brings it.
# The check in test_requirements.py runs both ways; `python tests/manifest.py` lists the tests."""

if __name__ == "__main__":
    MANIFEST.write_text(written(), encoding="utf-8")
    sys.exit(0)
