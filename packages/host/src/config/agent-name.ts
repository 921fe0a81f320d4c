// Names of agents as policies spell them: `agent:auditor`.

/** `auditor` and `agent:auditor` are the same role; null: it is no agent's name. */
export function agentName(role: string): string | null {
  if (!role.includes(':')) return role === '' ? null : `agent:${role}`
  return isAgentName(role) ? role : null
}

export function isAgentName(name: string): boolean {
  return name.startsWith('agent:') && name.length > 'agent:'.length
}
