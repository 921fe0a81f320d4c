// Roles that people gave agents, by the hash of the secret that proves them.

export const agentSecretMigration = `
CREATE TABLE agent_secrets (
  hash TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
