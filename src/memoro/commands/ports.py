"""What handlers reach the outside through, and the values that pass there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from memoro.memory.claims import Claim, Seen
    from memoro.memory.dates.window import Calendar
    from memoro.memory.graph import Graph
    from memoro.memory.recall.asked import Weights
    from memoro.memory.recall.finding import Finder
    from memoro.memory.store import MemoryStore
    from memoro.session.usage import Usage


class SettingView(NamedTuple):
    """A setting as it stands: its value, and where that comes from (a variable, the file, the
    default)."""

    name: str
    value: str
    source: str
    env: str
    help: str


class Configuration(Protocol):
    """Reads and writes the user's settings and keys."""

    def settings(self) -> Sequence[SettingView]: ...

    def set(self, name: str, value: str) -> str:
        """Keep a setting; gives the file it stands in. Raises SettingsError."""
        ...

    def unset(self, name: str) -> bool:
        """Back to the default; False where the file didn't set it."""
        ...

    def store_key(self, provider: str, key: str) -> None:
        """Keep a provider's key in the system keyring."""
        ...

    def delete_key(self, provider: str) -> bool:
        """Take a key out of the keyring; False where there was none."""
        ...


class Check(NamedTuple):
    """One line of `doctor`: what was looked at, how it is, and what to do."""

    name: str
    ok: bool
    told: str
    fix: str = ""


class Doctor(Protocol):
    """Looks at the installation, and mends what it is asked to."""

    def checks(self) -> Sequence[Check]: ...

    def restore(self, backup: str | None) -> tuple[str, str]:
        """Put a backup (the newest sound one by default) in the store's place; gives the backup
        and where the replaced store is now."""
        ...


class Terminal(Protocol):
    """Asks the person at the keyboard."""

    def edit(self, text: str) -> str:
        """Open a text in the user's editor and give it back as it was saved."""
        ...

    def keep(self, text: str) -> str:
        """Keep a text that was typed and could not be used; gives the file it is in."""
        ...

    def confirm(self, question: str) -> bool | None:
        """Ask for a yes or no; None where nobody is there to ask."""
        ...

    def secret(self, question: str) -> str:
        """Ask for something that must not be shown."""
        ...


class Places(NamedTuple):
    """Where we are: `home` is Memoro's folder, `folder` the current one."""

    home: str
    folder: str


class Masked(NamedTuple):
    """A text without its secrets, and the kinds of those that were there."""

    text: str
    kinds: tuple[str, ...]


class Workspace(Protocol):
    """The workspace that the current folder lies in."""

    @property
    def root(self) -> str:
        """Its folder."""
        ...

    @property
    def marked(self) -> bool:
        """Whether the root holds a marker, such as `.git`; else it is just the current folder."""
        ...

    @property
    def user_home(self) -> str: ...

    def branch(self) -> str | None:
        """The branch that it is on."""
        ...

    def branch_tip(self, branch: str) -> str | None:
        """What to remember of a branch for the day on which it is deleted."""
        ...

    def is_merged(self, branch: str, remembered: str | None) -> bool | None:
        """Whether a branch is merged here; None where that can't be told."""
        ...

    def has_commits(self, commits: Sequence[str]) -> bool | None:
        """Whether the repository here holds these commits; None where that can't be told."""
        ...


class Learning(NamedTuple):
    """What handlers of learned memory need besides."""

    mode: Callable[[], Literal["auto", "review", "off"]]
    max_facts: Callable[[], int]
    mask: Callable[[str], Masked]
    calendar: Callable[[], Calendar]
    workspace: Callable[[], Workspace]
    look: Callable[[Sequence[Claim], str | None], Sequence[Seen]]
    graph: Callable[[MemoryStore], Graph]
    usage: Callable[[MemoryStore], Usage]


class Reindexed(NamedTuple):
    """An index that is up: its turns and records, how many vectors are still waited for, what there
    is to tell, and whether that is that some could not be made."""

    turns: int
    records: int
    waiting: int
    told: str = ""
    failed: bool = False


class Recalling(NamedTuple):
    """What recall needs besides.

    `ready` brings the index up, and says in a line what it still lacks. `row` is the vector of a
    question, empty where there is none, with a line on what is wrong; `by_meaning` whether what is
    near to it is looked at whatever its words, and `weights` what each signal is worth then.
    `finder` opens the index. `keep_embedding` makes vectors that are waited for, at most so many.
    `reindex` makes all of it anew, or just what is missing. `imagined` is an answer that a model
    makes up to find the true one, where that is on. `page_characters` bounds what a prompt has of
    what was learned; 0 means nothing of it. `embedding_costs` are an
    embedder's name, the texts that it was given, and the tokens that it counted.
    """

    ready: Callable[[MemoryStore], str]
    row: Callable[[MemoryStore, str], tuple[bytes, str]]
    finder: Callable[[MemoryStore], AbstractContextManager[Finder]]
    by_meaning: Callable[[MemoryStore], bool]
    weights: Callable[[MemoryStore], Weights]
    keep_embedding: Callable[[MemoryStore, int | None], None]
    reindex: Callable[[MemoryStore, bool], Reindexed]
    imagined: Callable[[MemoryStore, str], tuple[str, str]]
    page_characters: Callable[[], int]
    embedding_costs: Callable[[MemoryStore], Sequence[tuple[str, int, int]]]
