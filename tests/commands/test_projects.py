"""`memoro project`, and what belongs to a project."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from commands.here import Here


class Git:
    """Makes real repositories; each commit has a message, so a hash, of its own."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._commits = 0

    def __call__(self, folder: Path, *words: str) -> None:
        settings = (
            *("-c", "user.name=Test", "-c", "user.email=test@example.org"),
            *("-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false"),
            *("-c", "protocol.file.allow=always"),
        )
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.base), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(
            ("git", *settings, *words), cwd=folder, env=environ, check=True, capture_output=True
        )

    def repository(self, name: str) -> Path:
        folder = self.base / name
        folder.mkdir()
        self(folder, "init", "--quiet")
        self.commit(folder)
        return folder

    def commit(self, folder: Path) -> None:
        self._commits += 1
        message = f"commit {self._commits} of {self.base}"
        self(folder, "commit", "--quiet", "--allow-empty", "--message", message)


@pytest.fixture
def git(here: Here) -> Git:
    return Git(here.root)


def project_of(here: Here, folder: Path, *words: str) -> str | None:
    """The project that a chat in that folder would belong to."""
    return here.json("context", "show", *words, cwd=folder)["project"]


def folder_at(here: Here, *names: str) -> Path:
    folder = here.folder.joinpath(*names)
    folder.mkdir(parents=True)
    return folder


@pytest.mark.requirement("P19")
def test_add_list_and_remove(here: Here) -> None:
    site = folder_at(here, "site")
    given = here.json("project", "add", "web", "site")
    assert given == {"name": "web", "path": str(site), "change": 1}
    here.ok("project", "add", "here")
    here.ok("memory", "remember", "--project", "web", "a", "v")
    here.ok("note", "add", "--project", "web", "Title", "text")
    assert here.json("project", "list") == [
        {"name": "here", "path": str(here.folder), "missing": False, "facts": 0, "notes": 0},
        {"name": "web", "path": str(site), "missing": False, "facts": 1, "notes": 1},
    ]
    assert here.ok("project", "list").out.splitlines() == [
        f"here\t{here.folder}\t0\t0",
        f"web\t{site}\t1\t1",
    ]
    here.ok("project", "remove", "here")
    assert [one["name"] for one in here.json("project", "list")] == ["web"]
    assert here.folder.is_dir()


@pytest.mark.requirement("P19")
@pytest.mark.parametrize(
    ("name", "code"), [("", 2), ("a b", 2), ("-x", 2), ("é", 2), ("*", 2), ("n" * 129, 7)]
)
def test_names_of_projects_are_like_keys(here: Here, name: str, code: int) -> None:
    ran = here.refused("project", "add", "--", name)
    assert ran.code == code
    assert "project name" in ran.err


@pytest.mark.requirement("P19")
def test_the_name_that_was_refused_is_shown_as_it_was_typed(here: Here) -> None:
    assert "'.monkey' is not a project name" in here.refused("project", "add", ".monkey").err
    here.ok("project", "add", "n" * 128)


@pytest.mark.requirement("P19")
def test_a_folder_that_is_not_there(here: Here) -> None:
    (here.folder / "file").write_text("x")
    for path in ("nowhere", "file", "/nowhere/at/all"):
        assert here.refused("project", "add", "web", path).code == 3


@pytest.mark.requirement("P19")
def test_a_folder_has_one_project(here: Here) -> None:
    site = folder_at(here, "site")
    (here.folder / "link").symlink_to(site)
    here.ok("project", "add", "web", "site")
    for path in ("site", "site/", "./site/../site", "link", str(site)):
        ran = here.refused("project", "add", "other", path)
        assert ran.code == 4
        assert "is the project web already" in ran.err
    ran = here.refused("project", "add", "web", "site")
    assert ran.code == 4
    assert "there is already a project web" in ran.err
    ran = here.refused("project", "add", "web", ".")
    assert ran.code == 4
    assert "memoro project remove web" in ran.err
    here.ok("project", "add", "outer", ".")


@pytest.mark.requirement("P19")
def test_a_project_that_is_not_there(here: Here) -> None:
    here.ok("project", "add", "web")
    words = [
        ("memory", "remember", "--project", "nope", "a", "v"),
        ("memory", "replace", "--project", "nope", "a", "v"),
        ("memory", "forget", "--project", "nope", "a"),
        ("memory", "list", "--project", "nope"),
        ("memory", "history", "a", "--project", "Web"),
        ("note", "add", "t", "x", "--project", "nope"),
        ("note", "list", "--project", "web "),
        ("note", "search", "x", "--project", "%"),
        ("project", "remove", "nope"),
        ("context", "show", "--project", "nope"),
    ]
    for each in words:
        ran = here.refused(*each)
        assert ran.code == 3
        assert "there is no project" in ran.err
        assert "memoro project add" in ran.err


@pytest.mark.requirement("P21")
def test_a_missing_folder_is_marked_and_its_facts_are_kept(here: Here) -> None:
    site = folder_at(here, "site")
    here.ok("project", "add", "web", "site")
    here.ok("memory", "remember", "--project", "web", "a", "v")
    here.ok("memory", "remember", "--project", "web", "b", "w")
    assert "missing" not in here.ok("memory", "list", "--project", "web").out
    shutil.rmtree(site)
    ran = here.ok("memory", "list", "--project", "web")
    assert ran.out.splitlines()[-1] == (
        f"the folder of project web, {site}, is missing; its facts are kept"
    )
    assert ran.out.startswith("a\tv\t")
    ran = here.ok("memory", "list", "--project", "web", "--json")
    assert [one["key"] for one in ran.json] == ["a", "b"]
    assert "is missing" in ran.err
    (project,) = here.json("project", "list")
    assert (project["missing"], project["facts"]) == (True, 2)
    assert f"{site} (missing)" in here.ok("project", "list").out
    here.ok("memory", "forget", "--project", "web", "a")
    here.ok("memory", "replace", "--project", "web", "b", "x")
    assert here.facts("--project", "web") == {"b": "x"}
    site.write_text("now a file")
    assert here.json("project", "list")[0]["missing"] is True


@pytest.mark.requirement("P21")
def test_removing_a_project_keeps_what_it_remembers(here: Here) -> None:
    site, other = folder_at(here, "site"), folder_at(here, "other")
    here.ok("project", "add", "web", "site")
    here.ok("memory", "remember", "--project", "web", "a", "v")
    given = here.json("project", "remove", "web")
    assert given == {"name": "web", "kept": True, "change": 3}
    assert here.facts("--project", "web") == {"a": "v"}
    assert "no folder any more" in here.ok("memory", "list", "--project", "web").out
    assert here.json("project", "list")[0]["path"] is None
    assert project_of(here, site) is None
    assert here.refused("project", "remove", "web").code == 4
    here.ok("project", "add", "web", "other")
    assert project_of(here, other) == "web"
    assert here.facts("--project", "web") == {"a": "v"}
    here.ok("memory", "forget", "--project", "web", "a")
    assert here.json("project", "remove", "web")["kept"] is False
    assert here.json("project", "list") == []


@pytest.mark.requirement("Z03")
def test_adding_and_removing_can_be_undone(here: Here) -> None:
    here.ok("project", "add", "web")
    here.ok("memory", "undo")
    assert here.json("project", "list") == []
    here.ok("memory", "undo", "2")
    here.ok("memory", "remember", "--project", "web", "a", "v")
    assert here.refused("memory", "undo", "3").code == 4
    here.ok("project", "remove", "web")
    assert project_of(here, here.folder) is None
    here.ok("memory", "undo")
    assert project_of(here, here.folder) == "web"
    assert here.facts("--project", "web") == {"a": "v"}


@pytest.mark.requirement("P19", "Z09")
def test_the_folder_counts_for_chats_alone(here: Here) -> None:
    deep = folder_at(here, "site", "src")
    here.ok("project", "add", "web", "site")
    here.ok("memory", "remember", "a", "everywhere")
    here.ok("memory", "remember", "--project", "web", "a", "there")
    assert project_of(here, deep) == "web"
    assert project_of(here, deep, "--no-project") is None
    assert project_of(here, here.folder) is None
    assert project_of(here, here.folder, "--project", "web") == "web"
    assert here.json("memory", "list", cwd=deep)[0]["value"] == "everywhere"
    here.ok("memory", "remember", "b", "v", cwd=deep)
    here.ok("note", "add", "t", "x", cwd=deep)
    assert set(here.facts()) == {"a", "b"}
    assert set(here.facts("--project", "web")) == {"a"}
    assert here.json("note", "list", "--project", "web") == []


@pytest.mark.requirement("P20")
def test_a_chat_in_a_project_reads_both_scopes(here: Here) -> None:
    here.ok("project", "add", "web")
    folder_at(here, "other")
    here.ok("project", "add", "other", "other")
    here.ok("memory", "remember", "a", "FACT-GLOBAL")
    here.ok("memory", "remember", "--project", "web", "a", "FACT-WEB")
    here.ok("memory", "remember", "--project", "other", "a", "FACT-OTHER")
    system = here.json("context", "show", "--project", "web")["system"]
    assert (system.count("FACT-GLOBAL"), system.count("FACT-WEB")) == (1, 1)
    assert "FACT-OTHER" not in system
    system = here.json("context", "show", "--no-project")["system"]
    assert "FACT-GLOBAL" in system
    assert "FACT-WEB" not in system


@pytest.mark.requirement("Z09")
def test_the_innermost_project_counts(here: Here) -> None:
    inner = folder_at(here, "mono", "packages", "ui")
    here.ok("project", "add", "mono", "mono")
    here.ok("project", "add", "ui", str(inner))
    assert project_of(here, inner) == "ui"
    assert project_of(here, inner.parent) == "mono"


@pytest.mark.requirement("Z09")
def test_worktrees_clones_and_renamed_folders_are_the_same_project(here: Here, git: Git) -> None:
    repository = git.repository("app")
    here.ok("project", "add", "app", str(repository))
    git(repository, "worktree", "add", "--quiet", str(here.root / "tree"))
    git(here.root, "clone", "--quiet", f"file://{repository}", "clone")
    for folder in ("tree", "clone"):
        assert project_of(here, here.root / folder) == "app"
        # Never for commands: those say which project they mean.
        assert here.json("memory", "list", cwd=here.root / folder) == []
    assert "its git" in here.ok("context", "show", cwd=here.root / "clone").err
    renamed = repository.rename(here.root / "renamed")
    assert project_of(here, renamed) == "app"
    stranger = git.repository("stranger")
    assert project_of(here, stranger) is None


@pytest.mark.requirement("Z09")
def test_a_clone_that_could_be_two_projects_is_neither(here: Here, git: Git) -> None:
    repository = git.repository("one")
    git(here.root, "clone", "--quiet", f"file://{repository}", "two")
    here.ok("project", "add", "one", str(repository))
    here.ok("project", "add", "two", str(here.root / "two"))
    git(here.root, "clone", "--quiet", f"file://{repository}", "three")
    ran = here.ok("context", "show", "--json", cwd=here.root / "three")
    assert ran.json["project"] is None
    assert "one, two" in ran.err


@pytest.mark.requirement("Z09")
def test_folders_that_look_alike_are_projects_of_their_own(here: Here) -> None:
    names = [
        "倉庫",
        "帳簿",
        "a-b/c",
        "a/b-c",
        "my_proj",
        "my.proj",
        "My_proj",
        "cafe\u0301",
        "café",
    ]
    for number, name in enumerate(names):
        folder = here.folder / name
        (folder / ".git").mkdir(parents=True)
        here.ok("project", "add", f"p{number}", ".", cwd=folder)
        here.ok("memory", "remember", "--project", f"p{number}", "mark", f"MARK-{number}.")
    for number, name in enumerate(names):
        given = here.json("context", "show", cwd=here.folder / name)
        assert given["project"] == f"p{number}"
        marks = [other for other in range(len(names)) if f"MARK-{other}." in given["system"]]
        assert marks == [number]
        assert here.facts("--project", f"p{number}") == {"mark": f"MARK-{number}."}


@pytest.mark.requirement("P19")
def test_a_project_called_global_is_not_the_global_scope(here: Here) -> None:
    here.ok("project", "add", "global")
    here.ok("memory", "remember", "--project", "global", "a", "project")
    here.ok("memory", "remember", "a", "everywhere")
    assert here.facts() == {"a": "everywhere"}
    assert here.facts("--project", "global") == {"a": "project"}


def test_a_folder_whose_name_is_no_text(here: Here) -> None:
    folder = os.fsencode(here.folder) + b"/\xff"
    os.mkdir(folder)
    ran = here("project", "add", "web", ".", cwd=Path(os.fsdecode(folder)))
    assert ran.code == 2
    assert "not UTF-8 text" in ran.err
    assert here.json("project", "list") == []
