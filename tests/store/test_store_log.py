"""The log in the file: nobody rewrites it, not even with SQL."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from store_world import adding, done, note, opened


@pytest.mark.requirement("Z03")
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM change_sets",
        "DELETE FROM changes",
        "UPDATE change_sets SET writer = 'me'",
        "UPDATE change_sets SET at = at",
        "UPDATE changes SET after = '{}'",
        "UPDATE changes SET before = after",
        "UPDATE changes SET after = NULL, key = 'x'",
        "UPDATE changes SET before = NULL",
        "REPLACE INTO change_sets (id, at, action, writer) VALUES (1, '', '', '')",
        "REPLACE INTO changes SELECT change_set, position, 'x', kind, scope, key, null, null"
        " FROM changes",
    ],
)
def test_is_append_only(tmp_path: Path, sql: str) -> None:
    with opened(tmp_path) as (store, _):
        done(store, adding(note("n1")))
        before = store.changes()
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            store.connection.execute(sql).fetchall()
        assert store.changes() == before


@pytest.mark.requirement("P16")
def test_lets_content_be_taken_out(tmp_path: Path) -> None:
    with opened(tmp_path) as (store, _):
        done(store, adding(note("n1")))
        store.connection.execute("UPDATE changes SET before = NULL, after = NULL").fetchall()
        [part] = store.changes()[0].records
        assert (part.record_id, part.before, part.after) == ("n1", None, None)
