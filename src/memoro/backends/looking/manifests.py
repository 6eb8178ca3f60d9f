"""What a project's manifests ask for: the versions of languages, programs and packages."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from memoro.bootstrap.refs import read
from memoro.memory.mentions.tools import canonical

Dialect = Literal["pin", "python", "npm", "cargo", "least"]


class Asked(NamedTuple):
    """One thing that a manifest asks for: `spec` as it is written there, to be read in the manner
    of `dialect` ("pin": this version, or one of these; "least": this or a later one)."""

    file: str
    tool: str
    spec: str
    dialect: Dialect


def asked_by(folder: str, names: Iterable[str] | None = None) -> tuple[Asked, ...]:
    """Everything that the manifests which lie in a folder ask for; one that can't be read, and
    what in it is not as it should be, asks for nothing.

    Args:
        folder: the folder.
        names: paths of manifests in it; without them, all that lie at its top.
    """
    found: list[Asked] = []
    for name in _PARSERS if names is None else names:
        parse, text = _PARSERS[os.path.basename(name)], read(os.path.join(folder, name))
        if text is not None:
            found += (Asked(name, key(tool), spec, how) for tool, spec, how in _tried(parse, text))
    return tuple(found)


def is_manifest(path: str) -> bool:
    """Whether a file is one that `asked_by` reads."""
    return os.path.basename(path) in _PARSERS


def key(tool: str) -> str:
    """The name under which a tool is compared."""
    return canonical(tool.lower().replace("_", "-"))


_Found = tuple[str, str, Dialect]


def _tried(parse: Callable[[str], Iterable[_Found]], text: str) -> list[_Found]:
    # A manifest is somebody's file: whatever its parser can't bear, it asks for nothing.
    try:
        return [one for one in parse(text) if one[0] and re.search(r"\d", one[1])]
    except (ValueError, RecursionError):
        return []


_PYTHON_PACKAGE = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#@)]*)")


def _pyproject(text: str) -> Iterator[_Found]:
    import tomllib

    read = tomllib.loads(text)
    project = _table(read, "project")
    yield "python", _word(project.get("requires-python")), "python"
    yield _word(project.get("name")), _word(project.get("version")), "pin"
    groups = (_table(project, "optional-dependencies"), _table(read, "dependency-groups"))
    lists = [project.get("dependencies"), *(each for one in groups for each in one.values())]
    for each in lists:
        yield from _python_packages(_words(each))
    poetry = _table(_table(read, "tool"), "poetry")
    yield from _named(_table(poetry, "dependencies"), "npm")
    for group in _table(poetry, "group").values():
        yield from _named(_table(group, "dependencies"), "npm")


def _requirements(text: str) -> Iterator[_Found]:
    return _python_packages(line for line in text.splitlines() if not line.startswith(("-", "#")))


def _python_packages(lines: Iterable[str]) -> Iterator[_Found]:
    for line in lines:
        match = _PYTHON_PACKAGE.match(line)
        if match is not None:
            yield match[1], match[2].strip(), "python"


def _package(text: str) -> Iterator[_Found]:
    read = json.loads(text)
    if not isinstance(read, dict):
        return
    for table in ("engines", "volta"):
        yield from _named(_table(read, table), "npm")
    for table in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        yield from _named(_table(read, table), "npm")
    manager, _, version = _word(read.get("packageManager")).partition("@")
    yield manager, version.partition("+")[0], "pin"
    yield _word(read.get("name")), _word(read.get("version")), "pin"


_GO_REQUIRE = re.compile(r"^(?:require\s+|\s+)([\w./~-]+)\s+(v\d\S*)", re.MULTILINE)


def _go_mod(text: str) -> Iterator[_Found]:
    language = re.search(r"^go\s+(\S+)", text, re.MULTILINE)
    if language is not None:
        yield "go", language[1], "least"
    for match in _GO_REQUIRE.finditer(text):
        yield match[1], match[2], "pin"
        parts = [part for part in match[1].split("/") if not re.fullmatch(r"v\d+", part)]
        yield parts[-1], match[2], "pin"


def _cargo(text: str) -> Iterator[_Found]:
    import tomllib

    read = tomllib.loads(text)
    workspace = _table(read, "workspace")
    for package in (_table(read, "package"), _table(workspace, "package")):
        yield "rust", _word(package.get("rust-version")), "least"
        yield _word(package.get("name")), _word(package.get("version")), "pin"
    for table in ("dependencies", "dev-dependencies", "build-dependencies"):
        yield from _named(_table(read, table), "cargo")
    yield from _named(_table(workspace, "dependencies"), "cargo")


def _rust_toolchain(text: str) -> Iterator[_Found]:
    match = re.search(r"^(?:channel\s*=\s*[\"'])?(\d[\d.]*)", text, re.MULTILINE)
    if match is not None:
        yield "rust", match[1], "pin"


def _single(tool: str) -> Callable[[str], Iterator[_Found]]:
    def parse(text: str) -> Iterator[_Found]:
        for line in text.splitlines():
            match = re.match(rf"\s*(?:{tool}-)?v?(\d[\d.]*)\s*(?:#|$)", line)
            if match is not None:
                yield tool, match[1], "pin"

    return parse


def _tool_versions(text: str) -> Iterator[_Found]:
    for line in text.splitlines():
        tool, *versions = line.partition("#")[0].split()[:8] or [""]
        for version in versions:
            yield tool, version, "pin"


_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(\S+)", re.IGNORECASE | re.MULTILINE)
_IMAGE = re.compile(r"^[ \t-]*image:[ \t]*[\"']?([^\s\"'#]+)", re.MULTILINE)
_TAG = re.compile(r"(?:pg|v)?(\d+(?:\.\d+)*)")
_IMAGES = {
    "eclipse-temurin": "java",
    "amazoncorretto": "java",
    "postgis": "postgres",
    "pgvector": "postgres",
    "mongo": "mongodb",
}


def _images(pattern: re.Pattern[str]) -> Callable[[str], Iterator[_Found]]:
    def parse(text: str) -> Iterator[_Found]:
        for match in pattern.finditer(text):
            name, _, tag = match[1].partition("@")[0].rpartition(":")
            number = _TAG.match(tag)
            if number is not None and "/" not in tag:
                image = name.rpartition("/")[2]
                yield _IMAGES.get(image, image), number[1], "pin"

    return parse


def _table(table: Any, name: str) -> Mapping[str, Any]:
    found = table.get(name) if isinstance(table, dict) else None
    return found if isinstance(found, dict) else {}


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _named(table: Mapping[str, Any], dialect: Dialect) -> Iterator[_Found]:
    for name, value in table.items():
        spec = value.get("version") if isinstance(value, dict) else value
        yield name, _word(spec), dialect


_COMPOSE = _images(_IMAGE)
_PARSERS: Mapping[str, Callable[[str], Iterable[_Found]]] = {
    "pyproject.toml": _pyproject,
    "requirements.txt": _requirements,
    "package.json": _package,
    "go.mod": _go_mod,
    "Cargo.toml": _cargo,
    "rust-toolchain": _rust_toolchain,
    "rust-toolchain.toml": _rust_toolchain,
    ".python-version": _single("python"),
    ".nvmrc": _single("node"),
    ".node-version": _single("node"),
    ".ruby-version": _single("ruby"),
    ".go-version": _single("go"),
    ".java-version": _single("java"),
    ".tool-versions": _tool_versions,
    "Dockerfile": _images(_FROM),
    "Containerfile": _images(_FROM),
    "docker-compose.yml": _COMPOSE,
    "docker-compose.yaml": _COMPOSE,
    "compose.yml": _COMPOSE,
    "compose.yaml": _COMPOSE,
}
