"""Derives the bundled embedder's files; see README.md beside this file.

    python weights/derive.py WHEEL SESSIONS

WHEEL is that of wordllama; SESSIONS are LongMemEval's sessions, a JSON object a line with
`turns` of [role, text, …], packed by xz.
"""

from __future__ import annotations

import json
import lzma
import math
import os
import struct
import sys
import unicodedata
import zipfile
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from memoro.backends.embedding import static
from memoro.memory.recall.function_words import FUNCTION_WORDS
from memoro.memory.recall.words import surface

VECTORS = "wordllama/weights/l2_supercat_256.safetensors"
TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"
LICENCE = "wordllama-0.4.0.post1.dist-info/licenses/LICENSE"
SESSIONS_FROM = 30  # words that stand in fewer sessions are left out
FUNCTION_SHARE = 3e-3  # what a function word of any language has at least
ABOUT = "# word, share of words (function words at least 0.003), share of turns\n"


def main(wheel: str, sessions: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        width, table = vectors(archive.read(VECTORS))
        names = pieces(json.loads(archive.read(TOKENIZER)))
        licence = archive.read(LICENCE)
    write("LICENSE.wordllama", licence)
    write("frequencies.tsv", counted(sessions).encode("utf-8"))
    kept = [at for at, name in enumerate(names) if reachable(name)]
    rows, scales = zip(*(rounded(table[at]) for at in kept), strict=True)
    names = [names[at] for at in kept]
    write("pieces.bin", packed(names, rows, scales, [0.0] * width))
    write("pieces.bin", packed(names, rows, scales, mean_of(sessions, width)))


def write(name: str, content: bytes) -> None:
    path = os.path.join(static.FOLDER, name)
    with open(path + ".new", "wb") as file:
        file.write(content)
    os.replace(path + ".new", path)
    sys.stdout.write(f"{len(content):>10,}  {name}\n")


def vectors(content: bytes) -> tuple[int, list[tuple[float, ...]]]:
    """The width and the rows of the one tensor of half floats."""
    size = int.from_bytes(content[:8], "little")
    described = json.loads(content[8 : 8 + size])["embedding.weight"]
    start, end = described["data_offsets"]
    width = described["shape"][1]
    numbers = content[8 + size + start : 8 + size + end]
    return width, list(struct.iter_unpack(f"<{width}e", numbers))


def pieces(tokenizer: dict[str, dict[str, dict[str, int]]]) -> list[str]:
    """The pieces by id, which is the order in which they are joined, too."""
    vocabulary = tokenizer["model"]["vocab"]
    return sorted(vocabulary, key=vocabulary.__getitem__)


def reachable(piece: str) -> bool:
    """Whether a lower-case word of letters and digits can come to have this piece.

    A piece is joined from its own letters alone, so leaving others out changes no word.
    """
    if piece.startswith("<0x"):
        return True
    if piece in {"▁", "."}:  # a dot stands in numbers
        return True
    letters = piece.removeprefix("▁")
    return letters == letters.lower() and all(map(_is_of_words, letters)) and letters != ""


def _is_of_words(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def rounded(row: Sequence[float]) -> tuple[bytes, float]:
    """The row as signed bytes, and what one of them is worth."""
    worth = max(map(abs, row)) / 127
    return bytes(round(value / worth) & 255 for value in row), worth


def packed(
    names: Sequence[str], rows: Sequence[bytes], scales: Sequence[float], mean: Sequence[float]
) -> bytes:
    text = "\n".join(names).encode("utf-8")
    head = static.HEADER.pack(static.MAGIC, len(names), len(mean), len(text))
    return b"".join((head, array("f", mean), array("f", scales), text, *rows))


def turns(path: str) -> Iterator[list[str]]:
    """The texts of each session."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield [turn[1] for turn in json.loads(line)["turns"]]


def counted(path: str) -> str:
    words: Counter[str] = Counter()
    by_turn: Counter[str] = Counter()
    by_session: Counter[str] = Counter()
    count = 0
    for session in turns(path):
        found = [surface(text) for text in session]
        for text in found:
            words.update(text)
            by_turn.update(set(text))
        by_session.update({word for text in found for word in text})
        count += len(found)
    total = words.total()
    kept = {word for word in words if by_session[word] >= SESSIONS_FROM} | FUNCTION_WORDS
    shares = {
        word: max(words[word] / total, FUNCTION_SHARE if word in FUNCTION_WORDS else 0)
        for word in kept
    }
    lines = [
        f"{word}\t{shares[word]:.3g}\t{by_turn[word] / count:.3g}\n"
        for word in sorted(kept, key=lambda word: (-shares[word], word))
    ]
    return ABOUT + "".join(lines)


def mean_of(path: str, width: int) -> list[float]:
    """The mean direction of the turns, with the table as it stands on disk."""
    embedder = static.StaticEmbedder()
    sums, count = [0.0] * width, 0
    for session in turns(path):
        for text in session:
            direction = embedder.direction(text)
            if direction:
                sums = [one + other for one, other in zip(sums, direction, strict=True)]
                count += 1
    sys.stdout.write(f"mean of {count:,} turns, length {math.hypot(*sums) / count:.3f}\n")
    return [value / count for value in sums]


if __name__ == "__main__":
    main(*sys.argv[1:])
