"""Completion scripts, as shells load them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from running import Memoro

COMPLETE = """
source ./completion.sh || exit 9
complete -p memoro >/dev/null || exit 8
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    "$(complete -p memoro | sed -E 's/.*-F ([^ ]+).*/\\1/')" memoro "${@: -1}" "${@: -2:1}"
    printf '%s ' "${COMPREPLY[@]}"; echo
}
ask memoro mem
ask memoro memory re
ask memoro memory list --pr
ask memoro project ''
ask memoro completion ''
ask memoro nothing-like-this
"""


def test_bash_completes(memoro: Memoro) -> None:
    (memoro.folder / "completion.sh").write_text(memoro.ok("completion", "bash").out)
    ended = subprocess.run(
        ["bash", "--norc", "-c", COMPLETE],
        cwd=memoro.folder,
        env=memoro.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    answers = [set(line.split()) for line in ended.stdout.splitlines()]
    assert answers[0] == {"memory"}
    assert answers[1] == {"recall", "reindex", "reject", "remember", "replace", "restore"}
    assert answers[2] == {"--project"}
    assert answers[3] >= {"add", "list", "remove"}
    assert answers[4] >= {"bash", "zsh", "fish"}
    assert answers[5] == set()


@pytest.mark.parametrize(
    ("shell", "check"),
    [("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"]), ("bash", ["bash", "-n"])],
)
def test_every_script_knows_every_command(memoro: Memoro, shell: str, check: list[str]) -> None:
    script = memoro.ok("completion", shell).out
    for word in ("remember", "undo", "set-key", "search", "context", "from-log"):
        assert word in script
    if shutil.which(check[0]) is None:
        return
    ended = subprocess.run(check, input=script, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
