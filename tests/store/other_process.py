"""Another process with the store, as the tests need it: it says "ready", and does as it is told.

other_process.py HOME DEED [ARGUMENT …]
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw
from store_world import (
    IMPORT_RULES,
    ORIGIN,
    adding,
    done,
    drop,
    facts_plan,
    keep,
    note,
    opened,
)

from memoro.backends.sqlite.incoming import Incoming
from memoro.backends.sqlite.keeping import backups
from memoro.backends.sqlite.store import SqliteStore


def say(word: str) -> None:
    """A line for whoever started this process, in one write."""
    os.write(1, f"{word}\n".encode())


def write_notes(home: Path, prefix: str, count: str) -> None:
    """Write that many notes, one change each, and name each one that was acknowledged."""
    with opened(home, wait=30) as (store, _):
        say("ready")
        for number in range(int(count)):
            note_id = f"{prefix}-{number}"
            done(store, adding(note(note_id, f"{note_id} " * 40)))
            say(note_id)


def bring_facts(home: Path, count: str) -> None:
    """Bring so many facts in as one import, and name how many are kept after each batch."""
    with opened(home, wait=30) as (store, _):
        say("ready")
        incoming = Incoming(store, ORIGIN, told=say)
        incoming.finish(facts_plan(int(count)), IMPORT_RULES)
        say("done")


def hold(home: Path) -> None:
    """Have the store open until standard input ends."""
    with opened(home):
        say("ready")
        sys.stdin.read()


def hold_old_state(home: Path) -> None:
    """Keep reading the state of now until standard input ends."""
    with opened(home) as (store, _):
        store.connection.execute("BEGIN")
        store.connection.execute("SELECT * FROM records").fetchall()
        say("ready")
        sys.stdin.read()


def lock_out(home: Path) -> None:
    """Keep all others from writing until standard input ends."""
    connection = apsw.Connection(str(home / "memory.db"))
    connection.execute("BEGIN EXCLUSIVE")
    say("ready")
    sys.stdin.read()


def churn(home: Path, prefix: str) -> None:
    """Write, forget, and open and close the store, until killed."""
    say("ready")
    number = 0
    while True:
        with opened(home, wait=30) as (store, _):
            for _ in range(5):
                number += 1
                done(store, adding(note(f"{prefix}-{number}", "x" * 3_000 * (number % 7))))


def forget(home: Path, key: str) -> None:
    """Forget a fact, and tell of the commit and of the end."""
    settle = SqliteStore.settle

    def tell(self: SqliteStore, *, late: bool = False) -> tuple[str, ...]:
        say("committed")
        return settle(self, late=late)

    with opened(home, wait=60) as (store, _):
        SqliteStore.settle = tell
        say("ready")
        say(f"remains {drop(store, key).remains}")


def forget_and_die(home: Path, key: str) -> None:
    """Forget a fact, and die between the commit and the cleaning."""

    def die(self: SqliteStore, *, late: bool = False) -> tuple[str, ...]:
        os.kill(os.getpid(), signal.SIGKILL)
        return ()

    with opened(home) as (store, _):
        SqliteStore.settle = die
        say("ready")
        drop(store, key)


def die_in_rename(home: Path, after: str) -> None:
    """Open a store that has to be replaced, and die when that many files were renamed."""
    left = int(after)
    rename = os.replace

    def replace(source: str, target: str) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        rename(source, target)

    os.replace = replace
    say("ready")
    with opened(home):
        pass


def die_in_backup(home: Path) -> None:
    """Begin a backup, and die before it has its name."""

    def die(partial: str, path: str) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    backups._finish = die
    say("ready")
    with opened(home, now=datetime.now(UTC), daily=True) as (store, _):
        keep(store, "last", "words")


def pause_backup(home: Path) -> None:
    """Make a backup of the state of now, and give it its name when told to."""
    finish = backups._finish

    def wait(partial: str, path: str) -> None:
        say("copied")
        sys.stdin.readline()
        finish(partial, path)

    backups._finish = wait
    with opened(home) as (store, _):
        say("ready")
        assert store.paths is not None
        backups.back_up(store.connection, store.paths, ORIGIN.at, "daily")


def die_in_change(home: Path, call: str) -> None:
    """Make a change for a tool call, and die when all is written and nothing committed."""
    with opened(home) as (store, _):

        def die(cursor: object, sql: str, values: object) -> bool:
            if sql == "COMMIT":
                os.kill(os.getpid(), signal.SIGKILL)
            return True

        store.connection.set_exec_trace(die)
        say("ready")
        store.apply(adding(note("n-of-tool")), ORIGIN._replace(tool_call=int(call)))


DEEDS: dict[str, Callable[..., None]] = {
    deed.__name__: deed
    for deed in (
        write_notes,
        bring_facts,
        hold,
        hold_old_state,
        lock_out,
        churn,
        forget,
        forget_and_die,
        die_in_rename,
        die_in_backup,
        pause_backup,
        die_in_change,
    )
}

if __name__ == "__main__":
    DEEDS[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:])
