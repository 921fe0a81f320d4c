// The hub's schema, step by step. Step n brings a database from version n to n + 1; steps are never edited once released.
// `(chain, seq)` is unique because the cursor of a chain moves by compare-and-set in the transaction that inserts: a unique index over a
// partitioned table must hold the day too, and would take one seq twice.

const FIRST = `
CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL);

CREATE TABLE person (
  name text PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('viewer', 'approver', 'publisher', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  removed_at timestamptz
);

CREATE TABLE machine (
  id text PRIMARY KEY,
  name text NOT NULL,
  login_key text NOT NULL,
  labels jsonb NOT NULL DEFAULT '{}',
  joined_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  revoked_at timestamptz,
  last_seen timestamptz,
  status jsonb NOT NULL DEFAULT '{}'
);

CREATE TABLE token (
  hash bytea PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('join', 'person', 'machine', 'challenge')),
  person text REFERENCES person (name),
  machine text REFERENCES machine (id),
  label text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX token_expiry ON token (expires_at);

CREATE TABLE chain (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  machine text REFERENCES machine (id),
  origin text NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  keys text[] NOT NULL,
  seq bigint NOT NULL DEFAULT 0,
  hash text NOT NULL,
  tree jsonb NOT NULL,
  checkpoint_size bigint NOT NULL DEFAULT 0,
  checkpoint text,
  cosignature text,
  UNIQUE (origin, epoch)
);
CREATE INDEX chain_machine ON chain (machine);

CREATE TABLE tile (chain bigint NOT NULL REFERENCES chain (id), idx bigint NOT NULL, hashes bytea NOT NULL, PRIMARY KEY (chain, idx));

CREATE TABLE entry (
  chain bigint NOT NULL,
  seq bigint NOT NULL,
  day date NOT NULL,
  format smallint NOT NULL,
  is_proved boolean NOT NULL,
  id text NOT NULL,
  time text NOT NULL,
  actor text NOT NULL,
  session text,
  kind text NOT NULL,
  policy text,
  judge text,
  rule text,
  tool text,
  verdict text,
  body_hash text NOT NULL,
  body text,
  salt text,
  erased jsonb,
  PRIMARY KEY (chain, seq, day)
) PARTITION BY RANGE (day);
CREATE INDEX entry_verdict ON entry (verdict, chain, seq) WHERE verdict IN ('deny', 'ask');

CREATE TABLE act (
  seq bigint PRIMARY KEY,
  id text NOT NULL,
  time text NOT NULL,
  actor text NOT NULL,
  kind text NOT NULL,
  body text NOT NULL,
  salt text NOT NULL,
  body_hash text NOT NULL
);

CREATE TABLE finding (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chain bigint NOT NULL REFERENCES chain (id),
  kind text NOT NULL,
  what text NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now(),
  last_seen timestamptz NOT NULL DEFAULT now(),
  UNIQUE (chain, kind)
);
`

const BUNDLES = `
CREATE TABLE publisher (
  key text PRIMARY KEY,
  person text NOT NULL REFERENCES person (name),
  endorsement text NOT NULL,
  until timestamptz NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE bundle (
  version bigint PRIMARY KEY,
  hash text NOT NULL,
  person text NOT NULL,
  text text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  halted_at timestamptz,
  halted_why text
);

CREATE TABLE roll_out (
  version bigint NOT NULL REFERENCES bundle (version),
  machine text NOT NULL REFERENCES machine (id),
  calls bigint NOT NULL DEFAULT 0,
  new_denies bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (version, machine)
);

ALTER TABLE machine ADD COLUMN policy jsonb NOT NULL DEFAULT '{}';

CREATE TABLE pulse (machine text PRIMARY KEY, n bigint NOT NULL DEFAULT 1, at timestamptz NOT NULL DEFAULT now());
`

const APPROVALS = `
CREATE TABLE approval (
  machine text NOT NULL REFERENCES machine (id),
  id text NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'allowed', 'denied', 'expired')),
  facts jsonb NOT NULL,
  requester text NOT NULL,
  approvers text[] NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by text,
  note text,
  via text,
  outcome text,
  outcome_by text,
  noticed_at timestamptz,
  notice_at timestamptz NOT NULL DEFAULT now(),
  notice_tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (machine, id)
);
CREATE INDEX approval_open ON approval (machine) WHERE outcome IS NULL;
`

const FLEET = `
CREATE TABLE fleet (
  machine text PRIMARY KEY REFERENCES machine (id),
  agents jsonb NOT NULL,
  efforts jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE effort_owner (
  machine text NOT NULL REFERENCES machine (id),
  id bigint NOT NULL,
  owner text NOT NULL REFERENCES machine (id),
  agent text,
  effort jsonb NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (machine, id)
);
`

/** When the hub received an entry, by its own clock: the order of the live view. Rows lie in that order, so the small kind of index is enough. */
const PAGE = `
ALTER TABLE token DROP CONSTRAINT token_kind_check;
ALTER TABLE token ADD CONSTRAINT token_kind_check CHECK (kind IN ('join', 'person', 'machine', 'challenge', 'session'));
ALTER TABLE entry ADD COLUMN received timestamptz NOT NULL DEFAULT now();
CREATE INDEX entry_received ON entry USING brin (received);
`

/** Since when a machine is heard of that has not seen the newest bundle; null: it has. */
const BEHIND = `
ALTER TABLE machine ADD COLUMN behind_since timestamptz;
`

/** Of how many entries of a chain only the hash is kept, because no more came or their day was pruned: every other has a row. */
const HASH_ONLY = `
ALTER TABLE chain ADD COLUMN hash_only bigint NOT NULL DEFAULT 0;
UPDATE chain SET hash_only = seq - (SELECT count(*) FROM entry WHERE entry.chain = chain.id) WHERE machine IS NOT NULL;
`

export const STEPS: readonly string[] = [FIRST, BUNDLES, APPROVALS, FLEET, PAGE, BEHIND, HASH_ONLY]
