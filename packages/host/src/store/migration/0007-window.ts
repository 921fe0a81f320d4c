// One row for each session of a host: what it was given of directives, whose hand-over it received, and whether its own waits for somebody.
// The fleet shows the window that was heard of last, the effort of an agent that has no id of its own, and who waits for a person.

export const windowMigration = `
ALTER TABLE sessions ADD COLUMN directives TEXT NOT NULL DEFAULT '{}';
ALTER TABLE sessions ADD COLUMN handed_over_at TEXT;
ALTER TABLE sessions ADD COLUMN received_from INTEGER REFERENCES sessions (id);
CREATE INDEX sessions_handed_over ON sessions (effort_id, handed_over_at) WHERE handed_over_at IS NOT NULL;
UPDATE sessions SET handed_over_at = coalesce(ended_at, created_at)
  WHERE dehydration_payload IS NOT NULL AND id IN (SELECT max(id) FROM sessions WHERE subagent IS NULL GROUP BY effort_id);

DROP VIEW fleet_status;
CREATE VIEW fleet_status AS
  SELECT f.agent, f.label, f.role,
    CASE WHEN f.waiting > 0 AND f.status <> 'error' THEN 'attention' ELSE f.status END AS status,
    CASE WHEN f.waiting > 0 AND f.status <> 'error' THEN 'waits for you' ELSE f.status_reason END AS status_reason,
    f.last_event_at, e.id AS effort_id, e.task_id AS task, e.skill, e.current_phase AS phase,
    s.id AS session_id, s.agent_kind, s.project_root, s.heartbeat_counter AS heartbeat, s.heartbeat_interval, s.context_usage AS context,
    s.last_heartbeat, f.waiting
  FROM (
    SELECT a.id AS agent, a.label, a.role, a.status, a.status_reason, a.last_event_at, a.effort_id,
      (SELECT count(*) FROM approvals p WHERE p.agent_id = a.id AND p.state = 'pending') AS waiting,
      (SELECT id FROM sessions WHERE agent_id = a.id AND subagent IS NULL ORDER BY ended_at IS NULL DESC, last_heartbeat DESC, id DESC LIMIT 1) AS session_id
    FROM agents a
  ) f
  LEFT JOIN sessions s ON s.id = f.session_id
  LEFT JOIN efforts e ON e.id = coalesce(f.effort_id, s.effort_id) AND e.lifecycle = 'active';
`
