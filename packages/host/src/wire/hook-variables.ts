// What a hook call may say of its environment. A repository can set an agent's variables, so only these names are read, none of which loads
// code or gives a right. The clients send no more; whoever writes to a socket may send anything, so the daemon filters too.

/** What an agent gives its hooks: handed on to command hooks. */
const FOR_HOOKS = /^(?:CLAUDE_ENV_FILE|[A-Z][A-Z0-9_]*_PROJECT_DIR|(?:[A-Z][A-Z0-9_]*_)?PLUGIN_ROOT)$/

/** Who calls, which host it is, and what it works on: read by the daemon, never handed on. */
const FOR_US =
  /^(?:AGENT_(?:ID|PARENT|MANAGES|CLAIMS)|BELAY_(?:ACTOR|COMMITMENT|RUN_ID)|CLAUDE_CODE_SESSION_ATTENDED|GROK_HOOK_EVENT|AI_AGENT)$/

/** Proves which agent calls: it goes beside the other variables, not among them. */
export const SECRET_VARIABLE = 'BELAY_AGENT_SECRET'

export const SENT_VARIABLES = new RegExp(`${FOR_US.source}|${FOR_HOOKS.source}`)

export function sentVariables(env: Readonly<Record<string, unknown>>): Record<string, string> {
  return pick(env, name => SENT_VARIABLES.test(name))
}

export function hookVariables(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const name in env) if (!FOR_HOOKS.test(name)) return pick(env, other => FOR_HOOKS.test(other))
  return env
}

function pick(env: Readonly<Record<string, unknown>>, isWanted: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (typeof value === 'string' && isWanted(name)) kept[name] = value
  return kept
}
