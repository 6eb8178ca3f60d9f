"""Places: one scope for one project wherever it lies, and never one scope for two."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.bootstrap.branches import branch_of, has_commits, is_merged
from memoro.bootstrap.workspace import Identity, find_root, identify, matches
from memoro.memory.places import (
    find_place,
    home_path,
    is_place,
    label,
    place_record,
    place_scope,
    seen_at,
    shown_on,
)
from memoro.memory.records import GLOBAL, PLACE, PROJECT, Record, project_name, project_scope
from repositories import Repositories

START = datetime(2026, 5, 2, tzinfo=UTC)
A, B, C = "a" * 40, "b" * 40, "c" * 40


def known_by(
    path: str, common_dir: str | None = None, subpath: str = "", roots: Sequence[str] = ()
) -> dict[str, Any]:
    return {"path": path, "common_dir": common_dir, "subpath": subpath, "roots": list(roots)}


def place(identity: Mapping[str, Any], *others: Record) -> Record:
    return place_record(identity, START, others)


class World:
    """Real folders, and the places that were learned in, as a chat would keep them."""

    def __init__(self, repos: Repositories) -> None:
        self.repos = repos
        self.places: dict[str, Record] = {}
        self._ticks = count()

    def visit(self, folder: Path) -> str:
        """Learn something in a folder; gives its scope."""
        root = find_root(str(folder), str(self.repos.base / "memory"))
        identity = self.identity(Path(root))
        at = START + timedelta(minutes=next(self._ticks))
        environ = self.repos.environ
        known = find_place(
            identity, self.places.values(), lambda asked: has_commits(root, asked, environ)
        )
        if known is None:
            known = place_record(identity, at, self.places.values())
            assert known.key not in self.places
        else:
            known = seen_at(known, identity, at) or known
        assert known.key is not None
        self.places[known.key] = known
        return known.key

    def identity(self, folder: Path) -> Mapping[str, Any]:
        found = identify(str(folder), self.repos.environ)
        return {**found._asdict(), "roots": list(found.roots)}

    def path(self, scope: str) -> str:
        return self.places[scope].text


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(Repositories(tmp_path))


# --- scopes -------------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
def test_a_scope_is_sixteen_digits_behind_its_own_prefix() -> None:
    scope = place_scope(known_by("/w/site"))
    assert scope.startswith("place:") and len(scope) == len("place:") + 16
    assert is_place(scope) and project_name(scope) is None
    assert not is_place(GLOBAL) and not is_place(project_scope("place:x"))
    assert scope == place_scope({"path": "/w/site"})


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (known_by("/x", "/x/.git", "", [A]), known_by("/y", "/y/.git", "", [A]), True),
        (known_by("/x", "/x/.git", "", [B, A]), known_by("/y", "/y/.git", "", [A, B]), True),
        (known_by("/x", "/x/.git"), known_by("/tree", "/x/.git"), True),
        (known_by("/x", "/x/.git", "", [A]), known_by("/x", "/x/.git", "", [A, B]), False),
        (known_by("/x/p", "/x/.git", "p", [A]), known_by("/x/q", "/x/.git", "q", [A]), False),
        (known_by("/x", "/x/.git", "", [A]), known_by("/x", "/x/.git", "", [B]), False),
        (known_by("/x", "/x/.git"), known_by("/y", "/y/.git"), False),
        (known_by("/x/p", "/x/.git", "p"), known_by("/x/q", "/x/.git", "q"), False),
        (known_by("/x"), known_by("/y"), False),
        (known_by("/x"), known_by("/x", "/x"), False),
        (known_by("/x", A), known_by("/x", None, "", [A]), False),
        (known_by("/x", "/g", "a"), known_by("/x", "/g/a", ""), False),
        (known_by("/x", None, A, [B]), known_by("/x", None, "", [A, B]), False),
    ],
)
def test_what_is_most_stable_makes_the_scope(
    one: dict[str, Any], other: dict[str, Any], same: bool
) -> None:
    assert (place_scope(one) == place_scope(other)) is same
    assert place_scope(one) == place_scope(dict(one))


paths = st.text(st.sampled_from("ab-_./ é倉庫\ud800"), max_size=6).map(lambda end: "/" + end)


@pytest.mark.requirement("Z09")
@given(st.lists(paths, min_size=2, max_size=12, unique=True))
def test_no_two_paths_have_one_scope(names: list[str]) -> None:
    plain = {place_scope(known_by(name)) for name in names}
    git = {place_scope(known_by(name, name)) for name in names}
    assert len(plain | git) == 2 * len(names)


# --- records ------------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
def test_the_record_of_a_place() -> None:
    identity = known_by("/w/site/pkg", "/w/site/.git", "pkg", [B, A])
    made = place(identity)
    assert made.kind == PLACE.name and made.scope == GLOBAL
    scope = place_scope(identity)
    assert (made.key, made.id) == (scope, scope.replace("place:", "pl_"))
    assert made.text == "/w/site/pkg"
    assert made.data == {**identity, "roots": [A, B]}
    assert (made.created_at, made.revision) == (START, 1)


@pytest.mark.requirement("Z09")
def test_seen_again_as_it_was_is_nothing_new() -> None:
    for identity in (known_by("/w"), known_by("/w", "/w/.git"), known_by("/w", "/w/.git", "", [A])):
        assert seen_at(place(identity), identity, START) is None
    # Where git can't be asked for once, what is known stays.
    known = place(known_by("/w/p", "/w/.git", "p", [A]))
    assert seen_at(known, known_by("/w/p"), START) is None


@pytest.mark.requirement("Z09")
def test_a_new_path_takes_the_old_ones_place() -> None:
    now = place(known_by("/0", "/0/.git", "", [A]))
    later = START + timedelta(days=1)
    for number in range(1, 12):
        moved = seen_at(now, known_by(f"/{number}", f"/{number}/.git", "", [A]), later)
        assert moved is not None
        assert (moved.key, moved.id, moved.revision) == (now.key, now.id, now.revision + 1)
        now = moved
    assert (now.text, now.data["path"], now.data["common_dir"]) == ("/11", "/11", "/11/.git")
    assert now.data["earlier"] == [f"/{number}" for number in range(10, 2, -1)]
    assert (now.created_at, now.updated_at) == (START, later)
    back = seen_at(now, known_by("/5", "/5/.git", "", [A]), later)
    assert back is not None
    assert back.data["earlier"] == ["/11", "/10", "/9", "/8", "/7", "/6", "/4", "/3"]


@pytest.mark.requirement("Z09")
def test_roots_are_only_added_to() -> None:
    empty = place(known_by("/w", "/w/.git"))
    grown = seen_at(empty, known_by("/w", "/w/.git", "", [B]), START)
    assert grown is not None and grown.data["roots"] == [B]
    merged = seen_at(grown, known_by("/w", "/w/.git", "", [A, B]), START)
    assert merged is not None and merged.data["roots"] == [A, B]
    for roots in ([A], [C], [], [A, C]):
        assert seen_at(merged, known_by("/w", "/w/.git", "", roots), START) is None


@pytest.mark.requirement("Z09")
def test_worktrees_come_and_go_and_the_main_one_is_the_place() -> None:
    tree = place(known_by("/trees/one", "/w/.git", "", [A]))
    assert seen_at(tree, known_by("/trees/two", "/w/.git", "", [A]), START) is None
    main = seen_at(tree, known_by("/w", "/w/.git", "", [A]), START)
    assert main is not None and main.text == "/w"
    assert seen_at(main, known_by("/trees/one", "/w/.git", "", [A]), START) is None
    package = place(known_by("/trees/one/p", "/w/.git", "p", [A]))
    moved = seen_at(package, known_by("/w/p", "/w/.git", "p", [A]), START)
    assert moved is not None and moved.text == "/w/p"


# --- which place --------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("known", "seen", "same"),
    [
        (known_by("/w"), known_by("/w"), True),
        (known_by("/w"), known_by("/w/deeper"), False),
        (known_by("/w/deeper"), known_by("/w"), False),
        (known_by("/home/anna"), known_by("/home/anna/new", "/home/anna/new/.git"), False),
        # A folder that became a repository, and one whose git can't be asked just now.
        (known_by("/w"), known_by("/w", "/w/.git", "", [A]), True),
        (known_by("/w", "/w/.git", "", [A]), known_by("/w"), True),
        # Its first commits, a history that was taken in, a history that is whole by now.
        (known_by("/w", "/w/.git"), known_by("/w", "/w/.git", "", [A]), True),
        (known_by("/w", "/w/.git", "", [A]), known_by("/w", "/w/.git", "", [A, B]), True),
        (known_by("/w", "/w/.git"), known_by("/tree", "/w/.git", "", [A]), True),
        (known_by("/w/p", "/w/.git", "p"), known_by("/tree/q", "/w/.git", "q"), False),
        # Another one's history is not enough.
        (known_by("/lib", "/lib/.git", "", [A]), known_by("/w", "/w/.git", "", [A, B]), False),
        (known_by("/w", "/w/.git", "", [A, B]), known_by("/lib", "/lib/.git", "", [A]), False),
        (known_by("/w", "/w/.git", "", [A]), known_by("/x", "/x/.git", "p", [A]), False),
    ],
)
def test_which_folder_is_a_known_place(
    known: dict[str, Any], seen: dict[str, Any], same: bool
) -> None:
    there = place(known)
    assert find_place(seen, [there]) == (there if same else None)
    assert find_place(seen, []) is None


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(("holds", "same"), [(True, True), (None, True), (False, False)])
def test_another_history_in_a_known_folder(holds: bool | None, same: bool) -> None:
    known = place(known_by("/w", "/w/.git", "", [A]))
    asked: list[Sequence[str]] = []

    def has(commits: Sequence[str]) -> bool | None:
        asked.append(commits)
        return holds

    found = find_place(known_by("/w", "/w/.git", "", [B]), [known], has)
    assert found == (known if same else None)
    assert asked == [[A]]


@pytest.mark.requirement("Z09")
def test_a_clone_is_found_after_the_roots_became_known() -> None:
    known = place(known_by("/w", "/w/.git"))
    grown = seen_at(known, known_by("/w", "/w/.git", "", [A]), START)
    assert grown is not None
    clone = known_by("/x", "/x/.git", "", [A])
    assert place_scope(clone) != grown.key
    assert find_place(clone, [grown]) == grown


@pytest.mark.requirement("Z09")
def test_equals_are_not_guessed_between() -> None:
    one = place(known_by("/w", "/w/.git"))._replace(data=known_by("/w", "/w/.git", "", [A]))
    two = place(known_by("/x", "/x/.git"))._replace(data=known_by("/x", "/x/.git", "", [A]))
    assert find_place(known_by("/y", "/y/.git", "", [A]), [one, two]) is None
    assert find_place(known_by("/x", "/x/.git", "", [A]), [one, two]) == two


@pytest.mark.requirement("Z09")
def test_the_scope_of_a_place_that_moved_away_is_not_given_again() -> None:
    first = place(known_by("/new", "/new/.git"))
    moved = seen_at(first, known_by("/site", "/site/.git", "", [A]), START)
    assert moved is not None
    again = known_by("/new", "/new/.git")
    assert find_place(again, [moved]) is None
    second = place(again, moved)
    assert second.key != moved.key and second.id != moved.id
    assert second.key is not None and is_place(second.key)
    assert find_place(again, [moved, second]) == second
    third = place(again, moved, second)
    assert len({moved.key, second.key, third.key}) == 3


# --- with real folders --------------------------------------------------------------------


@pytest.mark.requirement("Z09")
def test_one_scope_over_worktrees_clones_renames_and_packages(world: World) -> None:
    repos = world.repos
    repo = repos.make("site", "pkg/core")
    scope = world.visit(repo)
    assert world.visit(repo / "pkg/core") == scope
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "-b", "topic/1")
    assert world.visit(repos.base / "tree/pkg") == scope
    assert world.path(scope) == str(repo)
    clone = repos.clone(repo, "elsewhere/other-name")
    assert place_scope(world.identity(clone)) == scope
    assert world.visit(clone) == scope
    assert world.path(scope) == str(clone)
    repos.commit(clone)
    clone.rename(repos.base / "renamed")
    assert world.visit(repos.base / "renamed") == scope
    assert world.places[scope].data["earlier"] == [str(clone), str(repo)]
    assert len(world.places) == 1
    repos.git(repo, "checkout", "--quiet", "--orphan", "gh-pages")
    repos.commit(repo)
    assert world.visit(repo) == scope


@pytest.mark.requirement("Z09")
def test_a_branch_without_common_history_is_no_other_place(world: World) -> None:
    repos = world.repos
    repo = repos.make("site")
    scope = world.visit(repo)
    repos.git(repo, "checkout", "--quiet", "--orphan", "gh-pages")
    repos.commit(repo)
    repos.git(repo, "worktree", "add", "--quiet", "../tree", "main")
    assert world.visit(repo) == scope == world.visit(repos.base / "tree")
    assert len(world.places) == 1


@pytest.mark.requirement("Z09")
def test_another_repository_that_took_a_folder_over_is_another_place(world: World) -> None:
    repos = world.repos
    repo = repos.make("demo")
    first = world.visit(repo)
    shutil.rmtree(repo)
    repos.empty("demo")
    second = world.visit(repo)
    assert second != first
    repos.commit(repo)
    assert world.visit(repo) == second
    shutil.rmtree(repo)
    repos.make("demo")
    assert world.visit(repo) not in (first, second)


@pytest.mark.requirement("Z09")
def test_shallow_clones(world: World) -> None:
    repos = world.repos
    source = repos.make("source")
    repos.commit(source)
    shallow = repos.clone(source, "shallow", "--depth=1")
    scope = world.visit(shallow)
    other = repos.clone(source, "other", "--depth=1")
    assert world.visit(other) != scope
    repos.git(shallow, "worktree", "add", "--quiet", "../tree", "-b", "topic")
    assert world.visit(repos.base / "tree") == scope
    registered = [
        (key, Identity(one.text, one.data["common_dir"], one.data["subpath"], ()))
        for key, one in world.places.items()
    ]
    found = matches(str(repos.base / "tree"), registered, repos.environ)
    assert (found.name, found.how) == (scope, "worktree")
    # Made whole, its history is known, and with it every clone.
    repos.git(shallow, "fetch", "--quiet", "--unshallow")
    assert world.visit(shallow) == scope
    assert world.visit(repos.clone(source, "full")) == scope
    # A clone that was whole, and is shallow now, lies in the same folder.
    full = repos.base / "full"
    shutil.rmtree(full)
    repos.clone(source, "full", "--depth=1")
    assert world.visit(full) == scope


@pytest.mark.requirement("Z09")
def test_a_template_that_is_begun_twice_in_one_folder(world: World) -> None:
    repos = world.repos
    new = repos.empty("new")
    first = world.visit(new)
    repos.commit(new)
    assert world.visit(new) == first
    new.rename(repos.base / "site")
    assert world.visit(repos.base / "site") == first
    repos.empty("new")
    assert world.visit(new) != first
    assert world.visit(repos.base / "site") == first


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize("git", ["none", "empty", "whole"])
def test_look_alike_folders_are_places_of_their_own(world: World, git: str) -> None:
    names = [
        "倉庫",
        "帳簿",
        "a-b/c",
        "a/b-c",
        "my_proj",
        "my.proj",
        "my-proj",
        "Aa",
        "aA",
        "e\u0301",
    ]
    names += ["\u00e9", "a", "a/b", "x y", "x_y"]
    base = world.repos.base / "work"
    for name in names:
        folder = base / name
        folder.mkdir(parents=True, exist_ok=True)
        if git == "empty":
            (folder / ".git").mkdir()
        elif git == "whole":
            world.repos.git(folder, "init", "--quiet")
            world.repos.commit(folder)
        (folder / "mark.txt").write_text(name)
    scopes = {name: world.visit(base / name) for name in names}
    assert len(set(scopes.values())) == len(names)
    for name in names:
        assert world.visit(base / name) == scopes[name]
        assert world.path(scopes[name]) == str(base / name)
        told = label(scopes[name], world.places, {}, str(world.repos.base))
        assert told == f"from: ~/work/{name}"


@pytest.mark.requirement("Z09")
def test_what_was_learned_on_a_branch_is_kept_to_it_until_it_is_merged(world: World) -> None:
    repos = world.repos
    repo = repos.make("site")

    def shown() -> bool:
        environ = repos.environ
        here, merged = branch_of(str(repo), environ), is_merged(str(repo), "fix/login", environ)
        return shown_on("fix/login", here, merged)

    repos.branch(repo, "fix/login", commits=0)
    assert shown()
    repos.git(repo, "checkout", "--quiet", "main")
    assert not shown()
    repos.git(repo, "checkout", "--quiet", "fix/login")
    repos.commit(repo)
    assert shown()
    repos.git(repo, "checkout", "--quiet", "main")
    assert not shown()
    repos.git(repo, "checkout", "--quiet", "--detach")
    assert not shown()
    repos.merge(repo, "fix/login", "main", "--no-ff")
    assert shown()


# --- showing ------------------------------------------------------------------------------


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("branch", "here", "merged", "shown"),
    [
        (None, None, None, True),
        (None, "main", False, True),
        ("topic", "topic", None, True),
        ("topic", "topic", False, True),
        ("topic", "main", True, True),
        ("topic", None, True, True),
        ("topic", "main", False, False),
        ("topic", "main", None, False),
        ("topic", None, None, False),
        ("topic", "Topic", False, False),
    ],
)
def test_what_is_kept_to_a_branch(
    branch: str | None, here: str | None, merged: bool | None, shown: bool
) -> None:
    assert shown_on(branch, here, merged) is shown


@pytest.mark.requirement("Z09")
@pytest.mark.parametrize(
    ("path", "home", "shown"),
    [
        ("/home/anna/work/site", "/home/anna", "~/work/site"),
        ("/home/anna/work/site", "/home/anna/", "~/work/site"),
        ("/home/anna", "/home/anna", "~"),
        ("/home/annabel/x", "/home/anna", "/home/annabel/x"),
        ("/srv/x", "/home/anna", "/srv/x"),
        ("/srv/x", "", "/srv/x"),
        ("/srv/x", "/", "/srv/x"),
        ("/srv/倉庫", "/root", "/srv/倉庫"),
        ("/srv/a\nIgnore this", "/root", "'/srv/a\\nIgnore this'"),
        ("/srv/\ud800", "/root", "'/srv/\\ud800'"),
        ("/srv/a\u2028b", "/root", "'/srv/a\\u2028b'"),
        ("/" + "x" * 500 + "/end", "/root", "…" + "x" * 196 + "/end"),
    ],
)
def test_a_path_as_it_is_shown(path: str, home: str, shown: str) -> None:
    assert home_path(path, home) == shown


@pytest.mark.requirement("Z09")
def test_where_something_was_learned() -> None:
    site = place(known_by("/home/anna/work/site", "/home/anna/work/site/.git", "", [A]))
    assert site.key is not None
    places = {site.key: site}
    assert label(site.key, places, {}, "/home/anna") == "from: ~/work/site"
    assert label(site.key, {}, {}, "/home/anna") == "from: a folder that is no longer known"
    assert label(project_scope("site"), places, {}, "/home/anna") == "from: project site"
    assert label(GLOBAL, places, {}, "/home/anna") == ""
    for data, told in [
        (dict(site.data), "from: project shop"),
        (known_by("/other", site.data["common_dir"]), "from: project shop"),
        (known_by("/home/anna/work"), "from: ~/work/site"),
        ({}, "from: ~/work/site"),
    ]:
        shop = Record("p_1", PROJECT.name, GLOBAL, "shop", "", START, START, data=data)
        assert label(site.key, places, {"shop": shop}, "/home/anna") == told
