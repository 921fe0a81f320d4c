// pi: an extension file that is loaded by its place. A throw in tool_call stops the tool.
import { pluginHead } from './plugin-client.ts'

export function piExtension(shim: string): string {
  return `${pluginHead('pi', shim)}
export default function belay(pi) {
  const session = 'pi-' + process.pid + '-' + Date.now()
  const common = ctx => ({ session_id: session, cwd: ctx?.cwd ?? process.cwd() })
  let context = ''

  pi.on('session_start', async (event, ctx) => {
    const answer = await tell('session_start', { ...common(ctx), source: event.reason ?? 'startup' })
    context = answer.context ?? ''
  })
  pi.on('input', async (event, ctx) => {
    const answer = await tell('input', { ...common(ctx), prompt: event.text })
    if (answer.decision === 'deny') {
      console.error(answer.reason)
      return { action: 'handled' }
    }
    context = [context, answer.context].filter(Boolean).join('\\n')
    if (answer.prompt) return { action: 'transform', text: answer.prompt }
  })
  pi.on('before_agent_start', async () => {
    if (context === '') return
    const message = { customType: 'belay', content: context, display: false }
    context = ''
    return { message }
  })
  pi.on('tool_call', async (event, ctx) => {
    const call = { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId }
    const answer = await ask('tool_call', { ...common(ctx), ...call })
    if (answer.decision === 'deny') return { block: true, reason: answer.reason }
    if (answer.input) replaceArguments(event.input, answer.input)
  })
  pi.on('tool_result', async (event, ctx) => {
    const text = (event.content ?? []).map(part => part.text ?? '').join('\\n')
    const call = { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId, tool_response: text }
    const answer = await tell('tool_result', { ...common(ctx), ...call, ...(event.isError ? { error: text } : {}) })
    const replaced = answer.output === undefined ? text : typeof answer.output === 'string' ? answer.output : JSON.stringify(answer.output)
    const told = [answer.decision === 'deny' ? answer.reason : '', answer.context].filter(Boolean)
    if (answer.output === undefined && told.length === 0) return
    return { content: [{ type: 'text', text: [replaced, ...told].join('\\n\\n') }] }
  })
  pi.on('agent_end', async (_event, ctx) => void (await tell('agent_end', { ...common(ctx), stop_hook_active: false })))
  pi.on('session_before_compact', async (_event, ctx) => void (await tell('session_before_compact', { ...common(ctx), trigger: 'auto', custom_instructions: '' })))
  pi.on('session_shutdown', async (_event, ctx) => void (await tell('session_shutdown', { ...common(ctx), reason: 'other' })))
}
`
}
