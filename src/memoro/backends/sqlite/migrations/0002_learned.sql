-- When something remembered was used: put before a model that asked for it, or shown for a reason
-- that counts. It has no content, so forgetting leaves it.
CREATE TABLE accesses (
    seq    INTEGER PRIMARY KEY,
    record TEXT NOT NULL,
    at     TEXT NOT NULL,
    run    TEXT,
    how    TEXT NOT NULL
) STRICT;
CREATE INDEX accesses_by_record ON accesses (record, at);

-- The key of what is learned can be what it says; forgetting takes that out, too.
DROP TRIGGER changes_stand;
CREATE TRIGGER changes_stand BEFORE UPDATE ON changes
WHEN NEW.before IS NOT NULL OR NEW.after IS NOT NULL
    OR NEW.change_set IS NOT OLD.change_set OR NEW.position IS NOT OLD.position
    OR NEW.record_id IS NOT OLD.record_id OR NEW.kind IS NOT OLD.kind
    OR NEW.scope IS NOT OLD.scope
    OR (NEW.key IS NOT OLD.key AND NOT (NEW.key IS NULL
        AND OLD.kind NOT IN ('saved_fact', 'project')))
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- Everything named derived_* follows from the records, and is made anew whenever it is missing, of
-- an older recipe, or not of the last change. `upto` is the last change that is in it.
CREATE TABLE derived_state (
    recipe INTEGER NOT NULL,
    upto   INTEGER NOT NULL,
    links  INTEGER NOT NULL
) STRICT;
-- A node is a record, or a name that records share (a tag, a project, a session). `records` counts
-- those that it stands for; `strength` orders what fades and is current; `happened` is its time.
CREATE TABLE derived_nodes (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL UNIQUE,
    kind     TEXT NOT NULL,
    title    TEXT NOT NULL,
    scope    TEXT,
    label    TEXT,
    strength REAL,
    happened TEXT,
    records  INTEGER NOT NULL DEFAULT 0,
    degree   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX derived_by_strength ON derived_nodes (kind, scope, strength)
    WHERE strength IS NOT NULL;
CREATE INDEX derived_by_kind ON derived_nodes (kind, strength) WHERE strength IS NOT NULL;
CREATE INDEX derived_that_stand ON derived_nodes (kind) WHERE records > 0;
CREATE INDEX derived_that_are_named ON derived_nodes (kind) WHERE records = 0;
CREATE INDEX derived_by_time ON derived_nodes (kind, happened) WHERE happened IS NOT NULL;
CREATE INDEX derived_by_degree ON derived_nodes (degree);
-- Both directions of a link, the heaviest of a node together, and the record that states it.
CREATE TABLE derived_links (
    a      INTEGER NOT NULL,
    weight REAL NOT NULL,
    b      INTEGER NOT NULL,
    owner  INTEGER NOT NULL,
    PRIMARY KEY (a, weight, b, owner)
) STRICT, WITHOUT ROWID;
CREATE TABLE derived_words (
    word TEXT NOT NULL,
    node INTEGER NOT NULL,
    PRIMARY KEY (word, node)
) STRICT, WITHOUT ROWID;
