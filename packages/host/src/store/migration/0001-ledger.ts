// The ledger and what proves it. STRICT tables; triggers refuse whatever would rewrite history, so that a bug of ours cannot either.

const LEDGER = `
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  time TEXT NOT NULL,
  actor TEXT NOT NULL,
  session TEXT,
  kind TEXT NOT NULL,
  policy TEXT,
  body TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  tool TEXT GENERATED ALWAYS AS (CAST(body ->> '$.tool' AS TEXT)) VIRTUAL,
  verdict TEXT GENERATED ALWAYS AS (CAST(body ->> '$.verdict' AS TEXT)) VIRTUAL,
  refusal TEXT GENERATED ALWAYS AS (CASE WHEN body ->> '$.verdict' IN ('deny', 'ask') THEN body ->> '$.verdict' END) VIRTUAL,
  commitment TEXT GENERATED ALWAYS AS (CAST(body ->> '$.commitment' AS TEXT)) VIRTUAL
) STRICT;
CREATE INDEX ledger_session ON ledger (session) WHERE session IS NOT NULL;
CREATE INDEX ledger_refusal ON ledger (refusal) WHERE refusal IS NOT NULL;
CREATE INDEX ledger_commitment ON ledger (commitment) WHERE commitment IS NOT NULL;
CREATE TRIGGER ledger_chains BEFORE INSERT ON ledger
  WHEN NOT EXISTS (SELECT 1 FROM ledger WHERE seq = NEW.seq - 1 AND hash = NEW.prev)
    AND NOT (NEW.seq = 1 AND NEW.prev = '0000000000000000000000000000000000000000000000000000000000000000')
  BEGIN SELECT RAISE(ABORT, 'an entry must follow the last one'); END;
CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
`

const BLOBS = `
CREATE TABLE blobs (
  hash TEXT PRIMARY KEY,
  seq INTEGER NOT NULL REFERENCES ledger (seq),
  salt BLOB,
  content BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_seq ON blobs (seq);
CREATE TRIGGER blobs_stay BEFORE UPDATE ON blobs
  WHEN NEW.hash IS NOT OLD.hash OR NEW.seq IS NOT OLD.seq OR NEW.salt IS NOT NULL OR NEW.content IS NOT NULL
  BEGIN SELECT RAISE(ABORT, 'a blob can only be trimmed'); END;
CREATE TRIGGER blobs_keep BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'a blob can only be trimmed'); END;
`

const PROOF = `
CREATE TABLE tiles (level INTEGER NOT NULL, idx INTEGER NOT NULL, root BLOB NOT NULL, PRIMARY KEY (level, idx)) STRICT, WITHOUT ROWID;
CREATE TRIGGER tiles_stay BEFORE UPDATE ON tiles BEGIN SELECT RAISE(ABORT, 'tiles do not change'); END;
CREATE TRIGGER tiles_keep BEFORE DELETE ON tiles BEGIN SELECT RAISE(ABORT, 'tiles do not change'); END;

CREATE TABLE checkpoints (n INTEGER PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;
CREATE INDEX checkpoints_size ON checkpoints (size);
CREATE TRIGGER checkpoints_follow BEFORE INSERT ON checkpoints
  WHEN NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM checkpoints)
    OR NEW.size < (SELECT coalesce(max(size), 0) FROM checkpoints)
    OR NEW.size IS NOT (SELECT coalesce(max(seq), 0) FROM ledger)
  BEGIN SELECT RAISE(ABORT, 'a checkpoint covers the ledger as it is'); END;
CREATE TRIGGER checkpoints_stay BEFORE UPDATE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints do not change'); END;
CREATE TRIGGER checkpoints_keep BEFORE DELETE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints do not change'); END;

CREATE TABLE keys (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
CREATE TRIGGER keys_stay BEFORE UPDATE ON keys BEGIN SELECT RAISE(ABORT, 'keys do not change'); END;
CREATE TRIGGER keys_keep BEFORE DELETE ON keys BEGIN SELECT RAISE(ABORT, 'keys do not change'); END;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER meta_stays BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'meta does not change'); END;
CREATE TRIGGER meta_keeps BEFORE DELETE ON meta BEGIN SELECT RAISE(ABORT, 'meta does not change'); END;
`

const DELIVERIES = `
CREATE TABLE deliveries (event_id TEXT PRIMARY KEY, seq INTEGER NOT NULL REFERENCES ledger (seq)) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_seq ON deliveries (seq);
`

export const ledgerMigration: string = LEDGER + BLOBS + PROOF + DELIVERIES
