"""What is shipped: a wheel that has everything, works by itself, and carries nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from memoro import __version__

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "memoro"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as `pip` builds it, with the backend that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_what_the_wheel_carries(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(path.relative_to(SOURCE.parent))
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"memoro/py.typed", "memoro/prompts/rules.md"} <= wanted
    assert any(name.endswith(".sql") for name in wanted)
    assert {name for name in names if name.startswith("memoro/")} == wanted
    info = f"memoro-{__version__}.dist-info"
    assert {name.split("/")[0] for name in names} == {"memoro", info}
    assert f"{info}/licenses/LICENSE" in names


def test_its_metadata(wheel: Path) -> None:
    info = f"memoro-{__version__}.dist-info"
    with zipfile.ZipFile(wheel) as files:
        metadata = files.read(f"{info}/METADATA").decode()
        scripts = files.read(f"{info}/entry_points.txt").decode()
    assert "License-Expression: Apache-2.0" in metadata
    assert "Requires-Python: >=3.11" in metadata
    assert "Provides-Extra: local" in metadata
    assert "memoro = memoro.surfaces.cli" in scripts


def test_it_works_where_nothing_of_the_checkout_is(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as files:
        files.extractall(target)
    env = {"PYTHONPATH": str(target), "HOME": str(tmp_path), "PATH": ""}

    def run(*words: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", "memoro", *words],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    assert run("--version") == f"memoro {__version__}\n"
    where = [sys.executable, "-c", "import memoro; print(memoro.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert found.stdout.startswith(str(target))
    run("memory", "remember", "city", "Lisbon")
    assert "- city: Lisbon" in run("context", "show")
