"""The composition root: puts one process together, and owns its clock.

What is needed by few commands has a module of its own here, loaded when it is first used: start-up
is a feature. Such a module's functions take the `App` first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoro.commands.services import Services
from memoro.errors import SettingsError, StoreDamagedError, UsageError
from memoro.settings import Settings

if TYPE_CHECKING:
    from memoro.app.idling import Idle
    from memoro.backends.sqlite.store import SqliteStore
    from memoro.backends.sqlite.transcripts import SqliteTranscripts
    from memoro.bootstrap.instructions import FileCache
    from memoro.commands.ports import Configuration, Doctor, Mirroring, Terminal
    from memoro.memory.recall.embedding import Embedder

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 12
_BEHIND_EVERY = timedelta(minutes=1)
"""How long a process waits before it has something done behind again, lest a provider that fails
keep processes coming."""


class App:
    """Memoro put together for one process. Close it when done."""

    def __init__(self, environ: Mapping[str, str], folder: str | None = None) -> None:
        self.settings: Settings = Settings(environ)
        self.notices: list[str] = []
        self._fixed = self.settings.now()
        self._folder = folder
        self._store: SqliteStore | None = None
        self._read: FileCache | None = None
        self._embedder: Embedder | None = None
        self._bundled: Embedder | None = None
        self._behind: datetime | None = None
        self.merges_itself: bool = False
        """Whether a command merges what was edited in the plain files, so that a start need not."""
        self.idle: Idle | None = None
        """What writes the plain files while a process stays."""

    def now(self) -> datetime:
        """The clock: an aware UTC instant, or what `MEMORO_NOW` fixes it to."""
        return self._fixed or datetime.now(UTC)

    def services(self, *, writes: bool) -> Services:
        """What handlers are given. Without `writes`, a home without a store is left without."""
        prompting, locating, models = "prompting", "locating", "models"
        return Services(
            open_store=lambda: self._open(create=writes),
            open_transcripts=lambda _: self._transcripts(create=writes),
            now=self.now,
            show_time=lambda at: at.astimezone().strftime("%Y-%m-%d %H:%M"),
            new_id=new_id,
            now_text=self._later(prompting, "now_text"),
            context=self._later(prompting, "context"),
            personal=self._later(prompting, "personal"),
            instructions=self._later(prompting, "instructions"),
            bootstrap=self._later(prompting, "bootstrap"),
            places=self._later(locating, "places"),
            tool_homes=self._later(locating, "tool_homes"),
            identify=self._later(locating, "identify"),
            match_project=self._later(locating, "match_project"),
            connect=self._later(models, "connect"),
            offers_tools=self._later(models, "offers_tools"),
            configuration=self._configuration,
            doctor=self._doctor,
            terminal=self._terminal,
            learning=lambda: self._port("Learning"),
            recalling=lambda: self._port("Recalling"),
            importing=lambda: self._port("Importing"),
            exporting=lambda: self._port("Exporting"),
            erasing=lambda: self._port("Erasing"),
            mirroring=self._mirroring,
            keep_up=self._later("idling", "keep_up"),
        )

    def _later(self, module: str, name: str) -> Callable[..., Any]:
        """A function of a module of this room, which is loaded when it is first called."""

        def use(*arguments: Any) -> Any:
            from importlib import import_module

            return getattr(import_module(f"memoro.app.{module}"), name)(self, *arguments)

        return use

    def _port(self, name: str) -> Any:
        """A door of `memoro.commands.ports`: its fields are the functions of the module here that
        has its name, in lower case."""
        from memoro.commands import ports

        port = getattr(ports, name)
        return port(*(self._later(name.lower(), field) for field in port._fields))

    def _mirroring(self) -> Mirroring:
        self.merges_itself = True
        return self._port("Mirroring")

    def _configuration(self) -> Configuration:
        from memoro.app.configuration import ConfigurationFile

        return ConfigurationFile(self.settings)

    def _doctor(self) -> Doctor:
        from memoro.app.examination import Examination

        return Examination(self)

    def _terminal(self) -> Terminal:
        from memoro.app.person import Person

        return Person(self.settings)

    def _open(self, *, create: bool) -> SqliteStore:
        if self._store is None:
            from memoro.app.storing import follow, opened

            # Known before it is followed: whatever goes wrong there, it can be closed.
            self._store, is_new = opened(self, create=create)
            follow(self, self._store, is_new=is_new)
        return self._store

    def _transcripts(self, *, create: bool) -> SqliteTranscripts:
        from memoro.backends.sqlite.transcripts import SqliteTranscripts

        return SqliteTranscripts(self._open(create=create))

    def close(self) -> None:
        """Let go of everything; the plain files are written, and the day's backup is made, here,
        after the answer was given."""
        self._end_idle()
        store, self._store = self._store, None
        if store is not None:
            from memoro.app.storing import close

            close(self, store)

    def _end_idle(self) -> None:
        idle, self.idle = self.idle, None
        if idle is not None:
            idle.end()

    def mend(self, damage: StoreDamagedError) -> None:
        """Set a store aside that was found damaged while it was in use, and rebuild it.

        Raises:
            StoreLockedError: other processes have it open.
        """
        from memoro.app.storing import rebuild

        self._end_idle()
        store, self._store = self._store, None
        if store is not None:
            store.close()
        rebuild(self, damage)

    def opened(self) -> SqliteStore | None:
        """The store, where it is open."""
        return self._store

    def mirrors(self) -> bool:
        """Whether the plain files are kept up."""
        try:
            return self.settings.text("mirror") == "on"
        except SettingsError as error:
            told = f"{error.what}; the plain files are left as they are"
            self.notices += [] if told in self.notices else [told]
            return False

    def folder(self) -> str:
        """The folder that we are in."""
        return self._folder or _current_folder()

    def files_read(self) -> FileCache:
        """The instruction files that were read, kept for the next turn."""
        if self._read is None:
            from memoro.bootstrap.instructions import FileCache

            self._read = FileCache()
        return self._read

    def embedder(self) -> Embedder | None:
        """What makes the vectors for recall; None where words alone decide.

        Raises:
            ModelNotConfiguredError: a key, an address, a file or a package is missing.
        """
        if self._embedder is None:
            from memoro.app.embedding import connect

            self._embedder = connect(self)
        return self._embedder

    def bundled_embedder(self) -> Embedder:
        """The embedder that comes with Memoro."""
        if self._bundled is None:
            from memoro.backends.embedding.static import StaticEmbedder

            self._bundled = StaticEmbedder()
        return self._bundled

    def work_behind(self, *words: str) -> None:
        """Have another process of ours do something that nobody waits for; one at a time."""
        now = self.now()
        if self._behind is not None and now - self._behind < _BEHIND_EVERY:
            return
        self._behind = now
        from memoro.backends.sqlite.background import start

        start(self.settings.home, words, self.settings.environ)


def new_id(prefix: str) -> str:
    """A random ID of 60 bits, its kind in front."""
    number = int.from_bytes(os.urandom(8), "big")
    letters = (_ID_ALPHABET[(number >> (5 * place)) & 31] for place in range(_ID_LENGTH))
    return f"{prefix}_{''.join(letters)}"


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise UsageError(
            "the current folder does not exist any more", "change to one that does: cd"
        ) from error
