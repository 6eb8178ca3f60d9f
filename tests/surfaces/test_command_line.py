"""The command as a process: streams, exit codes, help, odd surroundings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import memoro as package
from memoro.commands import catalogue
from memoro.surfaces.cli.main import main
from running import Memoro, Ran

COMMANDS = [
    (group.name, command.name) if command.name else (group.name,)
    for group in catalogue.groups()
    for command in group.commands
    if "cli" in command.surfaces
]


def shell(memoro: Memoro, line: str, **variables: str) -> Ran:
    """Run a line of bash in which `memoro` is the command."""
    ended = subprocess.run(
        ["bash", "-c", f'set -o pipefail\nmemoro() {{ "$PYTHON" -m memoro "$@"; }}\n{line}'],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**memoro.env, "PYTHON": sys.executable, **variables},
        cwd=memoro.folder,
        timeout=120,
        check=False,
    )
    return Ran(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def in_process(capsys: pytest.CaptureFixture[str], words: Sequence[str]) -> Ran:
    capsys.readouterr()
    code = main(list(words))
    out, err = capsys.readouterr()
    return Ran(code, out, err)


# --- help and usage -----------------------------------------------------------------------


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    group = catalogue.group(words[0])
    assert group is not None
    command = next(one for one in group.commands if one.name == (words[1:] or ("",))[0])
    for option in ("-h", "--help"):
        ran = in_process(capsys, [*words, option])
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith(f"usage: memoro {' '.join(words)}")
        assert command.summary in " ".join(ran.out.split())
        for param in command.params:
            if "cli" in param.surfaces:
                assert " ".join(param.help.split()) in " ".join(ran.out.split())
        assert "--json" in ran.out
        assert "--quiet" in ran.out


def test_help_of_everything_and_of_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("--help",), ("-h",)):
        ran = in_process(capsys, words)
        assert (ran.code, ran.err) == (0, "")
        for name in (*catalogue.NAMES, "completion"):
            assert f"\n    {name} " in ran.out
    ran = in_process(capsys, ["memory", "--help"])
    assert ran.code == 0
    for verb in ("remember", "list", "replace", "forget", "log", "undo", "history"):
        assert f"\n    {verb} " in ran.out


@pytest.mark.parametrize("name", ["memory", "note", "project", "config", "chat", "context"])
def test_a_group_alone_is_a_usage_error(capsys: pytest.CaptureFixture[str], name: str) -> None:
    ran = in_process(capsys, [name])
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"usage: memoro {name}")


@pytest.mark.parametrize(
    "words",
    [
        ("nope",),
        ("",),
        ("help",),
        ("memory", "nope"),
        ("memory", "lis"),
        ("memory", ""),
        ("memory", "list", "more"),
        ("memory", "list", "--nope"),
        ("memory", "list", "--proj", "x"),
        ("memory", "list", "--project"),
        ("memory", "remember"),
        ("memory", "remember", "a"),
        ("memory", "remember", "a", "b", "c"),
        ("memory", "undo", "x"),
        ("completion",),
        ("completion", "tcsh"),
        ("--nope",),
        ("-p",),
    ],
)
def test_usage_errors(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    ran = in_process(capsys, words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("memoro: ")
    assert "\n  try: memoro" in ran.err
    assert ran.err.rstrip().endswith("--help")


def test_options_before_the_command_are_not_lost_silently(memoro: Memoro) -> None:
    for option in ("--json", "-q"):
        ran = memoro(option, "memory", "list")
        assert (ran.code, ran.out) == (2, "")
        assert "options stand after the command" in ran.err
    ran = memoro("--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: memoro")


def test_version(memoro: Memoro) -> None:
    assert memoro("--version") == (0, f"memoro {package.__version__}\n", "")


@pytest.mark.requirement("P02")
def test_a_one_shot_reads_the_pipe_once(memoro: Memoro) -> None:
    for words in (("-p", ""), ("-p", "-"), ("chat", "new", "-")):
        ran = memoro(*words)
        assert ran.code == 2, words
        assert "the message is empty" in ran.err
    ran = memoro("-p", "-", stdin="hello")
    assert (ran.code, ran.out) == (6, "")
    assert "no model is configured" in ran.err


# --- streams ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["memory list", "memory log --json", "--help", "memory --help", "completion bash"]
)
def test_a_reader_that_has_had_enough_is_no_error(memoro: Memoro, words: str) -> None:
    with package.Memory.open(memoro.home) as memory:
        for number in range(128):
            memory.remember(f"k{number:03}", "x" * 1000)
    ran = shell(memoro, f"memoro {words} | head -n 1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("\n") == 1
    # Nobody reads at all.
    ran = shell(memoro, f"memoro {words} | true")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    "words", ["memory list", "memory list --json", "memory remember b v", "--help", "--version"]
)
@pytest.mark.parametrize("where", ["> /dev/full", ">&-"])
def test_output_that_cannot_be_written_is_a_failure(memoro: Memoro, words: str, where: str) -> None:
    memoro.ok("memory", "remember", "a", "v")
    ran = shell(memoro, f"memoro {words} {where}")
    assert ran.code == 1
    assert ran.err.startswith("memoro: the output can't be written: ")
    assert ran.err.count("\n") == 1


def test_a_change_is_kept_though_its_output_is_lost(memoro: Memoro) -> None:
    shell(memoro, "memoro memory remember a v > /dev/full")
    assert memoro.ok("memory", "list").out.startswith("a\tv\t")


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_talk_that_nobody_hears_is_no_failure(memoro: Memoro, where: str) -> None:
    ran = shell(memoro, f"memoro memory remember a v {where}")
    assert (ran.code, ran.out, ran.err) == (0, "Remembered a.\n", "")
    ran = shell(memoro, f"memoro memory remember a v {where}")
    assert (ran.code, ran.out, ran.err) == (4, "", "")
    ran = shell(memoro, f"memoro memory nope {where}")
    assert (ran.code, ran.out) == (2, "")
    ran = shell(memoro, f"memoro memory remember b v <&- >&- {where}")
    assert ran.code == 1
    assert [line[0] for line in memoro.ok("memory", "list").out.splitlines()] == ["a", "b"]


def test_closed_input(memoro: Memoro) -> None:
    ran = shell(memoro, "memoro note add Title <&-")
    assert ran.code == 2
    assert "a note needs text" in ran.err
    ran = shell(memoro, "memoro memory remember a v <&-")
    assert (ran.code, ran.out) == (0, "Remembered a.\n")


def test_input_that_is_no_text(memoro: Memoro) -> None:
    ran = memoro("note", "add", "Title", stdin=b"\xff\xfeT\0")
    assert (ran.code, ran.out) == (2, "")
    assert "not UTF-8" in ran.err
    ran = shell(memoro, "head -c 20000000 /dev/zero | memoro note add Title")
    assert ran.code in (7, 141)
    assert "16,777,216" in ran.err


def test_bytes_in_arguments_that_are_no_text(memoro: Memoro) -> None:
    lines = [
        "memory remember $'\\xff' v",
        "memory remember key $'a\\xff'",
        "memory list --project $'\\xff'",
        "memory history $'\\xff'",
        "memory forget $'\\xff'",
        "note add $'\\xff' text",
        "note add Title $'\\xff'",
        "note show $'\\xff'",
        "note search ok $'\\xff'",
        "note edit n_1 --title $'\\xff'",
        "project add $'\\xff'",
        "project remove $'\\xff'",
        "config set model $'a:\\xff'",
        "config get $'\\xff'",
        "chat show $'\\xff'",
        "context show $'\\xff'",
    ]
    script = "\n".join(f"memoro {line}; echo $? >&3" for line in lines)
    ran = shell(memoro, f"exec 3>&1\n{{\n{script}\n}} >/dev/null")
    assert ran.out.split() == ["2"] * len(lines)
    assert ran.err.count("is not valid UTF-8 text") == len(lines)
    assert "Traceback" not in ran.err
    assert not memoro.home.exists()


# --- surroundings -------------------------------------------------------------------------


def test_a_home_that_is_a_file(memoro: Memoro) -> None:
    file = memoro.root / "file"
    file.write_text("x")
    for name in ("HOME", "MEMORO_HOME"):
        ran = memoro("memory", "remember", "a", "v", env={name: str(file)})
        assert (ran.code, ran.out) == (1, "")
        assert str(file) in ran.err
        assert "MEMORO_HOME" in ran.err
    assert file.read_text() == "x"


def test_without_home_but_with_a_home_of_memoro(memoro: Memoro) -> None:
    del memoro.env["HOME"]
    memoro.ok("memory", "remember", "a", "v", env={"MEMORO_HOME": str(memoro.home)})
    assert (memoro.home / "memory.db").exists()
    assert list(memoro.folder.iterdir()) == []


def test_a_home_that_cannot_be_made(memoro: Memoro) -> None:
    ran = memoro("memory", "remember", "a", "v", env={"MEMORO_HOME": "/proc/nope"})
    assert (ran.code, ran.out) == (1, "")
    assert "/proc/nope" in ran.err


def test_a_folder_that_is_gone(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    site = memoro.root / "site"
    site.mkdir()
    start = f'mkdir gone; cd gone; rmdir ../gone; cd() {{ :; }}; PYTHONPATH="{_source()}"'
    lines = [
        ("memory list", 0),
        ("memory replace a w", 0),
        ("note list", 0),
        ("config list", 0),
        (f"project add site '{site}'", 0),
        ("project add here", 2),
        ("project add here sub", 2),
        ("context show", 2),
        ("chat new hello", 2),
        ("memory list --json", 0),
    ]
    for words, code in lines:
        ran = shell(memoro, f"{start}\nmemoro {words}")
        assert ran.code == code, (words, ran.err)
        assert "Traceback" not in ran.err
        if code:
            assert "the current folder does not exist any more" in ran.err
    ran = shell(memoro, f"{start}\nmemoro memory list", MEMORO_HOME="relative")
    assert ran.code == 2
    assert "relative" in ran.err


def _source() -> Path:
    return Path(package.__file__).parent.parent


def test_the_home_is_private(memoro: Memoro) -> None:
    ran = shell(memoro, "umask 000; memoro memory remember a v; memoro note add T x")
    assert ran.code == 0
    found = [memoro.home, *memoro.home.rglob("*")]
    assert len(found) > 2
    assert [path for path in found if path.stat().st_mode & 0o077] == []


def test_a_module_in_the_current_folder_is_not_loaded(memoro: Memoro) -> None:
    for name in ("apsw", "json", "argparse", "rich", "shtab"):
        (memoro.folder / f"{name}.py").write_text("raise SystemExit('loaded')")
    script = Path(sys.executable).parent / "memoro"
    for words in (("memory", "list", "--json"), ("completion", "bash")):
        ended = subprocess.run(
            [script, *words],
            env=memoro.env,
            cwd=memoro.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert ended.returncode == 0
        assert b"loaded" not in ended.stderr


HEAVY = (
    *("numpy", "pydantic_ai", "pydantic", "openai", "anthropic", "mcp", "asyncio", "rich"),
    *("keyring", "xllamacpp", "tomlkit", "tomllib", "httpx", "typing_extensions", "subprocess"),
    *("pathlib", "inspect", "dataclasses", "shutil", "tempfile", "socket", "email", "shtab"),
)


@pytest.mark.requirement("P01")
def test_a_list_loads_nothing_that_it_does_not_need(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "a", "v")
    program = (
        "import sys\nfrom memoro.surfaces.cli.main import main\n"
        "code = main(['memory', 'list'])\n"
        f"print(*sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)\n"
        "raise SystemExit(code)"
    )
    # Without site: what an installation loads through .pth files is not ours.
    paths = os.pathsep.join(
        [str(_source()), *(path for path in sys.path if "site-packages" in path)]
    )
    ended = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={**memoro.env, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout[:4], ended.stderr) == (0, "a\tv\t", "\n")
