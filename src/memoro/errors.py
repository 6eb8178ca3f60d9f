"""Everything that Memoro raises on purpose, as one tree.

    MemoroError
    ├── RefusedError          a refusal, in the library
    ├── UsageError            the request itself is wrong
    │   └── SettingsError     a setting has a value that can't be used
    ├── TooLargeError         a byte budget or limit does not hold
    ├── FileRefusedError      a file that we read has the wrong kind or encoding
    ├── StoreError            the store can't do what was asked
    │   ├── StoreDamagedError     its bytes are not a sound database
    │   ├── StoreTooNewError      a newer Memoro wrote it
    │   ├── StoreForeignError     another program wrote it
    │   └── StoreLockedError      another process holds it
    └── ModelError            no answer came from the model
        ├── ModelNotConfiguredError   a setting or key is missing
        ├── ModelRefusedError         the provider refused the key or the request
        ├── ModelBusyError            rate limit or overload
        ├── ModelUnreachableError     no connection, or no answer in time
        └── ModelBrokenError          the answer was cut off or is not an answer

Expected outcomes (a key that exists already, a session that does not) are values, `Refusal`;
the exceptions are for what is broken.
"""

from enum import Enum
from typing import ClassVar, NamedTuple


class Reason(Enum):
    """Why a request was not carried out; each surface maps it to its own code in one place."""

    FAILED = "failed"
    USAGE = "usage"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    LOCKED = "locked"
    MODEL = "model"
    TOO_LARGE = "too_large"
    CANCELLED = "cancelled"


class Refusal(NamedTuple):
    """A request that was understood, not carried out, and changed nothing.

    `what` is one line; `fix` the one line that gets the caller further, where there is one.
    `notices` is what there is to tell besides, a line each.
    """

    reason: Reason
    what: str
    fix: str | None = None
    notices: tuple[str, ...] = ()


class MemoroError(Exception):
    """Something is broken.

    Args:
        what: what happened, and to what; one line, no final full stop.
        fix: the one line that mends it, where there is one.

    `kept` says where what had been done before is kept, where something was; `notices` what there
    is to tell besides, a line each.
    """

    reason: ClassVar[Reason] = Reason.FAILED
    kept: str | None = None
    notices: tuple[str, ...] = ()

    def __init__(self, what: str, fix: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class RefusedError(MemoroError):
    """A refusal where a surface can only raise: in the library."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.what, refusal.fix)
        self.refusal = refusal


class UsageError(MemoroError):
    """The request can't be understood as it stands."""

    reason = Reason.USAGE


class SettingsError(UsageError):
    """A setting has a value that can't be used."""


class TooLargeError(MemoroError):
    """Something is over its limit; nothing was cut to make it fit."""

    reason = Reason.TOO_LARGE


class FileRefusedError(MemoroError):
    """A file exists but is not what it has to be (a regular UTF-8 file, usually)."""


class StoreError(MemoroError):
    """The store can't do what was asked: no space, no permission, no folder."""


class StoreDamagedError(StoreError):
    """The store's bytes are not a sound database."""


class StoreTooNewError(StoreError):
    """The store has a schema that a newer Memoro wrote; it is left alone."""


class StoreForeignError(StoreError):
    """The file is a database of another program; it is left alone."""


class StoreLockedError(StoreError):
    """Another process holds the store, or the session, for longer than we wait."""

    reason = Reason.LOCKED


class ModelError(MemoroError):
    """No usable answer came from the model."""

    reason = Reason.MODEL


class ModelNotConfiguredError(ModelError):
    """A model, a key or an extra package is missing."""


class ModelRefusedError(ModelError):
    """The provider refused the key or the request."""


class ModelBusyError(ModelError):
    """The provider is overloaded or the rate limit is reached."""


class ModelUnreachableError(ModelError):
    """No connection, or no answer in time."""


class ModelBrokenError(ModelError):
    """The answer was cut off, or is not an answer at all."""
