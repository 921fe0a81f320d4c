// opencode, and Kilo, which has the same plugins: a plugin file that is loaded by its place. A throw before a tool stops it; `output` is changed in place.
import { pluginHead } from './plugin-client.ts'

export function opencodePlugin(agent: 'opencode' | 'kilo', shim: string): string {
  return `${pluginHead(agent, shim)}
const EVENTS = { 'session.created': 'startup', 'session.idle': null, 'session.deleted': 'other' }

const PATIENCE_MS = 3000

/** Calls that Belay allowed, by their id: where ${agent} itself would ask its user about one, that is answered already. */
const allowed = new Set()
const MAX_ALLOWED = 1000

function remember(call) {
  if (allowed.size >= MAX_ALLOWED) allowed.clear()
  allowed.add(call)
}

/** Answers the question of ${agent} for this one call. That a call is made over and over (\`doom_loop\`) is for its user to judge. */
async function answerQuestion(client, { id, sessionID, permission, tool }) {
  if (!allowed.has(tool?.callID) || permission === 'doom_loop') return
  await client.postSessionIdPermissionsPermissionId({ path: { id: sessionID, permissionID: id }, body: { response: 'once' } }).catch(() => {})
}

/**
 * Server and tool, where opencode itself leaves no doubt: it joins their names, so that \`a_b_c\` may be \`b_c\` of a server \`a\`, \`c\` of
 * \`a_b\`, or a tool of a plugin.
 */
async function serverOf(client, tool) {
  const found = async () => {
    const [servers, own] = await Promise.all([client.mcp.status(), client.tool.ids()])
    const spelt = Object.keys(servers.data).map(name => name.replace(/[^a-zA-Z0-9_-]/g, '_'))
    const fitting = spelt.filter(name => tool.startsWith(name + '_'))
    if (fitting.length !== 1 || fitting[0].includes('__') || own.data.includes(tool)) return {}
    return { mcp_context: { server_name: fitting[0], tool_name: tool.slice(fitting[0].length + 1) } }
  }
  if (!tool.includes('_')) return {}
  let timer
  const late = new Promise(resolve => { timer = setTimeout(resolve, PATIENCE_MS, {}) })
  return Promise.race([found().catch(() => ({})), late]).finally(() => clearTimeout(timer))
}

export const Belay = async ({ directory, client }) => {
  const common = session_id => ({ session_id: String(session_id ?? '${agent}'), cwd: directory })
  return {
    'tool.execute.before': async (input, output) => {
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID, ...(await serverOf(client, input.tool)) }
      const answer = await ask('tool.execute.before', { ...common(input.sessionID), ...call })
      if (answer.decision === 'deny') throw new Error(answer.reason)
      if (answer.input) replaceArguments(output.args, answer.input)
      if (answer.decision === 'allow') remember(input.callID)
    },
    'tool.execute.after': async (input, output) => {
      allowed.delete(input.callID)
      const call = { tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID, tool_response: output.output }
      const failed = output.metadata?.exit ? { error: 'exit code ' + output.metadata.exit } : {}
      const server = await serverOf(client, input.tool)
      const answer = await tell('tool.execute.after', { ...common(input.sessionID), ...call, ...server, ...failed })
      if (answer.output !== undefined) output.output = typeof answer.output === 'string' ? answer.output : JSON.stringify(answer.output)
      if (answer.decision === 'deny') output.output += '\\n\\n' + answer.reason
      if (answer.context) output.output += '\\n\\n' + answer.context
    },
    'chat.message': async (input, output) => {
      const text = output.parts.find(part => part.type === 'text' && !part.synthetic)
      if (!text) return
      const answer = await tell('chat.message', { ...common(input.sessionID), prompt: text.text })
      if (answer.decision === 'deny') throw new Error(answer.reason)
      if (answer.prompt) text.text = answer.prompt
      if (answer.context) text.text += '\\n\\n' + answer.context
    },
    event: async ({ event }) => {
      if (event.type === 'permission.asked') return answerQuestion(client, event.properties)
      if (!(event.type in EVENTS)) return
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      const why = EVENTS[event.type]
      const fields = event.type === 'session.created' ? { source: why } : event.type === 'session.deleted' ? { reason: why } : { stop_hook_active: false }
      await tell(event.type, { ...common(session), ...fields })
    },
  }
}
`
}
