// opencode, and Kilo, which has the same plugins: a plugin file that is loaded by its place. A throw before a tool stops it; `output` is changed in place.
import { pluginHead } from './plugin-client.ts'

export function opencodePlugin(agent: 'opencode' | 'kilo', shim: string): string {
  return `${pluginHead(agent, shim)}
const EVENTS = { 'session.created': 'startup', 'session.idle': null, 'session.deleted': 'other' }

const PATIENCE_MS = 3000

/** Calls that Belay let go, by their id, and whether it allowed them: where ${agent} itself would ask its user about one, that is answered already. */
const calls = new Map()
const MAX_CALLS = 1000

function remember(id, call) {
  if (calls.size >= MAX_CALLS) calls.clear()
  calls.set(id, call)
}

const ANSWERS = { allow: 'once', deny: 'reject' }

/** Answers the question of ${agent} for this one call, or leaves it to its user. So is that a call is made over and over (\`doom_loop\`). */
async function answerQuestion(client, common, { id, sessionID, permission, tool }) {
  const call = calls.get(tool?.callID)
  if (call === undefined || permission === 'doom_loop') return
  const { isAllowed, ...fields } = call
  const decision = isAllowed ? 'allow' : (await tell('permission.asked', { ...common(sessionID), ...fields })).decision
  const response = ANSWERS[decision]
  if (response === undefined) return
  await client.postSessionIdPermissionsPermissionId({ path: { id: sessionID, permissionID: id }, body: { response } }).catch(() => {})
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
      remember(input.callID, { ...call, tool_input: output.args, isAllowed: answer.decision === 'allow' })
    },
    'tool.execute.after': async (input, output) => {
      calls.delete(input.callID)
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
    'experimental.session.compacting': async input => {
      await tell('session.compacting', { ...common(input.sessionID), trigger: 'auto', custom_instructions: '' })
    },
    event: async ({ event }) => {
      if (event.type === 'permission.asked') return answerQuestion(client, common, event.properties)
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
