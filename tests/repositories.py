"""Real git repositories for tests, made below one folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

_OPTIONS = {
    "user.name": "Test",
    "user.email": "test@example.org",
    "init.defaultBranch": "main",
    "protocol.file.allow": "always",
    "commit.gpgSign": "false",
    "advice.detachedHead": "false",
}


class Repositories:
    """Makes repositories below `base`; every commit has its own message, so its own hash.

    `environ` is what git is to be asked with: a `PATH` that has it, and a home without settings.
    """

    def __init__(self, base: Path) -> None:
        git = shutil.which("git")
        assert git is not None
        self.base = base
        home = base / "user"
        home.mkdir(exist_ok=True)
        self.environ = {"PATH": f"{os.path.dirname(git)}:/usr/bin:/bin", "HOME": str(home)}
        self._commits = 0

    def git(self, folder: Path, *arguments: str) -> str:
        """Run git, and give what it prints."""
        settings = [part for name, value in _OPTIONS.items() for part in ("-c", f"{name}={value}")]
        done = subprocess.run(
            ("git", *settings, *arguments),
            cwd=folder,
            env=self.environ | {"GIT_CONFIG_NOSYSTEM": "1"},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def empty(self, name: str) -> Path:
        """A repository without commits."""
        folder = self.base / name
        folder.mkdir(parents=True)
        self.git(folder, "init", "--quiet")
        return folder

    def commit(self, folder: Path) -> str:
        """Commit what there is; gives the hash."""
        self._commits += 1
        message = f"commit {self._commits} of {self.base.name}"
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--allow-empty", "--message", message)
        return self.git(folder, "rev-parse", "HEAD")

    def make(self, name: str, *subfolders: str) -> Path:
        """A repository with one commit, and a file in each of the subfolders."""
        folder = self.empty(name)
        for subfolder in subfolders:
            (folder / subfolder).mkdir(parents=True)
            (folder / subfolder / "file").write_text("text")
        self.commit(folder)
        return folder

    def clone(self, source: Path, name: str, *options: str) -> Path:
        """A clone, with a history of its own."""
        self.git(self.base, "clone", "--quiet", *options, f"file://{source}", name)
        return self.base / name

    def branch(self, folder: Path, name: str, *, commits: int = 1) -> str:
        """Make a branch with so many commits, stay on it, and give its tip."""
        self.git(folder, "checkout", "--quiet", "-b", name)
        for _ in range(commits):
            self.commit(folder)
        return self.git(folder, "rev-parse", "HEAD")

    def merge(self, folder: Path, name: str, into: str = "main", *options: str) -> None:
        """Merge a branch, and stay on what it was merged into."""
        self.git(folder, "checkout", "--quiet", into)
        self.git(folder, "merge", "--quiet", "--no-edit", *options, name)
