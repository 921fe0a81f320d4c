// The sessions of one agent, for the view of the fleet: without it every agent looked through all sessions there ever were.

export const agentSessionsMigration = `
CREATE INDEX sessions_agent ON sessions (agent_id);
`
