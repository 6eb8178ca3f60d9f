"""A sentence encoder on this machine: a folder with `model.onnx` and `tokenizer.json`.

One thread, for two beside a busy process are many times slower than one.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from memoro.backends.embedding.failures import Failure
from memoro.backends.embedding.provided import Answer
from memoro.errors import ModelBrokenError, ModelNotConfiguredError
from memoro.memory.recall.embedding import Purpose

_TEXTS_AT_ONCE = 16
_MOST_TOKENS = 512
_SAMPLE = 262_144
# Multilingual vocabularies have 119,000 entries and more, those of one language 30,000 to 50,000.
_MANY_ENTRIES = 100_000
_ENOUGH_OF_THEM = 0.05
_PROMPTS = "config_sentence_transformers.json"
_FIX = "memoro config set embed_model /FOLDER"


class OnnxModel:
    """The model in a folder; `name` is the folder's, with a mark of what is in it.

    The vector of a text is the mean of its tokens' vectors, or what the model itself calls its
    `sentence_embedding`. Where the folder says what a query or a passage begins with
    (`config_sentence_transformers.json`), they do. Of a longer text its first 512 tokens count,
    or as many as the tokenizer's file says.

    Raises:
        ModelNotConfiguredError: a package or a file is missing.
    """

    def __init__(self, folder: str) -> None:
        for package in ("onnxruntime", "tokenizers"):
            if find_spec(package) is None:
                what = f"an onnx embedder needs the package {package}, which is not installed"
                raise ModelNotConfiguredError(what, "pip install 'memoro[onnx]'")
        self._folder = os.path.expanduser(folder)
        if not os.path.isabs(self._folder):
            what = f"the setting embed_model is {folder!r}, and onnx needs a folder from the root"
            raise ModelNotConfiguredError(what, _FIX)
        self._files = _files(self._folder)
        name = os.path.basename(os.path.realpath(self._folder))
        self.name: str = f"{name}-{_mark(self._files.values())}"
        self._session: Any = None
        self._tokenizer: Any = None
        self._prompts: Mapping[Purpose, str] = {}

    @property
    def reads_all_scripts(self) -> bool:
        """Whether the vocabulary has many languages, or much of the scripts without spaces."""
        if self._load() is not None:
            return False
        vocabulary: Mapping[str, int] = self._tokenizer.get_vocab()
        if len(vocabulary) >= _MANY_ENTRIES:
            return True
        spaceless = sum(any("\u0e00" <= sign <= "\ud7af" for sign in entry) for entry in vocabulary)
        return spaceless >= _ENOUGH_OF_THEM * len(vocabulary)

    def ask(self, texts: Sequence[str], purpose: Purpose, seconds: float) -> Answer | Failure:
        """The vectors of these texts, however long it takes; loads the model before the first."""
        failure = self._load()
        if failure is not None:
            return failure
        prompt = self._prompts.get(purpose, "")
        vectors: list[list[float]] = []
        try:
            for start in range(0, len(texts), _TEXTS_AT_ONCE):
                some = texts[start : start + _TEXTS_AT_ONCE]
                vectors += self._encoded([prompt + text for text in some])
        except Exception as error:  # noqa: BLE001  the packages raise their own, of no common class
            return self._unusable(error)
        return Answer(vectors)

    def _load(self) -> Failure | None:
        if self._session is not None:
            return None
        try:
            self._tokenizer = import_module("tokenizers").Tokenizer.from_file(
                self._files["tokenizer.json"]
            )
            if self._tokenizer.truncation is None:
                self._tokenizer.enable_truncation(_MOST_TOKENS)
            self._tokenizer.no_padding()
            self._prompts = _prompts(self._files.get(_PROMPTS))
            runtime = import_module("onnxruntime")
            options = runtime.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 4
            self._session = runtime.InferenceSession(
                self._files["model.onnx"], options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  as above
            return self._unusable(error)
        return None

    def _encoded(self, texts: Sequence[str]) -> list[list[float]]:
        numpy = import_module("numpy")
        read = [self._tokenizer.encode(text) for text in texts]
        longest = max(len(one.ids) for one in read)
        given = {
            name: numpy.array(
                [getattr(one, field) + [0] * (longest - len(one.ids)) for one in read]
            )
            for name, field in _INPUTS.items()
        }
        types = {"tensor(int32)": numpy.int32}
        feed = {
            one.name: given[one.name].astype(types.get(one.type, numpy.int64))
            for one in self._session.get_inputs()
        }
        names = [one.name for one in self._session.get_outputs()]
        wanted = "sentence_embedding" if "sentence_embedding" in names else names[0]
        answer = self._session.run([wanted], feed)[0].astype(numpy.float32)
        if answer.ndim == 3:
            mask = given["attention_mask"].astype(numpy.float32)[:, :, None]
            answer = (answer * mask).sum(axis=1) / mask.sum(axis=1).clip(min=1.0)
        return answer.tolist()

    def _unusable(self, error: Exception) -> Failure:
        told = " ".join(str(error).split())[:200] or type(error).__name__
        what = f"the onnx model in {self._folder} can't be used: {told}"
        return Failure(ModelBrokenError(what, _FIX))


_INPUTS = {
    "input_ids": "ids",
    "attention_mask": "attention_mask",
    "token_type_ids": "type_ids",
}


def _files(folder: str) -> dict[str, str]:
    """The model's files by name, those beside it that hold its weights included."""
    found: dict[str, str] = {}
    # Published models often keep it one folder further down.
    for place in (os.path.join(folder, "onnx"), folder):
        try:
            names = os.listdir(place)
        except OSError:
            continue
        for name in names:
            wanted = name.startswith("model.onnx") or name in ("tokenizer.json", _PROMPTS)
            if wanted and os.path.isfile(os.path.join(place, name)):
                found[name] = os.path.join(place, name)
    for name in ("model.onnx", "tokenizer.json"):
        if name not in found:
            raise ModelNotConfiguredError(f"there is no {name} in the folder {folder}", _FIX)
    return dict(sorted(found.items()))


def _mark(paths: Iterable[str]) -> str:
    """Eight digits that differ for other files: by their sizes and their ends."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            with open(path, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                digest.update(f"{os.path.basename(path)}:{size}:".encode())
                for start in (0, max(0, size // 2 - _SAMPLE), max(0, size - _SAMPLE)):
                    file.seek(start)
                    digest.update(file.read(_SAMPLE))
        except OSError as error:
            what = f"the model file {path} can't be read ({error.strerror})"
            raise ModelNotConfiguredError(what, _FIX) from error
    return digest.hexdigest()[:8]


def _prompts(path: str | None) -> Mapping[Purpose, str]:
    if path is None:
        return {}
    with open(path, encoding="utf-8") as file:
        told: Any = json.load(file).get("prompts") or {}
    passage = told.get("document") or told.get("passage") or ""
    return {"query": str(told.get("query") or ""), "passage": str(passage)}
