"""Provider keys in the system keyring, for those who keep none in the environment."""

from __future__ import annotations

from memoro.errors import MemoroError

SERVICE = "memoro"


def key_variable(provider: str) -> str:
    """The environment variable for a provider's key, such as `OPENAI_API_KEY`."""
    return provider.upper().replace("-", "_").replace("/", "_") + "_API_KEY"


def key_fix(provider: str) -> str:
    """The line that sets a provider's key."""
    return f"export {key_variable(provider)}=…  or: memoro config set-key {provider}"


def read_key(provider: str) -> str | None:
    """The stored key; None where there is none, or no keyring that can be used."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, provider) or None
    except (KeyringError, OSError, RuntimeError):
        return None


def store_key(provider: str, key: str) -> None:
    """Keep a provider's key, replacing the one before.

    Raises:
        MemoroError: no keyring can be used here.
    """
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        raise _no_keyring(provider, "the package keyring is not installed") from None
    try:
        keyring.set_password(SERVICE, provider, key)
    except (KeyringError, OSError, RuntimeError) as error:
        raise _no_keyring(provider, type(error).__name__) from error
    # keyring's null backend accepts everything and keeps nothing.
    if read_key(provider) != key:
        raise _no_keyring(provider, "it did not keep the key")


def delete_key(provider: str) -> bool:
    """Forget a provider's key; False where none was stored.

    Raises:
        MemoroError: the keyring holds the key but does not let go of it.
    """
    if read_key(provider) is None:
        return False
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.delete_password(SERVICE, provider)
    except (KeyringError, OSError, RuntimeError) as error:
        what = f"the system keyring did not delete the key of {provider} ({type(error).__name__})"
        raise MemoroError(what, "unlock the keyring and try again") from error
    return True


def _no_keyring(provider: str, reason: str) -> MemoroError:
    what = f"the system keyring can't be used here ({reason})"
    return MemoroError(what, f"export {key_variable(provider)}=…")
