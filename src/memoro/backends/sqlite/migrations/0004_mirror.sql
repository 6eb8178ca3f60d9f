-- The folder of plain files (HOME/memory) as it was last written. `upto` is the last change that is
-- in it, -1 where none of it counts any more; `used` when the page of usage was written.
CREATE TABLE derived_mirror (
    form INTEGER NOT NULL,
    upto INTEGER NOT NULL,
    used TEXT
) STRICT;
-- A file as the system sees it, and the digest of its bytes. `coming` is the digest of what is about
-- to take its place: a process may be killed before it can say that it has.
CREATE TABLE derived_mirror_files (
    name   TEXT PRIMARY KEY,
    size   INTEGER NOT NULL,
    mtime  INTEGER NOT NULL,
    inode  INTEGER NOT NULL,
    digest TEXT NOT NULL,
    coming TEXT
) STRICT, WITHOUT ROWID;
-- The file that a record's line stands in, the digest of that line, and the page of a day that has
-- the record too.
CREATE TABLE derived_mirror_lines (
    record TEXT PRIMARY KEY,
    file   TEXT NOT NULL,
    digest TEXT NOT NULL,
    page   TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX derived_mirror_lines_by_file ON derived_mirror_lines (file);
CREATE INDEX derived_mirror_lines_by_page ON derived_mirror_lines (page) WHERE page IS NOT NULL;
