"""Claims held against real folders, repositories, manifests and ports."""

from __future__ import annotations

import builtins
import os
import socket
import subprocess
from collections.abc import Generator
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.backends.looking import files
from memoro.backends.world import MOST_CLAIMS, look
from memoro.memory.claims import Claim, Seen, claims
from repositories import Repositories


class World:
    """A project's folder and a user's home, and what is seen there of a statement."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "site"
        self.home = base / "home"
        self.folder.mkdir()
        self.home.mkdir()

    def write(self, path: str, text: str = "") -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def see(self, text: str) -> list[Seen]:
        return list(look(claims(text), str(self.folder), {"HOME": str(self.home)}))

    def states(self, text: str) -> list[str]:
        return [one.state for one in self.see(text)]

    def one(self, text: str) -> tuple[str, str]:
        (seen,) = self.see(text)
        return seen.state, seen.told


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


# --- files --------------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
def test_a_file_is_there_or_it_is_not(world: World) -> None:
    world.write("src/app.py")
    (world.home / "notes.md").write_text("x")
    assert world.one("The entry point is src/app.py") == ("true", "src/app.py is there")
    assert world.one("The entry point is ./src/app.py")[0] == "true"
    assert world.one("Sources are in src/")[0] == "true"
    gone = ("false", "there is no src/old.py here")
    assert world.one("The entry point is src/old.py") == gone
    assert world.one("see ~/notes.md") == ("true", "~/notes.md is there")
    assert world.one("see ~/other.md") == ("false", "there is no ~/other.md here")
    assert world.one(f"see {world.folder}/src/app.py")[0] == "true"
    assert world.one(f"see {world.folder}/gone/app.py")[0] == "false"
    assert world.one("see ../home/notes.md")[0] == "true"


@pytest.mark.requirement("Z06")
def test_a_denial_is_right_where_nothing_is_there(world: World) -> None:
    world.write("src/app.py")
    world.write("api/Makefile")
    assert world.one("src/old.py was removed") == ("true", "there is no src/old.py here")
    assert world.one("There is no Dockerfile")[0] == "true"
    assert world.one("src/app.py was removed") == ("false", "src/app.py is there")
    assert world.states("There is no Dockerfile, src/app.py is used instead") == ["true", "true"]
    # It may speak of the top alone.
    assert world.one("There is no Makefile") == ("unknown", "api/Makefile is there")


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "We will create src/new.py",
        "If src/new.py is missing, run make",
        "src/new.py was the entry point",
        "In the other repo, src/new.py is the entry",
        "It writes report.html",
        "src/new.py 已删除",
    ],
)
def test_what_is_not_plainly_said_is_never_false(world: World, text: str) -> None:
    assert world.states(text) == ["unknown"]
    world.write("src/new.py")
    world.write("report.html")
    assert world.states(text) == ["unknown"]


@pytest.mark.requirement("Z06")
def test_a_path_may_be_meant_from_further_down(world: World) -> None:
    world.write("services/api/src/main.py")
    world.write("docs/README.md")
    told = "services/api/src/main.py is there"
    assert world.one("The entry point is main.py") == ("true", told)
    assert world.one("The entry point is src/main.py") == ("true", told)
    assert world.one("The entry point is rc/main.py")[0] == "false"
    assert world.one("The entry point is ain.py")[0] == "false"
    assert world.one("See the README") == ("true", "docs/README.md is there")


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "The bundle is dist/app.js",
        "Secrets are in .env",
        "Settings are in .env.local",
        "The log is app.log and the data data/app.sqlite3",
        "node_modules/.bin/tsc is used",
        "postgresql.conf sets max_connections",
        "report.pdf has the figures",
        "/srv/other/machine/app.py runs",
        "/dev/shm/x/y.py",
        "/net/host/share/x.py",
    ],
)
def test_what_a_project_can_lack_is_unknown(world: World, text: str) -> None:
    assert set(world.states(text)) == {"unknown"}


@pytest.mark.requirement("Z06")
def test_a_path_elsewhere_is_false_only_where_its_folder_is_there(world: World) -> None:
    (world.home / "conf").mkdir()
    assert world.one("see ~/conf/app.toml")[0] == "false"
    assert world.one("see ~/conf/deep/app.toml")[0] == "unknown"
    assert world.one("see /Users/anna/work/app.toml")[0] == "unknown"


@pytest.mark.requirement("Z06")
def test_without_a_folder_only_whole_paths_are_looked_for(tmp_path: Path, world: World) -> None:
    (world.home / "notes.md").write_text("x")
    found = claims("see src/app.py, ~/notes.md, the branch dev and Go 1.23")
    for folder in (None, str(tmp_path / "gone"), str(world.home / "notes.md")):
        seen = look(found, folder, {"HOME": str(world.home)})
        assert [one.state for one in seen] == ["unknown", "true", "unknown", "unknown"]
    assert look(claims("~/notes.md"), None, {})[0] == Seen(
        Claim("file", "~/notes.md"), "unknown", ""
    )


@pytest.mark.requirement("Z06")
def test_more_files_than_are_listed_prove_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_MOST_ENTRIES", 20)
    for number in range(10):
        world.write(f"many/{number}.txt")
    assert world.one("see gone.py")[0] == "false"
    for number in range(10, 30):
        world.write(f"many/{number}.txt")
    assert world.one("see gone.py") == ("unknown", "there is no gone.py here")
    assert world.one("see many/7.txt")[0] == "true"


@pytest.mark.requirement("Z06")
def test_links_are_looked_at_and_not_walked(world: World, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "deep").mkdir(parents=True)
    (other / "deep/secret.py").write_text("x")
    world.write("a.py")
    (world.folder / "link").symlink_to(other)
    (world.folder / "loop").symlink_to(world.folder)
    (world.folder / "gone.py").symlink_to("nowhere")
    assert world.one("see link/deep/secret.py")[0] == "true"
    assert world.one("see secret.py")[0] == "false"
    assert world.one("see gone.py")[0] == "unknown"


@pytest.mark.requirement("Z06")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_proves_nothing(world: World) -> None:
    world.write("closed/a.py").parent.chmod(0)
    assert world.states("see closed/a.py and b.py") == ["unknown", "unknown"]


@pytest.mark.requirement("Z06")
def test_no_file_is_read_for_being_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.write("src/app.py")
    (world.home / "key.py").write_text("secret")
    os.mkfifo(world.folder / "pipe.py")

    def opened(*arguments: object, **_options: object) -> None:
        pytest.fail(f"{arguments[0]} was opened")

    found = claims("see src/app.py, ~/key.py, pipe.py, gone.py and /etc/hosts")
    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(builtins, "open", opened)
    seen = look(found, str(world.folder), {"HOME": str(world.home)})
    assert [one.state for one in seen] == ["true", "true", "true", "false", "true"]


@pytest.mark.requirement("Z06")
@settings(deadline=None)
@given(st.text(max_size=300).filter(bool))
def test_no_name_raises(what: str) -> None:
    for kind in ("file", "branch", "version", "address"):
        for path in (what, "/" + what, "~/" + what):
            look([Claim(kind, path, what)], os.path.dirname(__file__), {"HOME": "/usr"})


# --- branches -----------------------------------------------------------------------------


@pytest.fixture
def repos(tmp_path: Path) -> Repositories:
    return Repositories(tmp_path)


def see(repos: Repositories, folder: Path, text: str) -> tuple[str, str]:
    (seen,) = look(claims(text), str(folder), repos.environ)
    return seen.state, seen.told


@pytest.mark.requirement("Z06")
def test_a_branch_is_looked_for_without_git(
    repos: Repositories, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repos.make("repo", "pkg")
    repos.branch(repo, "release/2.1")
    repos.git(repo, "pack-refs", "--all")
    repos.branch(repo, "fix/login")
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "-b", "spike-1")

    def started(*_arguments: object, **_options: object) -> None:
        pytest.fail("git was started")

    monkeypatch.setattr(subprocess, "run", started)
    there = ("true", "the branch release/2.1 is there")
    for folder in (repo, repo / "pkg", repos.base / "tree"):
        assert see(repos, folder, "the branch release/2.1 is frozen") == there
        assert see(repos, folder, "work is on branch fix/login")[0] == "true"
        assert see(repos, folder, "work is on branch `spike-1`")[0] == "true"
        gone = ("false", "there is no branch release/2.2 here")
        assert see(repos, folder, "the branch release/2.2 is frozen") == gone
        assert see(repos, folder, "the branch `release` is frozen")[0] == "false"
        assert see(repos, folder, "the branch release/2.2 was deleted")[0] == "true"
        assert see(repos, folder, "the branch release/2.1 was deleted")[0] == "false"
        assert see(repos, folder, "the branch release/2.2 was merged")[0] == "unknown"
    assert see(repos, repos.base, "the branch release/2.1 is frozen") == ("unknown", "")


@pytest.mark.requirement("Z06")
def test_branches_of_remotes(repos: Repositories) -> None:
    source = repos.make("source")
    repos.branch(source, "topic/x")
    repos.git(source, "checkout", "--quiet", "main")
    clone = repos.clone(source, "clone")
    for packed in (False, True):
        if packed:
            repos.git(clone, "pack-refs", "--all")
        assert see(repos, clone, "on branch topic/x")[0] == "true"
        assert see(repos, clone, "it tracks origin/topic/x")[0] == "true"
        assert see(repos, clone, "it tracks origin/topic/y")[0] == "false"
        assert see(repos, clone, "on branch topic/y1")[0] == "false"
    # A clone of one branch knows of no other.
    single = repos.clone(source, "single", "--single-branch")
    assert see(repos, single, "on branch topic/x") == ("unknown", "")
    shallow = repos.clone(source, "shallow", "--depth=1")
    assert see(repos, shallow, "on branch topic/x") == ("unknown", "")
    assert see(repos, shallow, "on branch `main`")[0] == "true"


@pytest.mark.requirement("Z06")
def test_the_default_branch(repos: Repositories) -> None:
    source = repos.make("source")
    repos.git(source, "branch", "stable")
    clone = repos.clone(source, "clone")
    told = ("true", "the default branch is main")
    assert see(repos, clone, "The default branch is main") == told
    # What the remote's default was may be out of date.
    assert see(repos, clone, "The default branch is `stable`")[0] == "unknown"
    assert see(repos, clone, "The default branch is `trunk`")[0] == "false"
    assert see(repos, source, "The default branch is main")[0] == "true"
    unborn = repos.empty("unborn")
    assert see(repos, unborn, "The default branch is main")[0] == "true"


# --- versions -----------------------------------------------------------------------------

PYPROJECT = """
[project]
name = "site"
version = "0.4.1"
requires-python = ">=3.11"
dependencies = ["pydantic[email]>=2.5,<3; python_version > '3'", "apsw>=3.53", "rich"]
[project.optional-dependencies]
dev = ["pytest~=8.4"]
[dependency-groups]
lint = ["ruff==0.14.2", {include-group = "dev"}]
"""
PACKAGE = """
{"name": "web", "engines": {"node": ">=20"}, "packageManager": "pnpm@8.15.1+sha1.x",
 "dependencies": {"react": "^18.2.0", "next": "14.1.0"}, "devDependencies": {"typescript": "~5.4"}}
"""
GO = """
module example.com/site

go 1.23.1

require (
\tgithub.com/gin-gonic/gin v1.9.1
\texample.com/big/thing/v5 v5.2.0 // indirect
)
"""
CARGO = """
[package]
name = "core"
rust-version = "1.75"
[dependencies]
serde = { version = "1.0", features = ["derive"] }
tokio = "1.36"
"""
COMPOSE = """
services:
  db:
    image: "postgres:16-alpine"
  cache:
    image: registry.example:5000/redis:7.2
"""
DOCKERFILE = """
FROM --platform=linux/amd64 python:3.12-slim AS build
FROM build
COPY . .
"""
MANIFESTS = {
    "pyproject.toml": PYPROJECT,
    "package.json": PACKAGE,
    "go.mod": GO,
    "Cargo.toml": CARGO,
    "compose.yml": COMPOSE,
    ".tool-versions": "# tools\nelixir 1.17.2\nterraform 1.6.0 1.5.7\n",
    ".ruby-version": "ruby-3.3.1\n",
}


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "state", "told"),
    [
        ("requires Python >= 3.11", "true", "pyproject.toml asks for Python >=3.11"),
        ("Python 3.11 is used", "true", "pyproject.toml asks for Python >=3.11"),
        ("We use Python 3.10", "false", "pyproject.toml asks for Python >=3.11"),
        ("We use Python 3.13", "unknown", "pyproject.toml asks for Python >=3.11"),
        ("requires Python >= 3.12", "false", "pyproject.toml asks for Python >=3.11"),
        ("We no longer use Python 3.9", "true", "pyproject.toml asks for Python >=3.11"),
        ("We no longer use Python 3.11", "false", "pyproject.toml asks for Python >=3.11"),
        ("We use pydantic 2.5", "true", "pyproject.toml asks for pydantic >=2.5,<3"),
        ("We use pydantic 1.10", "false", "pyproject.toml asks for pydantic >=2.5,<3"),
        ("We use pytest 8.4", "true", "pyproject.toml asks for pytest ~=8.4"),
        ("We use ruff 0.13", "false", "pyproject.toml asks for ruff ==0.14.2"),
        ("We use rich 13.7", "unknown", ""),
        ("We ship site 0.4.1", "true", "pyproject.toml asks for site 0.4.1"),
        ("It runs on Node 20", "true", "package.json asks for Node >=20"),
        ("It runs on Node 18", "false", "package.json asks for Node >=20"),
        ("We use react 18.2", "true", "package.json asks for react ^18.2.0"),
        ("We use React 17", "false", "package.json asks for react ^18.2.0"),
        ("We use Next.js 14", "true", "package.json asks for next 14.1.0"),
        ("We use TypeScript 5", "true", "package.json asks for typescript ~5.4"),
        ("We use pnpm 8", "true", "package.json asks for pnpm 8.15.1"),
        ("The service is built with Go 1.23", "true", "go.mod asks for Go 1.23.1"),
        ("The service is built with Go 1.22", "false", "go.mod asks for Go 1.23.1"),
        ("We use gin 1.9", "true", "go.mod asks for gin v1.9.1"),
        ("We use thing 5.2", "true", "go.mod asks for thing v5.2.0"),
        ("We use Rust 1.75", "true", "Cargo.toml asks for Rust 1.75"),
        ("We use serde 1.0", "true", "Cargo.toml asks for serde 1.0"),
        ("We use tokio 2.0", "false", "Cargo.toml asks for tokio 1.36"),
        ("We use Postgres 16", "true", "compose.yml asks for postgres 16"),
        ("We use PostgreSQL 15", "false", "compose.yml asks for postgres 16"),
        ("We use Redis 7", "true", "compose.yml asks for redis 7.2"),
        ("We use Elixir 1.17", "true", ".tool-versions asks for elixir 1.17.2"),
        ("We use Terraform 1.5", "true", ".tool-versions asks for terraform 1.5.7"),
        ("We use Ruby 3.2", "false", ".ruby-version asks for ruby 3.3.1"),
        ("We use Kotlin 2.0", "unknown", ""),
        ("Staging runs Postgres 15", "unknown", "compose.yml asks for postgres 16"),
        ("Python 3.9 is planned", "unknown", "pyproject.toml asks for Python >=3.11"),
    ],
)
def test_a_version_is_compared_with_the_manifests(
    world: World, text: str, state: str, told: str
) -> None:
    for name, content in MANIFESTS.items():
        world.write(name, content)
    assert world.one(text) == (state, told)


@pytest.mark.requirement("Z06")
def test_what_is_written_down_counts_for_more_than_a_range(world: World) -> None:
    world.write("pyproject.toml", PYPROJECT)
    world.write("Dockerfile", DOCKERFILE)
    assert world.one("We use Python 3.12") == ("true", "Dockerfile asks for Python 3.12")
    assert world.one("We use Python 3.13")[0] == "unknown"
    assert world.one("We use Python 3.11")[0] == "unknown"
    assert world.one("We use Python 3.10")[0] == "false"
    world.write(".python-version", "3.13\n")
    assert world.one("We use Python 3.13")[0] == "true"


@pytest.mark.requirement("Z06")
def test_a_manifest_further_down_may_be_the_one_that_is_meant(world: World) -> None:
    world.write(".nvmrc", "v20\n")
    assert world.one("The mobile app needs Node 22") == ("false", ".nvmrc asks for Node 20")
    world.write("apps/mobile/package.json", '{"engines": {"node": "22.x"}}')
    told = "apps/mobile/package.json asks for Node 22.x"
    assert world.one("The mobile app needs Node 22") == ("unknown", told)
    assert world.one("The mobile app needs Node 16")[0] == "false"
    for number in range(20):
        world.write(f"apps/{number}/package.json", "{}")
    assert world.one("The mobile app needs Node 16")[0] == "unknown"


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", "[project\n"),
        ("pyproject.toml", 'project = "x"\ntool = 3\n'),
        ("pyproject.toml", "[project]\nrequires-python = 3\ndependencies = [3, {}]\n"),
        ("pyproject.toml", "[project]\ndependencies = 'x'\n[tool.poetry.group]\na = 1\n"),
        ("package.json", "[]"),
        ("package.json", '{"engines": ["node"], "dependencies": {"python": 3, "go": {}}}'),
        ("package.json", '{"name": 3, "packageManager": [], "engines": {"python": "x"}}'),
        ("package.json", "[" * 100_000),
        ("Cargo.toml", "[package]\nrust-version = 3\n[dependencies]\npython = [1]\n"),
        ("go.mod", "go\nrequire (\n\tpython\n)\n"),
        (".python-version", "\n\nmy-env\n"),
        (".tool-versions", "python\n\n#\n   \n"),
        ("Dockerfile", "FROM\nFROM python\nFROM python:latest\nFROM python:${TAG}\nFROM a:5/b\n"),
        ("compose.yml", "image:\nimage: python\n  image: python@sha256:" + "a" * 64 + "\n"),
        ("requirements.txt", "-r python.txt\n# python==2\npython\n@ x\n"),
        ("pyproject.toml", "#" * 300_000 + '\n[project]\nrequires-python = ">=3.12"\n'),
    ],
)
def test_a_manifest_that_is_odd_asks_for_nothing(world: World, name: str, content: str) -> None:
    world.write(name, content)
    assert world.one("We use Python 3.11") == ("unknown", "")


@pytest.mark.requirement("Z06")
def test_only_regular_files_of_the_folder_are_read(world: World, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (world.folder / "pyproject.toml").symlink_to(tmp_path / "pyproject.toml")
    os.mkfifo(world.folder / ".python-version")
    (world.folder / "Dockerfile").mkdir()
    assert world.one("We use Python 3.10") == ("unknown", "")


# --- addresses ----------------------------------------------------------------------------


@pytest.fixture
def port() -> Generator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.requirement("Z06")
def test_a_local_port_is_tried(world: World, port: int) -> None:
    told = f"something listens on localhost:{port}"
    assert world.one(f"The dev server is at http://localhost:{port}/x") == ("true", told)
    assert world.one(f"The database is at 127.0.0.1:{port}")[0] == "true"
    assert world.one(f"The database is at postgres://u:p@localhost:{port}/db")[0] == "true"


@pytest.mark.requirement("Z06")
def test_a_server_that_is_stopped_makes_no_fact_wrong(world: World) -> None:
    port = free_port()
    told = f"nothing listens on localhost:{port} now"
    assert world.one(f"The dev server is at http://localhost:{port}") == ("unknown", told)
    assert world.one(f"There is no localhost:{port}") == ("unknown", told)


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "address",
    [
        "http://example.com/x",
        "https://localhost.example:8080",
        "db.internal:5432",
        "10.0.0.5:80",
        "192.168.1.1",
        "0.0.0.0:8000",
        "http://[fe80::1]:80/",
        "http://127.0.0.1.example:80",
        "http://2130706433:80",
        "127.0.0.1",
        "ftp://localhost",
        "http://localhost:99999/",
        "http://[::1",
    ],
)
def test_no_other_machine_is_spoken_to(
    world: World, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spoken(*arguments: object, **_options: object) -> None:
        pytest.fail(f"spoke to {arguments[0]}")

    monkeypatch.setattr(socket, "create_connection", spoken)
    monkeypatch.setattr(socket, "getaddrinfo", spoken)
    claim = Claim("address", address)
    assert look([claim], str(world.folder), {}) == (Seen(claim, "unknown", ""),)


# --- all together -------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
def test_at_most_eight_claims_are_looked_up(world: World) -> None:
    names = [f"src/{number}.py" for number in range(12)]
    for name in names:
        world.write(name)
    states = world.states("See " + ", ".join(names))
    assert states == ["true"] * MOST_CLAIMS + ["unknown"] * 4
    assert look((), str(world.folder), {}) == ()


@pytest.mark.requirement("Z06")
def test_a_look_is_quick_and_changes_nothing(repos: Repositories) -> None:
    repo = repos.make("repo", *(f"pkg{number}/deep" for number in range(60)))
    for number in range(3_000):
        (repo / f"pkg{number % 60}/{number}.py").write_text("")
    for name, content in MANIFESTS.items():
        (repo / name).write_text(content)
    before = {path: path.lstat().st_mtime_ns for path in repo.rglob("*")}
    text = (
        f"On branch gone/1, src/gone.py and gone.py need Go 1.22 and Python 3.10,"
        f" at http://localhost:{free_port()} and docs/gone.md"
    )
    found = claims(text)
    assert len(found) == 7
    start = perf_counter()
    seen = look(found, str(repo), repos.environ)
    took = perf_counter() - start
    assert [one.state for one in seen] == [*["false"] * 5, "unknown", "false"]
    assert {path: path.lstat().st_mtime_ns for path in repo.rglob("*")} == before
    # Typically a tenth of that; this machine may be busy.
    assert took < 1.0
