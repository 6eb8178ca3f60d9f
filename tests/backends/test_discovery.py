"""Looking for model servers on this machine."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from memoro.backends.discovery import LocalServer, find_local_servers, is_loopback
from memoro.errors import UsageError
from model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(models=("llama3.2:3b", "qwen3:8b")) as running:
        yield running


def test_a_server_is_found_with_its_models(server: ModelServer) -> None:
    address = ("ollama", f"{server.url}/v1")
    found = find_local_servers([address], timeout=10)
    assert found == [LocalServer(*address, ("llama3.2:3b", "qwen3:8b"))]


def test_the_order_of_the_addresses_is_kept(server: ModelServer) -> None:
    with ModelServer(models=()) as other:
        addresses = [("lmstudio", f"{other.url}/v1"), ("ollama", f"{server.url}/v1/")]
        found = find_local_servers(addresses, timeout=10)
    assert [(place.provider, len(place.models)) for place in found] == [
        ("lmstudio", 0),
        ("ollama", 2),
    ]


def test_what_is_no_model_server_is_not_found(server: ModelServer) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}/v1"
    addresses = [("ollama", closed), ("llamacpp", f"{server.url}/elsewhere")]
    assert find_local_servers(addresses, timeout=10) == []


def test_a_silent_server_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = ("ollama", f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        assert find_local_servers([address], timeout=0.1) == []


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"SSH-2.0-x\r\n", b""]
)
def test_an_unexpected_answer_is_not_found(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = ("ollama", f"http://127.0.0.1:{listener.getsockname()[1]}/v1")

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        assert find_local_servers([address], timeout=10) == []
        thread.join()


@pytest.mark.parametrize(
    "url", ["http://example.com/v1", "http://192.168.1.5/v1", "http://127.0.0.1.evil.org/v1", "x"]
)
def test_another_machine_is_refused_before_anything_is_asked(server: ModelServer, url: str) -> None:
    with pytest.raises(UsageError, match="loopback"):
        find_local_servers([("ollama", f"{server.url}/v1"), ("openai", url)])
    assert server.requests == []


@pytest.mark.parametrize(
    "url", ["http://localhost:1/v1", "http://127.0.0.1:1/v1", "http://[::1]:1/v1"]
)
def test_addresses_of_this_machine(url: str) -> None:
    assert is_loopback(url)


def test_proxies_are_not_used(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert len(find_local_servers([("ollama", f"{server.url}/v1")], timeout=10)) == 1
