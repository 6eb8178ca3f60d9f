-- Records are the truth; one envelope for every kind. Times are UTC, ISO 8601 with microseconds.
CREATE TABLE records (
    id             TEXT PRIMARY KEY,
    kind           TEXT NOT NULL,
    scope          TEXT NOT NULL,
    key            TEXT,
    text           TEXT NOT NULL,
    created_at     TEXT NOT NULL,
    updated_at     TEXT NOT NULL,
    data           TEXT NOT NULL,
    trust          INTEGER NOT NULL,
    confidence     REAL NOT NULL,
    source_run     TEXT,
    source_message TEXT,
    valid_from     TEXT,
    valid_to       TEXT,
    superseded_by  TEXT,
    accesses       INTEGER NOT NULL,
    accessed_at    TEXT,
    tags           TEXT NOT NULL,
    revision       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX records_by_key ON records (kind, scope, key) WHERE key IS NOT NULL;
CREATE INDEX records_by_scope ON records (kind, scope, id);

-- The log of changes: append-only, one row for what is undone together.
CREATE TABLE change_sets (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      TEXT NOT NULL,
    action  TEXT NOT NULL,
    writer  TEXT NOT NULL,
    run     TEXT,
    message TEXT,
    undoes  INTEGER UNIQUE REFERENCES change_sets (id),
    final   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE changes (
    change_set INTEGER NOT NULL REFERENCES change_sets (id),
    position   INTEGER NOT NULL,
    record_id  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    scope      TEXT NOT NULL,
    key        TEXT,
    before     TEXT,
    after      TEXT,
    PRIMARY KEY (change_set, position)
) STRICT;
CREATE INDEX changes_by_record ON changes (record_id);
CREATE INDEX changes_by_key ON changes (kind, scope, key);

CREATE TRIGGER change_sets_are_kept BEFORE DELETE ON change_sets
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER change_sets_stand BEFORE UPDATE ON change_sets
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER changes_are_kept BEFORE DELETE ON changes
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
-- Forgetting takes the content out; nothing else may touch an entry.
CREATE TRIGGER changes_stand BEFORE UPDATE ON changes
WHEN NEW.before IS NOT NULL OR NEW.after IS NOT NULL
    OR NEW.change_set IS NOT OLD.change_set OR NEW.position IS NOT OLD.position
    OR NEW.record_id IS NOT OLD.record_id OR NEW.kind IS NOT OLD.kind
    OR NEW.scope IS NOT OLD.scope OR NEW.key IS NOT OLD.key
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- What a forgetting still has to clean, by ID: unused space of this file, the backups. Empty when
-- nothing is owed.
CREATE TABLE erasures (
    place TEXT NOT NULL CHECK (place IN ('database', 'backups')),
    what  TEXT NOT NULL,
    id    TEXT NOT NULL,
    PRIMARY KEY (place, what, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL,
    scope      TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated_at);
CREATE TABLE runs (
    id            TEXT PRIMARY KEY,
    session       TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    kind          TEXT NOT NULL,
    state         TEXT NOT NULL,
    model         TEXT NOT NULL,
    started_at    TEXT NOT NULL,
    ended_at      TEXT,
    input_tokens  INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    error         TEXT,
    blocks        TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_session ON runs (session);
CREATE TABLE messages (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    run     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    role    TEXT NOT NULL,
    text    TEXT NOT NULL,
    at      TEXT NOT NULL,
    partial INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX messages_by_session ON messages (session, seq);
CREATE INDEX messages_by_run ON messages (run);
CREATE TABLE tool_calls (
    id           INTEGER PRIMARY KEY,
    run          TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    tool         TEXT NOT NULL,
    arguments    TEXT NOT NULL,
    outcome      TEXT NOT NULL,
    detail       TEXT NOT NULL,
    requested_at TEXT NOT NULL,
    finished_at  TEXT
) STRICT;
CREATE INDEX tool_calls_by_run ON tool_calls (run);
