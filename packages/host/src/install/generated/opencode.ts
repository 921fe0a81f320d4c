// opencode: a plugin file that is loaded by its place. A throw before a tool stops it; `output` is changed in place.
import { pluginHead } from './plugin-client.ts'

export function opencodePlugin(shim: string): string {
  return `${pluginHead('opencode', shim)}
const EVENTS = { 'session.created': 'startup', 'session.idle': null, 'session.deleted': 'other' }

export const Belay = async ({ directory }) => {
  const common = session_id => ({ session_id: String(session_id ?? 'opencode'), cwd: directory })
  return {
    'tool.execute.before': async (input, output) => {
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID }
      const answer = await ask('tool.execute.before', { ...common(input.sessionID), ...call })
      if (answer.decision === 'deny') throw new Error(answer.reason)
      if (answer.input) replaceArguments(output.args, answer.input)
    },
    'tool.execute.after': async (input, output) => {
      const call = { tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID, tool_response: output.output }
      const failed = output.metadata?.exit ? { error: 'exit code ' + output.metadata.exit } : {}
      const answer = await tell('tool.execute.after', { ...common(input.sessionID), ...call, ...failed })
      if (answer.output !== undefined) output.output = typeof answer.output === 'string' ? answer.output : JSON.stringify(answer.output)
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
