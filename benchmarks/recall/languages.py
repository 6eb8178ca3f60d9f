"""Short texts in many languages, found in their own and across.

The same texts are there in ten languages. `part` asks with the middle sixth of a text, cut at
spaces where there are some. Of a text of two sentences or more, `rest` asks with the last one for
the text without it. `label` asks with what a reader noted down (there are notes in English and
Korean). `cross` asks in English for the text in the other language.

`scripts.jsonl` beside this file is ours: statements, each with a question in other words.
"""

from __future__ import annotations

import json
import re
import tarfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from loading import Question, Row, Unit, World, rows

_START = datetime(2026, 5, 10, tzinfo=UTC)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？।])\s*")
_SETS = ("memory_extraction", "room_classification", "entity_extraction")
_LEAST = 12
"""So many characters has a sentence that can be asked with."""

Texts = dict[str, str]


def languages(path: Path, cross: bool = False) -> list[World]:
    """Two worlds a language, with whole and shortened texts; with `cross`, whole ones alone."""
    files = _files(path)
    texts = {language: _texts(files, language) for language in _languages(files)}
    if cross:
        return [
            _whole(f"{language} cross", own, {"cross": _last(texts["en"])})
            for language, own in texts.items()
            if language != "en"
        ]
    worlds: list[World] = []
    for language, own in texts.items():
        notes = _notes(files, language)
        worlds.append(_whole(language, own, {"part": _middle(own), "label": notes}))
        shortened = {key: text.removesuffix(_last(own).get(key, "")) for key, text in own.items()}
        worlds.append(_whole(f"{language} shortened", shortened, {"rest": _last(own)}))
    return worlds


def scripts() -> list[World]:
    """A world a language, of short statements and questions in other words."""
    texts: dict[str, Texts] = {}
    asked: dict[str, Texts] = {}
    for row in rows(Path(__file__).with_name("scripts.jsonl")):
        texts.setdefault(row["language"], {})[row["id"]] = row["text"]
        asked.setdefault(row["language"], {})[row["id"]] = row["question"]
    return [_whole(language, own, {"asked": asked[language]}) for language, own in texts.items()]


def _files(path: Path) -> dict[str, list[Row]]:
    with tarfile.open(path) as archive:
        found: dict[str, list[Row]] = {}
        for member in archive.getmembers():
            stream = archive.extractfile(member) if member.name.endswith(".jsonl") else None
            if stream is not None:
                lines = stream.read().decode().splitlines()
                name = "/".join(Path(member.name).parts[-2:])
                found[name] = [json.loads(line) for line in lines if line.strip()]
    return found


def _languages(files: dict[str, list[Row]]) -> list[str]:
    names = (re.fullmatch(rf"{_SETS[0]}/dataset\.(.+)\.jsonl", name) for name in files)
    return ["en", *sorted(match[1] for match in names if match)]


def _file(kind: str, language: str) -> str:
    return f"{kind}.jsonl" if language == "en" else f"{kind}.{language}.jsonl"


def _texts(files: dict[str, list[Row]], language: str) -> Texts:
    name = _file("dataset", language)
    rows = [row for kind in _SETS for row in files.get(f"{kind}/{name}", [])]
    return {row["id"]: row.get("text") or row["session_summary"] for row in rows}


def _notes(files: dict[str, list[Row]], language: str) -> Texts:
    rows = files.get(f"memory_extraction/{_file('labels', language)}", [])
    return {row["id"]: row["memories"][0]["content"] for row in rows if row["memories"]}


def _last(texts: Texts) -> Texts:
    """The last sentence of each text of several."""
    found: Texts = {}
    for key, text in texts.items():
        sentences = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
        if len(sentences) > 1 and len(sentences[-1]) >= _LEAST:
            found[key] = sentences[-1]
    return found


def _middle(texts: Texts) -> Texts:
    found: Texts = {}
    for key, text in texts.items():
        middle = text[5 * len(text) // 12 : 7 * len(text) // 12]
        words = middle.split()
        found[key] = " ".join(words[1:-1]) if len(words) > 3 else middle
    return found


def _whole(name: str, texts: Texts, asked: dict[str, Texts]) -> World:
    """Each text a session of its own; what is asked by kind, then by the text's own key."""
    numbers = {key: str(number) for number, key in enumerate(texts)}
    units = tuple(
        Unit(numbers[key], f"s{place + 1:04}", "user", "", text, _START + timedelta(hours=place))
        for place, (key, text) in enumerate(texts.items())
    )
    now = _START + timedelta(hours=len(texts))
    language = name.split()[0]
    questions = tuple(
        Question(
            f"{kind} {key}",
            f"{language} {kind}",
            query,
            now,
            frozenset([numbers[key]]),
            frozenset(),
            "",
        )
        for kind, queries in asked.items()
        for key, query in queries.items()
        if key in numbers
    )
    return World(name, units, questions)
