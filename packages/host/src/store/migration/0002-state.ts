// What the daemon knows of the work: projects, tasks, skills, efforts, sessions, agents, messages; and beside them approvals, good policies,
// hook statistics and tool calls. Unlike the ledger these rows change.

const WORK = `
CREATE TABLE projects (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;

CREATE TABLE skills (
  id INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  name TEXT NOT NULL,
  version TEXT,
  description TEXT NOT NULL DEFAULT '',
  phases TEXT NOT NULL DEFAULT '[]',
  modes TEXT NOT NULL DEFAULT '[]',
  templates TEXT NOT NULL DEFAULT '{}',
  next_skills TEXT NOT NULL DEFAULT '[]',
  directives TEXT NOT NULL DEFAULT '[]',
  cmd_dependencies TEXT NOT NULL DEFAULT '[]',
  keywords TEXT NOT NULL DEFAULT '[]',
  UNIQUE (project_id, name)
) STRICT;

CREATE TABLE tasks (
  dir_path TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  workspace TEXT,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  keywords TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE efforts (
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL REFERENCES tasks (dir_path),
  skill TEXT NOT NULL,
  mode TEXT,
  ordinal INTEGER NOT NULL,
  lifecycle TEXT NOT NULL CHECK (lifecycle IN ('active', 'finished')),
  current_phase TEXT,
  discovered_directives TEXT NOT NULL DEFAULT '{}',
  metadata TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  finished_at TEXT,
  UNIQUE (task_id, ordinal)
) STRICT;

CREATE TABLE phase_history (
  id INTEGER PRIMARY KEY,
  effort_id INTEGER NOT NULL REFERENCES efforts (id),
  phase_label TEXT NOT NULL,
  proof TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX phase_history_effort ON phase_history (effort_id);

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  label TEXT,
  role TEXT,
  claims TEXT NOT NULL DEFAULT '[]',
  targeted_claims TEXT NOT NULL DEFAULT '[]',
  manages TEXT NOT NULL DEFAULT '[]',
  parent TEXT,
  effort_id INTEGER REFERENCES efforts (id),
  status TEXT NOT NULL CHECK (status IN ('error', 'attention', 'working', 'checked', 'done')),
  status_reason TEXT,
  last_event_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  effort_id INTEGER REFERENCES efforts (id),
  agent_id TEXT NOT NULL REFERENCES agents (id),
  prev_session_id INTEGER REFERENCES sessions (id),
  host_session TEXT NOT NULL,
  subagent TEXT,
  agent_kind TEXT NOT NULL,
  project_root TEXT NOT NULL,
  heartbeat_counter INTEGER NOT NULL DEFAULT 0,
  heartbeat_interval INTEGER NOT NULL DEFAULT 10,
  last_heartbeat TEXT NOT NULL,
  context_usage REAL,
  context_window INTEGER,
  cost REAL,
  loaded_files TEXT NOT NULL DEFAULT '[]',
  preloaded_files TEXT NOT NULL DEFAULT '[]',
  pending_injections TEXT NOT NULL DEFAULT '[]',
  dehydration_payload TEXT,
  transcript_path TEXT,
  transcript_offset INTEGER NOT NULL DEFAULT 0,
  last_edited TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX sessions_host ON sessions (host_session, subagent);
CREATE INDEX sessions_open ON sessions (agent_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_effort ON sessions (effort_id);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX messages_session ON messages (session_id);
`

const VIEWS = `
CREATE VIEW active_efforts AS SELECT * FROM efforts WHERE lifecycle = 'active';

CREATE VIEW task_summary AS
  SELECT t.dir_path, t.project_id, t.title, count(e.id) AS efforts,
    CASE WHEN sum(e.lifecycle = 'active') > 0 THEN 'active' ELSE 'dormant' END AS state
  FROM tasks t LEFT JOIN efforts e ON e.task_id = t.dir_path GROUP BY t.dir_path;

CREATE VIEW fleet_status AS
  SELECT a.id AS agent, a.label, a.role, a.status, a.status_reason, a.last_event_at, a.effort_id,
    e.task_id AS task, e.skill, e.current_phase AS phase,
    s.id AS session_id, s.agent_kind, s.project_root, s.heartbeat_counter AS heartbeat, s.heartbeat_interval, s.context_usage AS context, s.last_heartbeat
  FROM agents a
  LEFT JOIN efforts e ON e.id = a.effort_id
  LEFT JOIN sessions s ON s.id = (SELECT max(id) FROM sessions WHERE agent_id = a.id AND subagent IS NULL);

CREATE VIEW stale_sessions AS
  SELECT * FROM sessions WHERE ended_at IS NULL AND julianday('now') - julianday(last_heartbeat) > 5.0 / 1440;
`

const RECORDS = `
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('pending', 'allowed', 'denied', 'expired')),
  kind TEXT NOT NULL CHECK (kind IN ('call', 'gate')),
  root TEXT NOT NULL,
  agent TEXT NOT NULL,
  actor TEXT NOT NULL,
  agent_id TEXT,
  session TEXT,
  commitment TEXT,
  tool TEXT,
  input TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  rule TEXT,
  origin TEXT NOT NULL,
  approvers TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  decided_at TEXT,
  decided_by TEXT,
  note TEXT,
  used_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX approvals_pending ON approvals (created_at) WHERE state = 'pending';
CREATE INDEX approvals_input ON approvals (input_hash);
CREATE INDEX ledger_operation ON ledger (seq)
  WHERE kind IN ('capture', 'commit', 'claim', 'release', 'annotate', 'evidence', 'submit', 'approve', 'reject', 'reopen', 'dismiss', 'close', 'link', 'triage');
CREATE INDEX ledger_captured ON ledger (commitment) WHERE body ->> '$.capturedBy' IS NOT NULL;

CREATE TABLE policies (hash TEXT NOT NULL, file TEXT NOT NULL, text TEXT NOT NULL, first_seen TEXT NOT NULL, PRIMARY KEY (file, hash)) STRICT, WITHOUT ROWID;

CREATE TABLE hook_stats (
  hook TEXT NOT NULL,
  day TEXT NOT NULL,
  runs INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  over_budget INTEGER NOT NULL,
  durations TEXT NOT NULL,
  PRIMARY KEY (hook, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_calls (
  idempotency_key TEXT PRIMARY KEY,
  run_id TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  side_effect_class TEXT NOT NULL CHECK (side_effect_class IN ('external', 'memory', 'local', 'read_only')),
  replay_policy TEXT NOT NULL CHECK (replay_policy IN ('REPLAY_EXACT', 'REPLAY_IDEMPOTENT', 'RELAUNCH')),
  rule_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('prepared', 'running', 'succeeded', 'failed', 'abandoned')),
  attempt INTEGER NOT NULL DEFAULT 1,
  request_seq INTEGER,
  response_seq INTEGER,
  receipt TEXT,
  external_correlation_id TEXT,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

export const stateMigration: string = WORK + VIEWS + RECORDS
