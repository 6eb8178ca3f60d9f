-- Archived conversations have participants by name, and the references of those who archived them.
ALTER TABLE messages ADD COLUMN speaker TEXT;
ALTER TABLE messages ADD COLUMN ref TEXT;
-- How well what was used matched, and its UTF-8 bytes, where it came from a search.
ALTER TABLE accesses ADD COLUMN score REAL;
ALTER TABLE accesses ADD COLUMN bytes INTEGER;
CREATE INDEX accesses_by_run ON accesses (run) WHERE run IS NOT NULL;
-- What embeddings by a provider cost, in texts and in the tokens that it counted.
CREATE TABLE embedding_costs (
    day      TEXT NOT NULL,
    embedder TEXT NOT NULL,
    texts    INTEGER NOT NULL,
    tokens   INTEGER NOT NULL,
    PRIMARY KEY (day, embedder)
) STRICT, WITHOUT ROWID;

-- The search index. A shelf is one making of it, of turns or of records; the live one answers while
-- another is being built. `upto` is the last message, or change, that is in it.
CREATE TABLE derived_shelves (
    id     INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    recipe INTEGER NOT NULL,
    live   INTEGER NOT NULL,
    upto   INTEGER NOT NULL,
    units  INTEGER NOT NULL DEFAULT 0,
    parts  INTEGER NOT NULL DEFAULT 0,
    groups INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0
) STRICT;
-- A unit is a turn or a record. Units `first` to `first + size` may be what was said around it.
CREATE TABLE derived_units (
    id      INTEGER PRIMARY KEY,
    shelf   INTEGER NOT NULL,
    owner   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    scope   TEXT NOT NULL,
    at      INTEGER NOT NULL,
    session INTEGER,
    first   INTEGER NOT NULL,
    size    INTEGER NOT NULL,
    role    TEXT NOT NULL,
    speaker TEXT,
    flags   INTEGER NOT NULL,
    tokens  INTEGER NOT NULL,
    parts   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX derived_units_by_owner ON derived_units (owner, shelf);
CREATE INDEX derived_units_by_time ON derived_units (shelf, at);
CREATE TABLE derived_sessions (
    id     INTEGER PRIMARY KEY,
    shelf  INTEGER NOT NULL,
    name   TEXT NOT NULL,
    tokens INTEGER NOT NULL DEFAULT 0,
    UNIQUE (shelf, name)
) STRICT;
-- Runs of numbers that are given to the units of one session in turn. One that goes on where another
-- was full `follows` its last unit.
CREATE TABLE derived_spans (
    first   INTEGER PRIMARY KEY,
    size    INTEGER NOT NULL,
    used    INTEGER NOT NULL,
    latest  INTEGER NOT NULL,
    shelf   INTEGER NOT NULL,
    session INTEGER,
    follows INTEGER
) STRICT;
CREATE INDEX derived_spans_by_session ON derived_spans (session, shelf);
-- Where each stem stands, by blocks of units; the newest units wait in `derived_fresh` to be put
-- in together.
CREATE TABLE derived_places (
    shelf INTEGER NOT NULL,
    stem  TEXT NOT NULL,
    block INTEGER NOT NULL,
    data  BLOB NOT NULL,
    PRIMARY KEY (shelf, stem, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE derived_fresh (
    shelf INTEGER NOT NULL,
    unit  INTEGER NOT NULL,
    stems TEXT NOT NULL,
    PRIMARY KEY (shelf, unit)
) STRICT, WITHOUT ROWID;
-- Vectors are told apart by the embedder that made them. Their signs alone stand in blocks, to find
-- what is near.
CREATE TABLE derived_embedders (
    id       INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    live     INTEGER NOT NULL
) STRICT;
CREATE TABLE derived_vectors (
    embedder INTEGER NOT NULL,
    unit     INTEGER NOT NULL,
    data     BLOB NOT NULL,
    PRIMARY KEY (embedder, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE derived_signs (
    embedder INTEGER NOT NULL,
    shelf    INTEGER NOT NULL,
    block    INTEGER NOT NULL,
    places   BLOB NOT NULL,
    codes    BLOB NOT NULL,
    PRIMARY KEY (embedder, shelf, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE derived_unembedded (
    embedder INTEGER NOT NULL,
    unit     INTEGER NOT NULL,
    PRIMARY KEY (embedder, unit)
) STRICT, WITHOUT ROWID;
