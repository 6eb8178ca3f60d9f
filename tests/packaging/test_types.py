"""The public names are typed, and so is everything that they lead to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


@pytest.mark.gate
def test_the_public_names_are_typed_completely() -> None:
    ended = subprocess.run(
        [
            str(BIN / "basedpyright"),
            "--verifytypes",
            "memoro",
            "--ignoreexternal",
            "--outputjson",
            "--pythonpath",
            sys.executable,
        ],
        cwd=ROOT,
        # It looks for installed packages alone, and does not follow an editable one.
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(ended.stdout)["typeCompleteness"]
    incomplete = [
        f"{one['name']}: {told['message']}"
        for one in report["symbols"]
        if one["isExported"] and not one["isTypeKnown"]
        for told in one["diagnostics"]
    ]
    assert report["exportedSymbolCounts"]["withKnownType"] > 0
    assert report["completenessScore"] == 1, "\n".join(incomplete)
