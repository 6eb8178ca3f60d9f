"""Keys in the system keyring, over a keyring kept in memory."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from memoro.backends.secrets import delete_key, key_variable, read_key, store_key
from memoro.errors import MemoroError


class InMemory(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not there")


class Locked(InMemory):
    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked("locked")


class Stubborn(InMemory):
    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError("no")


@pytest.fixture(autouse=True)
def before() -> Iterator[None]:
    used = keyring.get_keyring()
    yield
    keyring.set_keyring(used)


def use(backend: KeyringBackend) -> None:
    keyring.set_keyring(backend)


def test_a_key_is_kept_replaced_and_deleted() -> None:
    backend = InMemory()
    use(backend)
    assert read_key("openai") is None
    store_key("openai", "sk-1")
    store_key("openai", "sk-2")
    assert backend.kept == {("memoro", "openai"): "sk-2"}
    assert read_key("openai") == "sk-2"
    assert read_key("anthropic") is None
    assert delete_key("openai") is True
    assert read_key("openai") is None
    assert delete_key("openai") is False


@pytest.mark.requirement("P02")
@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring, Locked])
def test_without_a_usable_keyring_the_environment_variable_is_named(
    backend: type[KeyringBackend],
) -> None:
    use(backend())
    assert read_key("openai") is None
    assert delete_key("openai") is False
    with pytest.raises(MemoroError) as caught:
        store_key("openai", "sk-secret")
    assert caught.value.fix == "export OPENAI_API_KEY=…"
    assert "sk-secret" not in caught.value.what


def test_a_key_that_stays_is_not_said_to_be_deleted() -> None:
    use(Stubborn())
    store_key("openai", "sk-1")
    with pytest.raises(MemoroError, match="did not delete"):
        delete_key("openai")


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY"), ("x-y", "X_Y_API_KEY")],
)
def test_the_variable_of_a_provider(provider: str, variable: str) -> None:
    assert key_variable(provider) == variable
