// What keeps the end of the ledger honest, and what lets its beginning shrink.
// `mac` says that the writer wrote a row, for as long as no checkpoint covers it. `refused` holds rows that it did not write. `leaves` keeps
// the hash of each entry that was dropped whole, so that every proof stays valid.

const MAC = 'ALTER TABLE ledger ADD COLUMN mac BLOB;'

const REFUSED = `
CREATE TABLE refused (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, noticed_at TEXT NOT NULL, entry TEXT NOT NULL) STRICT;
`

const LEAVES = `
CREATE TABLE leaves (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
CREATE TRIGGER leaves_stay BEFORE UPDATE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves do not change'); END;
CREATE TRIGGER leaves_keep BEFORE DELETE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves do not change'); END;
DROP TRIGGER ledger_keeps;
CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger WHEN NOT EXISTS (SELECT 1 FROM leaves WHERE seq = OLD.seq)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
DROP TRIGGER blobs_keep;
CREATE TRIGGER blobs_keep BEFORE DELETE ON blobs WHEN NOT EXISTS (SELECT 1 FROM leaves WHERE seq = OLD.seq)
  BEGIN SELECT RAISE(ABORT, 'a blob can only be trimmed'); END;
`

export const tailMigration: string = MAC + REFUSED + LEAVES
