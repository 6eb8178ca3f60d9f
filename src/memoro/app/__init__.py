"""The composition root: the only room that names concrete classes, and the owner of the clock."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memoro.backends.mirror.watching import FOLDER, is_edited, owes
from memoro.backends.sqlite.opening import StoreOptions, open_store
from memoro.backends.sqlite.paths import StorePaths
from memoro.commands.services import Services
from memoro.errors import (
    MemoroError,
    ModelNotConfiguredError,
    SettingsError,
    StoreDamagedError,
    UsageError,
)
from memoro.settings import Settings, local_servers

if TYPE_CHECKING:
    from memoro.backends.embedding.connecting import EmbedOptions
    from memoro.backends.models import ModelOptions
    from memoro.backends.sqlite.store import SqliteStore
    from memoro.backends.sqlite.transcripts import SqliteTranscripts
    from memoro.bootstrap.instructions import BootstrapOptions, FileCache, Instructions
    from memoro.bootstrap.loaders.results import Homes
    from memoro.bootstrap.personal import PersonalFiles
    from memoro.bootstrap.workspace import Match
    from memoro.commands.ports import (
        Configuration,
        Doctor,
        Erasing,
        Exporting,
        Importing,
        Learning,
        Mirroring,
        Places,
        Recalling,
        Terminal,
    )
    from memoro.memory.recall.embedding import Embedder
    from memoro.session.context import ContextOptions
    from memoro.session.model import ModelClient

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 12
_LOOPBACK_PROVIDERS = ("ollama", "lmstudio", "llamacpp")
_BEHIND_EVERY = timedelta(minutes=1)
"""How long a process waits before it has something done behind again, lest a provider that fails
keep processes coming."""

DEFAULT_MODEL_HINT = "memoro config set model openai:gpt-5-mini"


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

    def now(self) -> datetime:
        """The clock: an aware UTC instant, or what `MEMORO_NOW` fixes it to."""
        return self._fixed or datetime.now(UTC)

    def services(self, *, writes: bool) -> Services:
        """What handlers are given. Without `writes`, a home without a store is left without."""

        return Services(
            open_store=lambda: self._open(create=writes),
            open_transcripts=lambda _: self._transcripts(create=writes),
            now=self.now,
            show_time=lambda at: at.astimezone().strftime("%Y-%m-%d %H:%M"),
            now_text=self._now_text,
            new_id=new_id,
            places=self._places,
            context=self._context,
            personal=self._personal,
            instructions=self._instructions,
            bootstrap=self.bootstrap_options,
            tool_homes=self._tool_homes,
            identify=self._identify,
            match_project=self._match_project,
            connect=self.connect,
            offers_tools=self._offers_tools,
            configuration=self._configuration,
            doctor=self._doctor,
            terminal=self._terminal,
            learning=self._learning,
            recalling=self._recall,
            importing=self._import,
            exporting=self._export,
            erasing=self._erase,
            mirroring=self._mirror,
        )

    def close(self) -> None:
        """Let go of everything; the plain files are written, and the day's backup is made, here,
        after the answer was given."""
        store, self._store = self._store, None
        if store is None:
            return
        try:
            if self._mirror_is_due(store):
                from memoro.app.mirroring import finish

                finish(self, store)
        finally:
            store.close(self.now)

    def _open(self, *, create: bool) -> SqliteStore:
        if self._store is None:
            paths = StorePaths(self.settings.home)
            is_new = not any(map(os.path.lexists, (paths.database, paths.successor)))
            if is_new:
                from memoro.backends.mirror.watching import has_files

                # Files without a store are those of one that was lost, or lay on another machine.
                is_new = has_files(paths.home)
                create = create or is_new
            opened = open_store(self.store_options(), self.now(), create=create)
            self._store = opened.store
            self.notices.extend(opened.notices)
            self._follow_mirror(opened.store, is_new=is_new)
        return self._store

    def _follow_mirror(self, store: SqliteStore, *, is_new: bool) -> None:
        """Take what a person changed in the plain files. Nothing is loaded where nothing has."""
        if store.paths is None or store.connection.readonly("main"):
            return

        def clean() -> tuple[str, ...]:
            from memoro.app.mirroring import cleaned

            return cleaned(self, store)

        store.also_clean = clean
        with store.guarded():
            edited = not self.merges_itself and is_edited(
                store.connection, os.path.join(self.settings.home, FOLDER)
            )
        if edited or is_new:
            from memoro.app.mirroring import start

            start(self, store, is_new=is_new)

    def _mirror_is_due(self, store: SqliteStore) -> bool:
        """Whether the plain files may have to be written: something was changed here, or somebody
        was killed before they were clean of what was forgotten."""
        if store.paths is None or store.connection.readonly("main"):
            return False
        try:
            with store.guarded():
                return (store.wrote and self.mirrors()) or owes(store.connection)
        except MemoroError:
            # Told where it is met on the way of a command.
            return False

    def mirrors(self) -> bool:
        """Whether the plain files are kept up."""
        try:
            return self.settings.text("mirror") == "on"
        except SettingsError as error:
            self.notices.append(f"{error.what}; the plain files are left as they are")
            return False

    def mend(self, damage: StoreDamagedError) -> None:
        """Set a store aside that was found damaged while it was in use, and rebuild it.

        Raises:
            StoreLockedError: other processes have it open.
        """
        from memoro.backends.sqlite.repair.rebuilding import rebuild

        store, self._store = self._store, None
        if store is not None:
            store.close()
        options = self.store_options()
        self.notices += rebuild(
            StorePaths(options.home), self.now(), options.wait_seconds, damage.what
        )

    def store_options(self) -> StoreOptions:
        """How the store is opened."""
        return StoreOptions(self.settings.home, self.settings.number("lock_seconds"))

    def _transcripts(self, *, create: bool) -> SqliteTranscripts:
        from memoro.backends.sqlite.transcripts import SqliteTranscripts

        return SqliteTranscripts(self._open(create=create))

    def _learning(self) -> Learning:
        from memoro.commands.ports import Learning

        return Learning(*self._wired("memoro.app.learning", Learning._fields))

    def _recall(self) -> Recalling:
        from memoro.commands.ports import Recalling

        return Recalling(*self._wired("memoro.app.recalling", Recalling._fields))

    def _import(self) -> Importing:
        from memoro.commands.ports import Importing

        return Importing(*self._wired("memoro.app.importing", Importing._fields))

    def _mirror(self) -> Mirroring:
        from memoro.commands.ports import Mirroring

        self.merges_itself = True
        return Mirroring(*self._wired("memoro.app.mirroring", Mirroring._fields))

    def _erase(self) -> Erasing:
        from memoro.commands.ports import Erasing

        return Erasing(*self._wired("memoro.app.erasing", Erasing._fields))

    def _export(self) -> Exporting:
        from memoro.commands.ports import Exporting

        return Exporting(*self._wired("memoro.app.exporting", Exporting._fields))

    def _wired(self, module: str, names: Sequence[str]) -> list[Callable[..., Any]]:
        # Each is loaded when it is first used: most commands need none of them.
        def wired(name: str) -> Callable[..., Any]:
            def use(*arguments: Any) -> Any:
                from importlib import import_module

                return getattr(import_module(module), name)(self, *arguments)

            return use

        return [wired(name) for name in names]

    def _configuration(self) -> Configuration:
        from memoro.app.configuration import ConfigurationFile

        return ConfigurationFile(self.settings)

    def _doctor(self) -> Doctor:
        from memoro.app.examination import Examination

        return Examination(self)

    def _terminal(self) -> Terminal:
        from memoro.app.person import Person

        return Person(self.settings)

    def folder(self) -> str:
        """The folder that we are in."""
        return self._folder or _current_folder()

    def _places(self) -> Places:
        from memoro.commands.ports import Places

        return Places(self.settings.home, self.folder())

    def _context(self) -> ContextOptions:
        from memoro.session.context import ContextOptions

        return ContextOptions(
            self.settings.number("facts_bytes"), self.settings.number("context_bytes")
        )

    def _now_text(self) -> str:
        local = self.now().astimezone()
        return f"{local:%A, %d %B %Y, %H:%M:%S} {local:%Z} (UTC{local:%z})"

    def _personal(self) -> PersonalFiles:
        from memoro.bootstrap.personal import read_personal

        return read_personal(
            self.settings.home,
            self.settings.number("soul_bytes"),
            self.settings.number("profile_bytes"),
        )

    def _instructions(self, in_play: Sequence[str], own: Mapping[str, str | None]) -> Instructions:
        from memoro.bootstrap.instructions import FileCache, load_instructions

        if self._read is None:
            self._read = FileCache()
        return load_instructions(self.folder(), self.bootstrap_options(), in_play, self._read, own)

    def bootstrap_options(self) -> BootstrapOptions:
        """How instruction files are loaded."""
        from memoro.bootstrap.instructions import BootstrapOptions

        settings = self.settings
        return BootstrapOptions(
            home=settings.home,
            global_dir=settings.folder("bootstrap.dir") or settings.home,
            user_home=settings.user_home,
            enabled=settings.text("bootstrap.enabled") == "on",
            threat_scan=settings.text("bootstrap.threatscan") == "on",
            fallback_names=tuple(settings.items("bootstrap.fallback_names")),
        )

    def _tool_homes(self) -> Homes:
        from memoro.bootstrap.loaders.results import homes_of

        settings = self.settings
        homes = homes_of(settings.user_home, *settings.tool_homes())
        return homes._replace(memoro=settings.home)

    def _identify(self, folder: str) -> Mapping[str, Any]:
        from memoro.bootstrap.workspace import identify

        identity = identify(folder, self.settings.environ)
        return {**identity._asdict(), "roots": list(identity.roots)}

    def _match_project(self, known: Sequence[tuple[str, Mapping[str, Any]]]) -> Match:
        return self.match(known, self.folder())

    def match(self, known: Sequence[tuple[str, Mapping[str, Any]]], folder: str) -> Match:
        """Which of these identities a folder has."""
        from memoro.bootstrap.workspace import Identity, matches

        registered = [
            (
                name,
                Identity(
                    data["path"],
                    data.get("common_dir"),
                    data.get("subpath", ""),
                    tuple(data.get("roots", ())),
                ),
            )
            for name, data in known
        ]
        return matches(folder, registered, self.settings.environ)

    def connect(self) -> ModelClient:
        """Reach the configured model.

        Raises:
            ModelNotConfiguredError: a setting or key is missing.
        """
        options = self.model_options()
        if options is None:
            raise self.no_model()
        from memoro.backends.models import connect

        return connect(options)

    def _offers_tools(self) -> bool:
        options = self.model_options()
        if options is None:
            return True
        from memoro.backends.reaching import offers_tools

        return offers_tools(options)

    def model_options(self) -> ModelOptions | None:
        """How the configured model is reached; None where none is configured."""
        settings = self.settings
        name = settings.text("model")
        if not name:
            return None
        from memoro.backends.models import ModelOptions

        provider = name.partition(":")[0]
        address = self._address(provider)
        tools = settings.text("tools")
        assert tools in ("auto", "on", "off"), "settings check their choices"
        return ModelOptions(
            name=name,
            api_key=self._key(provider),
            base_url=address or None,
            timeout_seconds=float(settings.number("model_timeout")),
            tools=tools,
            context_tokens=settings.number("local_context"),
            max_output_tokens=settings.number("max_output_tokens") or None,
        )

    def embedder(self) -> Embedder | None:
        """What makes the vectors for recall; None where words alone decide.

        Raises:
            ModelNotConfiguredError: a key, an address, a file or a package is missing.
        """
        if self._embedder is None:
            from memoro.backends.embedding.connecting import connect_embedder

            self._embedder = connect_embedder(self._embed_options())
        return self._embedder

    def bundled_embedder(self) -> Embedder:
        """The embedder that comes with Memoro."""
        if self._bundled is None:
            from memoro.backends.embedding.static import StaticEmbedder

            self._bundled = StaticEmbedder()
        return self._bundled

    def _embed_options(self) -> EmbedOptions:
        from memoro.backends.embedding.connecting import KEY_NAMES, EmbedOptions

        provider = self.settings.text("embed_provider")
        own = self.settings.text("openai_base_url") if provider == "openai" else ""
        keys = (self._key(name) for name in KEY_NAMES.get(provider, ()))
        return EmbedOptions(
            provider,
            self.settings.text("embed_model"),
            self.settings.text("embed_base_url") or own or None,
            next((key for key in keys if key is not None), None),
        )

    def work_behind(self, *words: str) -> None:
        """Have another process of ours do something that nobody waits for; one at a time."""
        now = self.now()
        if self._behind is not None and now - self._behind < _BEHIND_EVERY:
            return
        self._behind = now
        from memoro.backends.sqlite.background import start

        start(self.settings.home, words, self.settings.environ)

    def _address(self, provider: str) -> str:
        if provider in ("openai", "anthropic"):
            return self.settings.text(f"{provider}_base_url")
        return dict(local_servers(self.settings.text("local_servers"))).get(provider, "")

    def _key(self, provider: str) -> str | None:
        if provider == "local" or provider in _LOOPBACK_PROVIDERS:
            return None
        key = self.settings.key(provider)
        if key is None:
            from memoro.backends.secrets import read_key

            key = read_key(provider)
        return key

    def no_model(self) -> ModelNotConfiguredError:
        """What is said where a model is needed and none is configured."""
        found = self.local_models()
        what = "no model is configured: the setting MEMORO_MODEL (model in config.toml) is missing"
        if found:
            return ModelNotConfiguredError(
                f"{what}; running on this machine: {', '.join(found[:5])}",
                f"memoro config set model {found[0]}",
            )
        return ModelNotConfiguredError(what, DEFAULT_MODEL_HINT)

    def local_models(self) -> list[str]:
        """The models that local servers offer, as settings of `model`."""
        from memoro.backends.discovery import find_local_servers

        addresses = local_servers(self.settings.text("local_servers"))
        servers = find_local_servers(addresses) if addresses else find_local_servers()
        return [f"{server.provider}:{model}" for server in servers for model in server.models]


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
