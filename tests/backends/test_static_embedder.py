"""The bundled embedder, with the table that is shipped."""

from __future__ import annotations

import hashlib
import math
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoro.backends.embedding.static import (
    COMMONNESS,
    FOLDER,
    UNKNOWN_SHARE,
    StaticEmbedder,
    Table,
    frequencies,
    pieces,
    read_table,
)
from memoro.memory.recall.embedding import Embedder
from memoro.memory.recall.vectors import cosines, quantised
from memoro.memory.recall.words import surface

pytestmark = pytest.mark.requirement("R02")


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


@pytest.fixture(scope="module")
def table() -> Table:
    return read_table(str(Path(FOLDER, "pieces.bin")))


def cosine(embedder: Embedder, one: str, *others: str) -> list[float]:
    row, *rows = embedder.embed([one, *others], "passage")
    return cosines(row, rows)


def plainly(table: Table, text: str) -> list[float]:
    """The vector of a text, worked out a number at a time."""
    known = frequencies()
    total = [0.0] * table.width
    for word in surface(text):
        share = known[word].share_of_words if word in known else UNKNOWN_SHARE
        places = pieces(word, table.places)
        for place in places:
            row = table.rows[place * table.width : (place + 1) * table.width].cast("b")
            factor = COMMONNESS / (COMMONNESS + share) * table.scales[place] / len(places)
            total = [sum_ + value * factor for sum_, value in zip(total, row, strict=True)]
    length = math.hypot(*total)
    return [value / length - mean for value, mean in zip(total, table.mean, strict=True)]


# --- What is near what ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("sister", "sibling", "compiler"),
        ("sister", "brother", "invoice"),
        ("doctor", "physician", "guitar"),
        ("car", "automobile", "poem"),
        ("compiler", "programming", "grandmother"),
        ("happy", "joyful", "diesel"),
        ("irmã", "irmão", "compilador"),
    ],
)
def test_words_of_like_meaning_are_near(
    embedder: StaticEmbedder, word: str, near: str, far: str
) -> None:
    closer, further = cosine(embedder, word, near, far)
    assert closer > further + 0.1


@pytest.mark.parametrize(
    ("question", "answer", "others"),
    [
        (
            "What does my sibling do for a living?",
            "My sister got a job as a nurse at the hospital.",
            ["The compiler complains about a missing semicolon.", "We had pizza on Friday."],
        ),
        (
            "Which pet do I have?",
            "Our dog Bruno loves the park.",
            ["I bought a red car last week.", "The meeting is at ten in the main office."],
        ),
    ],
)
def test_an_answer_in_other_words_is_nearest(
    embedder: StaticEmbedder, question: str, answer: str, others: list[str]
) -> None:
    query = embedder.embed([question], "query")[0]
    near, *far = cosines(query, embedder.embed([answer, *others], "passage"))
    assert near > max(far)


def test_common_words_say_little(embedder: StaticEmbedder) -> None:
    padded, other = cosine(
        embedder, "guitar lessons", "and then the guitar lessons are to be in the", "and the to of"
    )
    assert padded > 0.8 > other


def test_case_accents_and_form_change_nothing(embedder: StaticEmbedder) -> None:
    rows = embedder.embed(["Café à Paris!", "CAFE A PARIS", "cafe\u0301 a\u0300 paris"], "passage")
    assert len(set(rows)) == 1


# --- How it is worked out -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "sister",
        "The quick brown fox jumps over the lazy dog, and then the dog sleeps.",
        "Straße, 東京 and Привет: 3.11.7 of zyxgrqv",
        " ".join(str(number) for number in range(3_000)) + " guitar" * 3_000,
    ],
    ids=["word", "sentence", "scripts", "more-than-a-block"],
)
def test_lanes_come_to_what_plain_sums_do(
    embedder: StaticEmbedder, table: Table, text: str
) -> None:
    found = memoryview(embedder.embed([text], "passage")[0]).cast("b")
    wanted = memoryview(quantised(plainly(table, text))).cast("b")
    assert max(abs(one - other) for one, other in zip(found, wanted, strict=True)) <= 1


def test_questions_and_passages_are_embedded_alike(embedder: StaticEmbedder) -> None:
    assert embedder.embed(["my sister"], "query") == embedder.embed(["my sister"], "passage")


def test_each_text_by_itself(embedder: StaticEmbedder) -> None:
    texts = ["one dog", "", "two cats", "one dog"]
    rows = embedder.embed(texts, "passage")
    assert rows == [embedder.embed([text], "passage")[0] for text in texts]
    assert [len(row) for row in rows] == [256, 0, 256, 256]
    assert embedder.embed([], "query") == []


def test_another_process_comes_to_the_same_rows(embedder: StaticEmbedder) -> None:
    texts = ["My sister's dog", "pão de açúcar", "東京 2026", "zyxgrqv"]
    program = (
        "import hashlib, sys\n"
        "from memoro.backends.embedding.static import StaticEmbedder\n"
        "rows = StaticEmbedder().embed(sys.argv[1:], 'passage')\n"
        "print(hashlib.sha256(b''.join(rows)).hexdigest())\n"
    )
    there = subprocess.run(
        [sys.executable, "-c", program, *reversed(texts)],
        check=True,
        capture_output=True,
        text=True,
    )
    here = b"".join(reversed(embedder.embed(texts, "passage")))
    assert there.stdout.strip() == hashlib.sha256(here).hexdigest()


def test_what_it_is(embedder: StaticEmbedder) -> None:
    port: Embedder = embedder
    assert port.identity == "memoro-static:1:256"
    assert port.is_local
    assert not port.reads_all_scripts


# --- Pieces ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "wanted"),
    [  # as the tokenizer of the table's makers cuts them
        ("sister", ["▁sister"]),
        ("unbelievably", ["▁un", "bel", "iev", "ably"]),
        ("caroline", ["▁car", "oline"]),
        ("3.11", ["▁", "3", ".", "1", "1"]),
        ("привет", ["▁при", "вет"]),
        ("東京", ["▁", "東", "京"]),
        ("\U00012000", ["▁", "<0xF0>", "<0x92>", "<0x80>", "<0x80>"]),
    ],
)
def test_words_are_cut_as_the_tables_makers_cut_them(
    table: Table, word: str, wanted: list[str]
) -> None:
    names = list(table.places)
    assert [names[place] for place in pieces(word, table.places)] == wanted


@given(word=st.text(st.characters(categories=["Ll", "Nd", "Lo"]), min_size=1, max_size=24))
def test_a_word_is_the_sum_of_its_pieces(table: Table, word: str) -> None:
    names = list(table.places)
    parts = [names[place] for place in pieces(word, table.places)]
    whole = b"".join(
        bytes([int(part[3:5], 16)]) if part.startswith("<0x") else part.encode() for part in parts
    )
    assert whole.decode() == "▁" + word


# --- The files ------------------------------------------------------------------------------------


def test_the_most_common_words_are_known() -> None:
    known = frequencies()
    assert 0.01 < known["the"].share_of_words < 0.1 < known["the"].share_of_turns < 1
    assert known["the"].share_of_words > known["sister"].share_of_words > 0
    assert 3_000 < len(known) < 20_000


def test_the_table_is_whole(table: Table) -> None:
    assert len(table.places) == len(table.scales) == len(table.rows) // table.width
    assert len(table.mean) == table.width == 256
    assert 0 < math.hypot(*table.mean) < 1
    assert max(table.scales) <= 8.1 / 127, "else a block of words could overflow its lanes"


@pytest.mark.parametrize("kept", [0, 5, 28, 5_000, 6_000_000])
def test_a_cut_table_is_refused(tmp_path: Path, kept: int) -> None:
    shutil.copy(Path(FOLDER, "frequencies.tsv"), tmp_path)
    (tmp_path / "pieces.bin").write_bytes(Path(FOLDER, "pieces.bin").read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"pieces\.bin is damaged"):
        StaticEmbedder(str(tmp_path))


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pieces.bin").write_bytes(b"SQLite format 3\0" + bytes(9_000))
    with pytest.raises(ValueError, match=r"pieces\.bin is damaged"):
        StaticEmbedder(str(tmp_path))


def test_rows_stay_in_the_file_until_they_are_asked_for(
    embedder: StaticEmbedder, table: Table, tmp_path: Path
) -> None:
    """What is cut off a mapped file is gone, and the process that reads it there ends."""
    program = (
        "import os, resource, sys\n"
        "from memoro.backends.embedding.static import StaticEmbedder\n"
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "folder, size, word = sys.argv[1:]\n"
        "embedder = StaticEmbedder(folder)\n"
        "os.truncate(os.path.join(folder, 'pieces.bin'), int(size))\n"
        "print(embedder.embed([word], 'query')[0].hex())\n"
    )
    half = Path(FOLDER, "pieces.bin").stat().st_size - len(table.rows) // 2
    early, late = "mother", "\u4eac"
    assert table.places["▁" + early] < len(table.places) / 3 < table.places[late] * 2 / 3
    for word, wanted in ((early, embedder.embed([early], "query")[0].hex() + "\n"), (late, "")):
        shutil.copytree(FOLDER, tmp_path / word)
        done = subprocess.run(
            [sys.executable, "-c", program, tmp_path / word, str(half), word],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout, done.returncode) == (wanted, 0 if wanted else -signal.SIGBUS)


# --- Any input ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n\t", "?!…", "😀🎉", "\x00", "\ud800", "\u200b"])
def test_no_words_no_row(embedder: StaticEmbedder, text: str) -> None:
    assert embedder.embed([text], "passage") == [b""]


@settings(deadline=None)
@given(text=st.text(st.characters(), max_size=60))
def test_any_text_has_a_row_or_none(embedder: StaticEmbedder, text: str) -> None:
    (row,) = embedder.embed([text], "passage")
    assert len(row) == (256 if surface(text) else 0)


@pytest.mark.parametrize("text", ["dog\x00cat", "dog \ud800 cat", "dog 😀 cat", "dog\u2028cat"])
def test_what_is_no_letter_parts_words(embedder: StaticEmbedder, text: str) -> None:
    assert embedder.embed([text], "passage") == embedder.embed(["dog cat"], "passage")


@pytest.mark.parametrize(
    "text",
    [
        "the dog sleeps " * 70_000,
        "a" * 100_000,
        "Z" * 1_000_000,
        "".join(random.Random(5).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=300_000)),
        "".join(random.Random(6).choices("абвгдежзиклмно東京大学ทดสอบ ", k=100_000)),
    ],
    ids=["long", "word", "one-letter", "key", "scripts"],
)
def test_long_texts_take_no_longer_than_their_length(embedder: StaticEmbedder, text: str) -> None:
    start = time.process_time()
    assert len(embedder.embed([text], "passage")[0]) == 256
    assert time.process_time() - start < 5
