"""Which branch a folder is on, and what was merged, on real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from memoro.bootstrap.branches import (
    branch_of,
    default_branch,
    has_commits,
    is_merged,
    own_tip,
    tip_of,
)
from memoro.bootstrap.refs import git_folders, is_branch_name, remotes_with
from repositories import Repositories


@pytest.fixture
def repos(tmp_path: Path) -> Repositories:
    return Repositories(tmp_path)


@pytest.fixture
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, starting git fails the test."""

    def started(*_arguments: object, **_options: object) -> NoReturn:
        pytest.fail("git was started")

    monkeypatch.setattr(subprocess, "run", started)


def on(repos: Repositories, folder: Path) -> str | None:
    return branch_of(str(folder), repos.environ)


def merged(
    repos: Repositories, folder: Path, branch: str, remembered: str | None = None
) -> bool | None:
    return is_merged(str(folder), branch, repos.environ, remembered)


def tip(repos: Repositories, folder: Path, branch: str) -> str | None:
    return tip_of(str(folder), branch, repos.environ)


# --- the current branch -------------------------------------------------------------------


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("name", ["topic", "feature/login", "a/b/c", "release-2.1", "größe", "v1"])
def test_the_current_branch(repos: Repositories, name: str, request: pytest.FixtureRequest) -> None:
    repo = repos.make("repo", "deep/er")
    repos.branch(repo, name)
    request.getfixturevalue("no_git")
    assert on(repos, repo) == name
    assert on(repos, repo / "deep/er") == name


@pytest.mark.requirement("Z09")
def test_a_branch_without_commits(repos: Repositories) -> None:
    repo = repos.empty("repo")
    assert on(repos, repo) == "main"
    assert tip(repos, repo, "main") is None
    assert default_branch(str(repo), repos.environ) is None
    assert merged(repos, repo, "main") is None


@pytest.mark.requirement("Z09")
def test_a_detached_head_is_on_no_branch(repos: Repositories) -> None:
    repo = repos.make("repo")
    repos.git(repo, "checkout", "--quiet", "--detach")
    assert on(repos, repo) is None


@pytest.mark.requirement("Z09")
def test_a_folder_without_git_is_on_no_branch(tmp_path: Path, repos: Repositories) -> None:
    assert on(repos, tmp_path) is None
    assert on(repos, tmp_path / "gone") is None
    assert tip(repos, tmp_path, "main") is None
    assert merged(repos, tmp_path, "main") is None
    assert default_branch(str(tmp_path), repos.environ) is None


@pytest.mark.requirement("Z09")
def test_each_worktree_is_on_its_own(repos: Repositories) -> None:
    repo = repos.make("repo", "pkg")
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "-b", "fix/1")
    assert on(repos, repos.base / "tree/pkg") == "fix/1"
    assert on(repos, repo) == "main"
    assert tip(repos, repos.base / "tree", "main") == tip(repos, repo, "fix/1") is not None


@pytest.mark.requirement("Z09")
def test_a_submodule_is_on_its_own(repos: Repositories) -> None:
    outer, library = repos.make("outer"), repos.make("library")
    repos.branch(library, "stable")
    repos.git(outer, "submodule", "--quiet", "add", f"file://{library}", "lib")
    assert on(repos, outer / "lib") == "stable"
    assert on(repos, outer) == "main"


@pytest.mark.requirement("Z09")
def test_a_marker_that_is_no_repository_is_passed_by_as_git_does(repos: Repositories) -> None:
    repo = repos.make("repo", "inner")
    (repo / "inner/.git").mkdir()
    assert on(repos, repo / "inner") == "main"
    (repo / "inner/.git/HEAD").write_text("ref: refs/heads/other\n")
    assert on(repos, repo / "inner") == "main"


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    "marker", ["", "gitdir: ", "gitdir: ../gone", "../.git", "gitdir: \0", "x" * 300_000]
)
def test_a_git_file_that_leads_nowhere(repos: Repositories, marker: str) -> None:
    repo = repos.make("repo", "inner")
    (repo / "inner/.git").write_text(marker)
    assert on(repos, repo / "inner") is None


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"main\n",
        b"ref: \n",
        b"ref: ../../x\n",
        b"\xff\xfe",
        b"ref: refs/heads/\xff\n",
        b"0" * 40,
    ],
)
def test_an_odd_head_is_no_branch(repos: Repositories, text: bytes) -> None:
    repo = repos.make("repo")
    (repo / ".git/HEAD").write_bytes(text)
    assert on(repos, repo) is None


@pytest.mark.requirement("Z09")
def test_a_head_that_is_no_file_is_not_waited_for(repos: Repositories) -> None:
    repo = repos.make("repo")
    (repo / ".git/HEAD").unlink()
    os.mkfifo(repo / ".git/HEAD")
    assert on(repos, repo) is None


@pytest.mark.requirement("Z09")
def test_git_is_asked_where_the_refs_lie_in_a_table(repos: Repositories) -> None:
    # A git that writes such tables is newer than those we test with, so this one is played.
    repo = repos.make("repo")
    (repo / ".git/reftable").mkdir()
    (repo / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    played = repos.base / "bin/git"
    played.parent.mkdir()
    played.write_text(
        "#!/bin/sh\n"
        'case "$*" in\n'
        "*symbolic-ref*refs/remotes*) echo refs/remotes/origin/trunk;;\n"
        "*symbolic-ref*HEAD) echo refs/heads/topic/1;;\n"
        f"*rev-parse*refs/heads/topic/1) echo {'a' * 40};;\n"
        "*) exit 1;;\n"
        "esac\n"
    )
    played.chmod(0o755)
    environ = {**repos.environ, "PATH": f"{played.parent}:{repos.environ['PATH']}"}
    assert branch_of(str(repo), environ) == "topic/1"
    assert default_branch(str(repo), environ) == "trunk"
    assert tip_of(str(repo), "topic/1", environ) == "a" * 40
    assert tip_of(str(repo), "other", environ) is None
    git = git_folders(str(repo))
    assert git is not None and remotes_with(git, "topic/1") is None


# --- tips ---------------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
def test_a_tip_is_read_from_its_file_or_from_the_packed_refs(
    repos: Repositories, request: pytest.FixtureRequest
) -> None:
    repo = repos.make("repo")
    first = repos.branch(repo, "feature/one")
    second = repos.branch(repo, "feature/one-more")
    repos.git(repo, "tag", "-a", "v1", "-m", "v1")
    repos.git(repo, "pack-refs", "--all")
    assert not (repo / ".git/refs/heads/feature").exists()
    third = repos.branch(repo, "third")
    request.getfixturevalue("no_git")
    assert tip(repos, repo, "feature/one") == first
    assert tip(repos, repo, "feature/one-more") == second
    assert tip(repos, repo, "third") == third
    for other in ("one", "feature", "feature/on", "v1", "HEAD", "feature/one."):
        assert tip(repos, repo, other) is None, other


@pytest.mark.requirement("Z09")
def test_a_branch_that_only_the_remote_has(repos: Repositories) -> None:
    source = repos.make("source")
    there = repos.branch(source, "topic/x")
    repos.git(source, "checkout", "--quiet", "main")
    clone = repos.clone(source, "clone")
    assert tip(repos, clone, "topic/x") == there
    git = git_folders(str(clone))
    assert git is not None and remotes_with(git, "topic/x") == ("origin",)
    assert remotes_with(git, "topic") == () == remotes_with(git, "x")


@pytest.mark.requirement("Z09")
def test_more_packed_refs_than_are_read_are_left_to_git(repos: Repositories) -> None:
    repo = repos.make("repo")
    commit = repos.branch(repo, "topic")
    lines = "".join(f"create refs/heads/many/{number:05} {commit}\n" for number in range(5_000))
    subprocess.run(
        ("git", "update-ref", "--stdin"),
        cwd=repo,
        env=repos.environ,
        input=lines.encode(),
        check=True,
    )
    repos.git(repo, "pack-refs", "--all")
    assert (repo / ".git/packed-refs").stat().st_size > 262_144
    assert tip(repos, repo, "many/04999") == commit
    assert tip(repos, repo, "many/05000") is None


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    "name",
    [
        "", "@", "-x", "--all", "a..b", "/etc/passwd", "../../HEAD", "a/../b", "a b", "a~1", "a^",
        "a:b", "a?", "a*", "a[", "a\\b", "a.lock", "a/.b", ".a", "a/", "a//b", "a.", "a@{1}",
        "a\0b", "a\nb", "a\x7f",
    ],
)  # fmt: skip
def test_what_git_takes_for_no_branch_is_none(repos: Repositories, name: str) -> None:
    repo = repos.make("repo")
    assert not is_branch_name(name)
    assert tip(repos, repo, name) is None
    assert merged(repos, repo, name, "a" * 40) is None
    if "\0" not in name:
        checked = subprocess.run(
            ("git", "check-ref-format", "refs/heads/" + name), env=repos.environ, check=False
        )
        # Git allows two of them as refs, and not as the name of a branch.
        assert checked.returncode or name in ("-x", "--all", "@")


# --- merged -------------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("how", ["--no-ff", "--ff-only"])
@pytest.mark.parametrize("name", ["topic", "feature/login"])
def test_a_branch_is_merged_once_it_is(repos: Repositories, how: str, name: str) -> None:
    repo = repos.make("repo")
    repos.branch(repo, name, commits=2)
    assert merged(repos, repo, name) is False
    repos.git(repo, "checkout", "--quiet", "main")
    assert merged(repos, repo, name) is False
    repos.merge(repo, name, "main", how)
    assert merged(repos, repo, name) is True
    repos.commit(repo)
    repos.git(repo, "pack-refs", "--all")
    assert merged(repos, repo, name) is True
    repos.git(repo, "checkout", "--quiet", name)
    assert merged(repos, repo, name) is True
    repos.commit(repo)
    assert merged(repos, repo, name) is False


@pytest.mark.requirement("Z09")
def test_a_branch_that_was_only_just_made_is_not_merged(repos: Repositories) -> None:
    repo = repos.make("repo")
    repos.branch(repo, "topic", commits=0)
    repos.git(repo, "branch", "other", "main")
    for name in ("topic", "other"):
        assert merged(repos, repo, name) is False
        assert own_tip(str(repo), name, repos.environ) is None
    repos.git(repo, "checkout", "--quiet", "main")
    repos.commit(repo)
    assert merged(repos, repo, "topic") is False
    # It follows the default branch, and still has nothing of its own.
    repos.merge(repo, "main", "topic")
    assert merged(repos, repo, "topic") is None
    made = repos.commit(repo)
    assert merged(repos, repo, "topic") is False
    assert own_tip(str(repo), "topic", repos.environ) == made


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("how", ["--no-ff", "--ff-only"])
def test_a_deleted_branch_is_judged_by_what_is_remembered(repos: Repositories, how: str) -> None:
    repo = repos.make("repo")
    remembered = repos.branch(repo, "topic")
    assert own_tip(str(repo), "topic", repos.environ) == remembered
    repos.commit(repo)
    repos.branch(repo, "dropped")
    dropped = own_tip(str(repo), "dropped", repos.environ)
    repos.merge(repo, "topic", "main", how)
    repos.git(repo, "branch", "--quiet", "-D", "topic", "dropped")
    assert merged(repos, repo, "topic") is None
    assert merged(repos, repo, "topic", remembered) is True
    assert merged(repos, repo, "dropped", dropped) is False
    for unknown in ("a" * 40, "HEAD", "main", "--all", ""):
        assert merged(repos, repo, "topic", unknown) is None, unknown


@pytest.mark.requirement("Z09")
def test_a_squash_merge_can_not_be_seen(repos: Repositories) -> None:
    repo = repos.make("repo")
    repos.git(repo, "checkout", "--quiet", "-b", "topic")
    (repo / "new").write_text("new")
    repos.commit(repo)
    repos.git(repo, "checkout", "--quiet", "main")
    repos.git(repo, "merge", "--quiet", "--squash", "topic")
    repos.commit(repo)
    assert (repo / "new").exists()
    assert merged(repos, repo, "topic") is False


@pytest.mark.requirement("Z09")
def test_the_default_branch_counts_as_merged(repos: Repositories) -> None:
    repo = repos.make("repo")
    assert merged(repos, repo, "main") is True
    repos.branch(repo, "topic")
    assert merged(repos, repo, "main") is True


@pytest.mark.requirement("Z09")
def test_merged_into_what_is_checked_out(repos: Repositories) -> None:
    repo = repos.make("repo")
    repos.branch(repo, "develop")
    repos.branch(repo, "topic")
    repos.merge(repo, "topic", "develop", "--no-ff")
    assert merged(repos, repo, "topic") is True
    repos.git(repo, "checkout", "--quiet", "main")
    assert merged(repos, repo, "topic") is False
    repos.git(repo, "checkout", "--quiet", "--detach", "develop")
    assert merged(repos, repo, "topic") is True
    # A detached HEAD at the branch's own tip is the branch itself.
    repos.git(repo, "checkout", "--quiet", "--detach", "topic")
    assert merged(repos, repo, "topic") is False


@pytest.mark.requirement("Z09")
def test_merged_on_the_remote_and_fetched(repos: Repositories) -> None:
    source = repos.make("source")
    repos.git(source, "branch", "--move", "production")
    clone = repos.clone(source, "clone")
    assert default_branch(str(clone), repos.environ) == "production"
    repos.branch(clone, "topic")
    repos.git(clone, "push", "--quiet", "origin", "topic")
    repos.merge(source, "topic", "production", "--no-ff")
    assert merged(repos, clone, "topic") is False
    repos.git(clone, "fetch", "--quiet")
    assert merged(repos, clone, "topic") is True
    # Another machine, on which the branch was never checked out.
    other = repos.clone(source, "other")
    assert merged(repos, other, "topic") is True
    repos.git(other, "checkout", "--quiet", "topic")
    assert merged(repos, other, "topic") is True


@pytest.mark.requirement("Z09")
def test_fast_forwarded_elsewhere_leaves_no_trace(repos: Repositories) -> None:
    source = repos.make("source")
    repos.branch(source, "topic")
    repos.merge(source, "topic", "main", "--ff-only")
    clone = repos.clone(source, "clone")
    assert merged(repos, source, "topic") is True
    assert merged(repos, clone, "topic") is None


@pytest.mark.requirement("Z09")
def test_a_history_that_is_cut_off_proves_only_what_it_has(repos: Repositories) -> None:
    source = repos.make("source")
    old = repos.branch(source, "topic")
    repos.merge(source, "topic", "main", "--no-ff")
    repos.commit(source)
    repos.commit(source)
    shallow = repos.clone(source, "shallow", "--depth=2", "--no-single-branch")
    assert tip(repos, shallow, "topic") == old
    assert merged(repos, shallow, "topic") is None
    repos.git(shallow, "fetch", "--quiet", "--unshallow")
    assert merged(repos, shallow, "topic") is True


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["main", "master"], "main"),
        (["master", "trunk"], "master"),
        (["trunk", "work"], "trunk"),
        (["work"], None),
    ],
)
def test_the_default_branch_without_a_remote(
    repos: Repositories, names: list[str], expected: str | None
) -> None:
    repo = repos.make("repo")
    repos.git(repo, "branch", "--move", "tmp")
    for name in names:
        repos.git(repo, "branch", name)
    assert default_branch(str(repo), repos.environ) == expected


@pytest.mark.requirement("Z09")
def test_without_git_on_the_path_nothing_is_claimed(repos: Repositories) -> None:
    repo = repos.make("repo")
    commit = repos.branch(repo, "topic")
    repos.merge(repo, "topic", "main", "--no-ff")
    bare = {**repos.environ, "PATH": str(repos.base / "user")}
    assert branch_of(str(repo), bare) == "main"
    assert tip_of(str(repo), "topic", bare) == commit
    assert is_merged(str(repo), "topic", bare) is None
    assert has_commits(str(repo), [commit], bare) is None


@pytest.mark.requirement("Z09")
def test_whether_a_repository_holds_commits(repos: Repositories) -> None:
    repo, other = repos.make("repo"), repos.make("other")
    mine, foreign = repos.commit(repo), repos.commit(other)
    tree = repos.git(repo, "rev-parse", "HEAD^{tree}")
    cases: list[tuple[list[str], bool | None]] = [
        ([mine], True),
        ([foreign], False),
        ([mine, foreign], False),
        ([tree], False),
        (["HEAD"], None),
        ([], True),
    ]
    for commits, expected in cases:
        assert has_commits(str(repo), commits, repos.environ) is expected, commits
    shallow = repos.clone(repo, "shallow", "--depth=1")
    assert has_commits(str(shallow), [mine], repos.environ) is True
    assert has_commits(str(shallow), [foreign], repos.environ) is None
    assert has_commits(str(repos.base), [mine], repos.environ) is None


@pytest.mark.requirement("Z09")
def test_asking_writes_nothing_and_runs_nothing(repos: Repositories) -> None:
    repo = repos.make("repo")
    commit = repos.branch(repo, "topic")
    repos.merge(repo, "topic", "main", "--no-ff")
    trap = f"sh -c ': > {repos.base}/trapped'"
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external"):
        repos.git(repo, "config", name, trap)
    before = {path: path.lstat().st_mtime_ns for path in repo.rglob("*")}
    assert merged(repos, repo, "topic") is True
    assert own_tip(str(repo), "topic", repos.environ) == commit
    assert has_commits(str(repo), [commit], repos.environ) is True
    assert {path: path.lstat().st_mtime_ns for path in repo.rglob("*")} == before
    assert not (repos.base / "trapped").exists()


@pytest.mark.requirement("Z09")
def test_a_renamed_folder_keeps_its_branches(repos: Repositories) -> None:
    repo = repos.make("repo")
    commit = repos.branch(repo, "topic")
    repo.rename(repos.base / "moved")
    shutil.copytree(repos.base / "moved", repos.base / "copied")
    for name in ("moved", "copied"):
        assert on(repos, repos.base / name) == "topic"
        assert tip(repos, repos.base / name, "topic") == commit
        assert merged(repos, repos.base / name, "topic") is False
