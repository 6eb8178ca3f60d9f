"""The workspace's root, and which project a folder belongs to, on real folders and repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from memoro.bootstrap import workspace
from memoro.bootstrap.workspace import Identity, Match, find_root, identify, matches
from repositories import Repositories

NO_MATCH = Match(None, "none", ())
NOBODY = 65_534


@pytest.fixture
def repos(tmp_path: Path) -> Repositories:
    return Repositories(tmp_path)


@pytest.fixture
def environ(repos: Repositories) -> dict[str, str]:
    return repos.environ


@pytest.fixture
def register(environ: Mapping[str, str]) -> Register:
    return Register(environ)


class Register:
    """Registers folders under names, and asks which one a folder lies in."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.projects: list[tuple[str, Identity]] = []

    def add(self, name: str, folder: Path) -> Identity:
        identity = identify(str(folder), self._environ)
        self.projects.append((name, identity))
        return identity

    def match(self, folder: Path) -> Match:
        return matches(str(folder), self.projects, self._environ)


# --- the root -----------------------------------------------------------------------------


def folder_at(base: Path, relative: str) -> Path:
    folder = base / relative
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.requirement("B03")
@pytest.mark.parametrize("marker", [".git", ".agent", ".memoro"])
def test_the_nearest_folder_with_a_marker_is_the_root(tmp_path: Path, marker: str) -> None:
    folder_at(tmp_path, "outer/.git")
    folder_at(tmp_path, f"outer/inner/{marker}")
    deep = folder_at(tmp_path, "outer/inner/a/b")
    home = str(tmp_path / "home")
    assert find_root(str(deep), home) == str(tmp_path / "outer/inner")
    assert find_root(str(tmp_path / "outer/inner"), home) == str(tmp_path / "outer/inner")
    assert find_root(str(folder_at(tmp_path, "outer/other")), home) == str(tmp_path / "outer")


@pytest.mark.requirement("B03")
def test_without_a_marker_the_root_is_the_current_folder(tmp_path: Path) -> None:
    deep = folder_at(tmp_path, "a/b")
    folder_at(tmp_path, "a/.github")
    folder_at(tmp_path, "a/.gitignore")
    assert find_root(str(deep), str(tmp_path / "home")) == str(deep)


@pytest.mark.requirement("B03")
def test_the_git_file_of_a_worktree_or_submodule_is_a_marker(tmp_path: Path) -> None:
    folder_at(tmp_path, "repo/.git")
    deep = folder_at(tmp_path, "repo/tree/sub")
    (tmp_path / "repo/tree/.git").write_text("gitdir: ../.git/worktrees/tree\n")
    assert find_root(str(deep), str(tmp_path / "home")) == str(tmp_path / "repo/tree")


@pytest.mark.requirement("B03")
def test_dangling_and_circular_links_are_no_markers(tmp_path: Path) -> None:
    deep = folder_at(tmp_path, "a/b")
    folder_at(tmp_path, ".agent")
    (tmp_path / "a/.git").symlink_to("gone")
    (deep / ".agent").symlink_to(".memoro")
    (deep / ".memoro").symlink_to(".agent")
    os.mkfifo(deep / ".git")
    assert find_root(str(deep), str(tmp_path / "home")) == str(tmp_path)


@pytest.mark.requirement("B03")
@pytest.mark.parametrize("home", [".memoro", "link", "./x/../.memoro", ".memoro/"])
def test_homes_own_folder_is_no_marker(tmp_path: Path, home: str) -> None:
    folder_at(tmp_path, ".memoro/notes")
    folder_at(tmp_path, "x")
    (tmp_path / "link").symlink_to(".memoro")
    deep = folder_at(tmp_path, "work/a")
    assert find_root(str(deep), os.path.join(tmp_path, home)) == str(deep)
    assert find_root(str(tmp_path), os.path.join(tmp_path, home)) == str(tmp_path)
    inside = tmp_path / ".memoro/notes"
    assert find_root(str(inside), os.path.join(tmp_path, home)) == str(inside)


@pytest.mark.requirement("B03")
def test_home_that_is_reached_by_a_link_named_memoro_is_no_marker(tmp_path: Path) -> None:
    home = folder_at(tmp_path, "data/memory")
    (tmp_path / ".memoro").symlink_to(home)
    deep = folder_at(tmp_path, "work")
    assert find_root(str(deep), str(home)) == str(deep)


@pytest.mark.requirement("B03")
def test_another_memoro_folder_and_other_markers_beside_home_count(tmp_path: Path) -> None:
    home = folder_at(tmp_path, ".memoro")
    project = folder_at(tmp_path, "work/.memoro").parent
    assert find_root(str(folder_at(project, "a")), str(home)) == str(project)
    folder_at(tmp_path, ".agent")
    assert find_root(str(folder_at(tmp_path, "other")), str(home)) == str(tmp_path)


@pytest.mark.requirement("B03")
def test_the_walk_goes_up_from_where_a_link_leads(tmp_path: Path) -> None:
    folder_at(tmp_path, "project/.git")
    folder_at(tmp_path, "elsewhere/.agent")
    deep = folder_at(tmp_path, "elsewhere/a")
    (tmp_path / "project/link").symlink_to(deep)
    root = find_root(str(tmp_path / "project/link"), str(tmp_path / "home"))
    assert root == str(tmp_path / "elsewhere")


@contextmanager
def nested_folders(base: Path, depth: int) -> Generator[str]:
    """Folders too deep for one path; removed by hand, since pytest's own clean-up can't."""
    here = os.open(base, os.O_RDONLY)
    try:
        for _ in range(depth):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        yield str(base) + "/d" * depth
    finally:
        for _ in range(depth):
            above = os.open("..", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = above
            os.rmdir("d", dir_fd=here)
        os.close(here)


@pytest.mark.requirement("B03")
def test_ten_thousand_nested_folders(tmp_path: Path, environ: Mapping[str, str]) -> None:
    with nested_folders(tmp_path, 10_000) as deep:
        assert find_root(deep, str(tmp_path / "home")) == deep
        folder_at(tmp_path, ".git")
        assert find_root(deep, str(tmp_path / "home")) == str(tmp_path)
        assert identify(deep, environ) == Identity(deep, None, "", ())
        above = Identity(str(tmp_path), "/gone/.git", "", ())
        assert matches(deep, [("above", above)], environ) == Match("above", "path", ())


# --- identity -----------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
def test_a_plain_folder_is_its_real_path(tmp_path: Path, environ: Mapping[str, str]) -> None:
    folder_at(tmp_path, "real")
    (tmp_path / "link").symlink_to("real")
    identity = identify(str(tmp_path / "link"), environ)
    assert identity == Identity(str(tmp_path / "real"), None, "", ())


@pytest.mark.requirement("Z09")
def test_a_repository_has_its_common_dir_and_root_commit(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo = repos.empty("repo")
    root = repos.commit(repo)
    repos.commit(repo)
    (repo / "pkg/core").mkdir(parents=True)
    common_dir = str(repo / ".git")
    assert identify(str(repo), environ) == Identity(str(repo), common_dir, "", (root,))
    below = identify(str(repo / "pkg/core"), environ)
    assert below == Identity(str(repo / "pkg/core"), common_dir, "pkg/core", (root,))


@pytest.mark.requirement("Z09")
def test_several_roots_are_sorted(repos: Repositories, environ: Mapping[str, str]) -> None:
    repo = repos.empty("repo")
    roots = [repos.commit(repo)]
    for number in range(3):
        repos.git(repo, "checkout", "--quiet", "--orphan", f"other{number}")
        roots.append(repos.commit(repo))
        repos.git(repo, "checkout", "--quiet", "main")
        merge = ("merge", "--quiet", "--no-edit", "--allow-unrelated-histories")
        repos.git(repo, *merge, f"other{number}")
    assert identify(str(repo), environ).roots == tuple(sorted(roots))


@pytest.mark.requirement("Z09")
def test_a_repository_without_commits_has_no_roots(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo = repos.empty("repo")
    assert identify(str(repo), environ) == Identity(str(repo), str(repo / ".git"), "", ())


@pytest.mark.requirement("Z09")
def test_a_shallow_clone_has_no_roots(repos: Repositories, environ: Mapping[str, str]) -> None:
    source = repos.make("source")
    repos.commit(source)
    shallow = repos.clone(source, "shallow", "--depth=1")
    assert identify(str(shallow), environ) == Identity(str(shallow), str(shallow / ".git"), "", ())


@pytest.mark.requirement("Z09")
def test_worktree_and_submodule(repos: Repositories, environ: Mapping[str, str]) -> None:
    main = repos.make("main", "pkg")
    repos.git(main, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    tree = identify(str(repos.base / "tree/pkg"), environ)
    assert tree[1:] == identify(str(main / "pkg"), environ)[1:]
    assert tree.path == str(repos.base / "tree/pkg")

    library = repos.make("library")
    repos.git(main, "submodule", "--quiet", "add", f"file://{library}", "lib")
    submodule = identify(str(main / "lib"), environ)
    assert submodule.common_dir == str(main / ".git/modules/lib")
    assert submodule.subpath == ""
    assert submodule.roots == identify(str(library), environ).roots


@pytest.mark.requirement("Z09")
def test_inside_the_git_folder_and_in_a_bare_repository(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo = repos.make("repo")
    bare = repos.clone(repo, "bare.git", "--bare")
    for folder in (repo / ".git", bare):
        assert identify(str(folder), environ) == Identity(str(folder), None, "", ())


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("name", ["with space", "日本語", "été", "-c", "qu'ote\"", "back\\slash"])
def test_odd_folder_names(repos: Repositories, environ: Mapping[str, str], name: str) -> None:
    repo = repos.make("repo", name)
    identity = identify(str(repo / name), environ)
    assert identity[:3] == (str(repo / name), str(repo / ".git"), name)
    assert len(identity.roots) == 1


@pytest.mark.requirement("Z09")
def test_a_name_with_a_line_end_is_known_by_its_path(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    folder = repos.make("repo", "two\nlines") / "two\nlines"
    assert identify(str(folder), environ) == Identity(str(folder), None, "", ())


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("path", ["", "empty", ".", ":", "bin:."])
def test_git_is_not_looked_up_in_the_project(
    repos: Repositories,
    environ: Mapping[str, str],
    path: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo = repos.make("repo", "bin")
    trap = repo / "git"
    trap.write_text(f"#!/bin/sh\n: > {repo}/trapped\n")
    trap.chmod(0o755)
    shutil.copy2(trap, repo / "bin/git")
    monkeypatch.chdir(repo)
    # "empty" stands for a folder without git.
    search = str(folder_at(repos.base, "empty")) if path == "empty" else path
    plain = Identity(str(repo), None, "", ())
    assert identify(str(repo), {**environ, "PATH": search}) == plain
    assert not (repo / "trapped").exists()


@pytest.mark.requirement("Z09")
def test_a_git_that_hangs_or_fails_leaves_the_path(
    repos: Repositories, environ: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repos.make("repo")
    fake = folder_at(repos.base, "fake") / "git"
    plain = Identity(str(repo), None, "", ())
    elsewhere = {**environ, "PATH": f"{fake.parent}:/usr/bin:/bin"}
    monkeypatch.setattr(workspace, "_GIT_TIMEOUT_SECONDS", 0.2)
    for script in ("exec sleep 60", "exit 1", "echo --odd", "kill -9 $$", "echo true; exit 128"):
        fake.write_text(f"#!/bin/sh\n{script}\n")
        fake.chmod(0o755)
        assert identify(str(repo), elsewhere) == plain, script
    fake.chmod(0o644)
    assert identify(str(repo), {**environ, "PATH": str(fake.parent)}) == plain


@pytest.mark.requirement("Z09")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_that_git_refuses_is_known_by_its_path(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo = repos.make("repo")
    for path in (repo, repo / ".git"):
        os.chown(path, NOBODY, NOBODY)
    assert identify(str(repo), environ) == Identity(str(repo), None, "", ())


@pytest.mark.requirement("Z09")
def test_git_variables_of_the_caller_do_not_count(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo, other = repos.make("repo"), repos.make("other")
    misled = {
        **environ,
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_CEILING_DIRECTORIES": str(repo),
        "GIT_TRACE": str(repos.base / "trace"),
    }
    assert identify(str(repo), misled) == identify(str(repo), environ)
    assert not (repos.base / "trace").exists()


@pytest.mark.requirement("Z09")
def test_asking_writes_nothing_and_runs_nothing(repos: Repositories, register: Register) -> None:
    repo = repos.make("repo")
    trap = f"sh -c ': > {repos.base}/trapped'"
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"):
        repos.git(repo, "config", name, trap)
    before = {path: path.lstat().st_mtime_ns for path in repo.rglob("*")}
    register.add("repo", repo)
    register.match(repos.make("other"))
    assert {path: path.lstat().st_mtime_ns for path in repo.rglob("*")} == before
    assert not (repos.base / "trapped").exists()


# --- which project ------------------------------------------------------------------------


def no_git(*_arguments: object, **_options: object) -> NoReturn:
    pytest.fail("git was started")


@pytest.mark.requirement("Z09")
def test_the_deepest_registered_folder_wins_without_git(
    tmp_path: Path,
    repos: Repositories,
    register: Register,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo = repos.make("repo", "pkg/core")
    register.add("outer", tmp_path)
    register.add("pkg", repo / "pkg")
    register.add("repo", repo)
    monkeypatch.setattr(subprocess, "run", no_git)
    (tmp_path / "link").symlink_to(repo / "pkg")
    assert register.match(repo / "pkg/core") == Match("pkg", "path", ())
    assert register.match(repo / "pkg") == Match("pkg", "path", ())
    assert register.match(repo) == Match("repo", "path", ())
    assert register.match(tmp_path) == Match("outer", "path", ())
    assert register.match(tmp_path / "link/core") == Match("pkg", "path", ())


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("registered", "other"),
    [
        ("a/b", "a/bc"),
        ("a/bc", "a/b"),
        ("a-b/c", "a/b-c"),
        ("a/b-c", "a-b/c"),
        ("a.b", "a-b"),
        ("a_b", "a b"),
        ("Proj", "proj"),
        ("项目甲", "项目乙"),
        ("日本", "中国"),
        ("e\u0301", "\u00e9"),
        ("x/y", "x"),
    ],
)
def test_look_alike_paths_are_two_projects(
    tmp_path: Path, register: Register, registered: str, other: str
) -> None:
    first, second = folder_at(tmp_path, registered), folder_at(tmp_path, other)
    if first.samefile(second):
        pytest.skip("this disk takes the two names for one")
    register.add("first", first)
    assert register.match(second) == NO_MATCH
    assert register.match(folder_at(second, "deep")) == NO_MATCH or second in first.parents
    assert register.match(folder_at(first, "deep")) == Match("first", "path", ())
    register.add("second", second)
    assert register.match(second) == Match("second", "path", ())
    assert register.match(first) == Match("first", "path", ())


@pytest.mark.requirement("Z09")
def test_the_file_systems_root_contains_everything(tmp_path: Path, register: Register) -> None:
    register.add("all", Path("/"))
    assert register.match(tmp_path) == Match("all", "path", ())
    register.add("here", tmp_path)
    assert register.match(tmp_path / "gone") == Match("here", "path", ())


@pytest.mark.requirement("Z09")
def test_another_spelling_of_the_same_folder(
    tmp_path: Path, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a disk that ignores case does: two spellings, one inode, no link to resolve.
    project = folder_at(tmp_path, "Proj/deep").parent
    register.add("project", project)
    real_stat = os.stat
    other = str(tmp_path / "proj")

    def ignoring_case(path: str) -> os.stat_result:
        return real_stat(path.replace(other, str(project)))

    monkeypatch.setattr(os, "stat", ignoring_case)
    assert register.match(tmp_path / "proj/deep") == Match("project", "path", ())


@pytest.mark.requirement("Z09")
def test_a_project_that_moved_and_left_a_link(tmp_path: Path, register: Register) -> None:
    project = folder_at(tmp_path, "old")
    register.add("project", project)
    project.rename(tmp_path / "new")
    assert register.match(tmp_path / "new") == NO_MATCH
    project.symlink_to("new")
    assert register.match(tmp_path / "new") == Match("project", "path", ())


@pytest.mark.requirement("Z09")
def test_one_folder_under_two_names_is_not_guessed(tmp_path: Path, register: Register) -> None:
    register.add("two", tmp_path)
    register.add("one", tmp_path)
    assert register.match(tmp_path) == Match(None, "path", ("one", "two"))


@pytest.mark.requirement("Z09")
def test_a_worktree_belongs_to_its_project(repos: Repositories, register: Register) -> None:
    repo = repos.make("repo", "pkg/core", "pkg-b")
    register.add("repo", repo)
    register.add("pkg", repo / "pkg")
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    tree = repos.base / "tree"
    assert register.match(tree) == Match("repo", "worktree", ())
    assert register.match(tree / "pkg/core") == Match("pkg", "worktree", ())
    assert register.match(tree / "pkg-b") == Match("repo", "worktree", ())


@pytest.mark.requirement("Z09")
def test_worktrees_of_a_bare_repository(repos: Repositories, register: Register) -> None:
    bare = repos.clone(repos.make("source"), "project/repo.git", "--bare")
    for name in ("one", "two"):
        repos.git(bare, "worktree", "add", "--quiet", f"../{name}", "-b", name)
    register.add("project", bare.parent / "one")
    assert register.match(bare.parent / "two") == Match("project", "worktree", ())


@pytest.mark.requirement("Z09")
def test_only_the_registered_part_of_a_monorepo_matches(
    repos: Repositories, register: Register
) -> None:
    repo = repos.make("repo", "pkg/core", "pkg-b")
    register.add("pkg", repo / "pkg")
    clone = repos.clone(repo, "clone")
    assert register.match(repo / "pkg-b") == NO_MATCH
    assert register.match(clone) == NO_MATCH
    assert register.match(clone / "pkg-b") == NO_MATCH
    assert register.match(clone / "pkg/core") == Match("pkg", "history", ())


@pytest.mark.requirement("Z09")
def test_a_clone_and_a_renamed_folder_keep_the_project(
    repos: Repositories, register: Register
) -> None:
    repo = repos.make("repo", "pkg")
    register.add("repo", repo)
    register.add("unrelated", repos.make("unrelated"))
    clone = repos.clone(repo, "clone")
    repos.commit(clone)
    assert register.match(clone / "pkg") == Match("repo", "history", ())
    clone.rename(repos.base / "renamed-clone")
    assert register.match(repos.base / "renamed-clone") == Match("repo", "history", ())
    repo.rename(repos.base / "moved")
    assert register.match(repos.base / "moved") == Match("repo", "history", ())


@pytest.mark.requirement("Z09")
def test_a_missing_folder_still_matches_by_git(repos: Repositories, register: Register) -> None:
    repo = repos.make("repo", "pkg")
    register.add("pkg", repo / "pkg")
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    clone = repos.clone(repo, "clone")
    shutil.rmtree(repo / "pkg")
    assert register.match(repo / "pkg") == NO_MATCH
    assert register.match(repos.base / "tree/pkg") == Match("pkg", "worktree", ())
    shutil.rmtree(repo)
    assert register.match(clone / "pkg") == Match("pkg", "history", ())


@pytest.mark.requirement("Z09")
def test_a_fork_of_two_registered_projects_is_not_guessed(
    repos: Repositories, register: Register
) -> None:
    upstream = repos.make("upstream", "pkg")
    fork = repos.clone(upstream, "fork")
    register.add("upstream", upstream)
    register.add("fork", fork)
    third = repos.clone(fork, "third")
    assert register.match(third / "pkg") == Match(None, "history", ("fork", "upstream"))
    repos.git(fork, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    assert register.match(repos.base / "tree") == Match("fork", "worktree", ())
    register.add("pkg", upstream / "pkg")
    assert register.match(third / "pkg") == Match("pkg", "history", ())


@pytest.mark.requirement("Z09")
def test_one_project_known_from_two_clones_is_no_ambiguity(
    repos: Repositories, register: Register
) -> None:
    repo = repos.make("repo")
    register.add("repo", repo)
    register.add("repo", repos.clone(repo, "clone"))
    assert register.match(repos.clone(repo, "third")) == Match("repo", "history", ())


@pytest.mark.requirement("Z09")
def test_a_repository_that_took_in_another_is_not_the_other(
    repos: Repositories, register: Register
) -> None:
    library, application = repos.make("library"), repos.make("application")
    repos.git(application, "fetch", "--quiet", f"file://{library}", "main")
    merge = ("merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "FETCH_HEAD")
    repos.git(application, *merge)
    assert len(register.add("application", application).roots) == 2
    assert register.match(repos.clone(library, "clone")) == NO_MATCH
    assert register.match(repos.clone(application, "again")) == Match("application", "history", ())


@pytest.mark.requirement("Z09")
def test_a_shallow_clone_does_not_pass_for_another_history(
    repos: Repositories, register: Register
) -> None:
    source = repos.make("source")
    repos.commit(source)
    shallow = repos.clone(source, "shallow", "--depth=1")
    register.add("shallow", shallow)
    assert register.match(repos.clone(source, "full")) == NO_MATCH
    register.add("source", source)
    assert register.match(repos.clone(source, "other", "--depth=1")) == NO_MATCH
    repos.git(shallow, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    assert register.match(repos.base / "tree") == Match("shallow", "worktree", ())


@pytest.mark.requirement("Z09")
def test_a_submodule_is_its_own_project(repos: Repositories, register: Register) -> None:
    outer, library = repos.make("outer"), repos.make("library")
    repos.git(outer, "submodule", "--quiet", "add", f"file://{library}", "lib")
    repos.commit(outer)
    register.add("library", library)
    assert register.match(outer / "lib") == Match("library", "history", ())
    assert register.match(outer) == NO_MATCH


@pytest.mark.requirement("Z09")
def test_a_partial_clone_does_not_ask_its_remote(repos: Repositories, register: Register) -> None:
    source = repos.make("source", "pkg")
    repos.git(source, "config", "uploadpack.allowFilter", "true")
    register.add("unrelated", repos.make("unrelated"))
    partial = repos.clone(source, "partial", "--filter=blob:none")
    trap = repos.base / "trap"
    trap.write_text(f"#!/bin/sh\n: > {repos.base}/trapped\nexit 1\n")
    trap.chmod(0o755)
    repos.git(partial, "config", "remote.origin.uploadpack", str(trap))
    assert register.match(partial) == NO_MATCH
    register.add("source", source)
    assert register.match(partial / "pkg") == Match("source", "history", ())
    assert not (repos.base / "trapped").exists()


@pytest.mark.requirement("Z09")
def test_hashes_that_are_none_are_not_given_to_git(
    repos: Repositories, environ: Mapping[str, str]
) -> None:
    repo = repos.make("repo")
    for root in ("HEAD", "main", "--all", "x\n" * 20, "é" * 40, ""):
        forged = Identity("/gone", "/gone/.git", "", (root,))
        assert matches(str(repo), [("forged", forged)], environ) == NO_MATCH


@pytest.mark.requirement("Z09")
def test_git_is_started_only_where_it_can_help(
    tmp_path: Path,
    repos: Repositories,
    environ: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    repo, plain = repos.make("repo"), folder_at(tmp_path, "plain")
    with_git = ("with", Identity("/gone", "/gone/.git", "", ("a" * 40,)))
    without_git = ("without", Identity("/gone/too", None, "", ()))
    monkeypatch.setattr(subprocess, "run", no_git)
    assert matches(str(repo), [], environ) == NO_MATCH
    assert matches(str(repo), [without_git], environ) == NO_MATCH
    assert matches(str(plain), [with_git, without_git], environ) == NO_MATCH


@pytest.mark.requirement("Z09")
def test_without_git_on_the_path_only_paths_match(
    repos: Repositories, register: Register, environ: Mapping[str, str]
) -> None:
    repo = repos.make("repo")
    register.add("repo", repo)
    clone = repos.clone(repo, "clone")
    bare = {**environ, "PATH": str(folder_at(repos.base, "empty"))}
    assert matches(str(clone), register.projects, bare) == NO_MATCH
    assert matches(str(repo), register.projects, bare) == Match("repo", "path", ())
