// An agent at the process boundary that passes for Codex: it asks the model that it is told of, calls the hooks of its hook file, and runs shell
// commands. It takes up its last session and compacts a full one. `--ignore-deny` is the client that nobody should trust; `--hang` never asks its model.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [flags, args] = [process.env.FAKE_FLAGS ?? '', process.argv.slice(2)]
if (args.includes('--version')) {
  console.log('codex-cli 0.0.1')
  process.exit(0)
}
if (flags.includes('hang')) await new Promise(resolve => setTimeout(resolve, 600_000))
if (flags.includes('refuse')) {
  console.error('this machine is too old for me')
  process.exit(3)
}
const url = /base_url="([^"]+)"/.exec(args.join(' '))[1]
const { hooks } = JSON.parse(readFileSync(join(process.env.CODEX_HOME, 'hooks.json'), 'utf8'))
const kept = join(process.env.CODEX_HOME, 'last-session.json')
const last = args.includes('resume') && existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { id: `fake-${process.pid}`, input: [] }
const common = { session_id: last.id, cwd: process.cwd(), model: 'fake', permission_mode: 'default', transcript_path: null }
const input = [...last.input, { role: 'user', content: args.at(-1) }]
const tools = [{ type: 'function', name: 'exec_command', parameters: { properties: { cmd: { type: 'string' } }, required: ['cmd'] } }]

/** What the hooks of an event say: the reason of a refusal, and text for the model. */
function fire(event, fields) {
  const said = { refusal: null, context: '', input: null }
  for (const { command } of (hooks[event] ?? []).flatMap(group => group.hooks)) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      input: JSON.stringify({ ...common, hook_event_name: event, ...fields }),
      encoding: 'utf8',
    })
    const answer = stdout.trim() === '' ? {} : JSON.parse(stdout)
    const own = answer.hookSpecificOutput ?? {}
    if (status === 2) said.refusal = stderr
    if (own.permissionDecision === 'deny') said.refusal = own.permissionDecisionReason
    if (answer.decision === 'block') said.refusal = answer.reason
    said.context += own.additionalContext ?? ''
    said.input = own.updatedInput ?? null
  }
  return said
}

function runTool({ call_id, arguments: text }) {
  const tool = { tool_name: 'Bash', tool_use_id: call_id, tool_input: { command: JSON.parse(text).cmd } }
  const before = fire('PreToolUse', tool)
  if (before.refusal !== null && !flags.includes('ignore-deny')) return before.refusal
  const { command } = before.input ?? tool.tool_input
  const { stdout, stderr } = spawnSync('sh', ['-c', command.slice(0, 100_000)], { encoding: 'utf8' })
  const after = fire('PostToolUse', { ...tool, tool_input: { command }, tool_response: stdout + stderr })
  return [stdout, stderr, before.context, after.refusal ?? '', after.context].join('\n')
}

async function askModel(request) {
  const answer = await fetch(`${url}/responses`, { method: 'POST', body: JSON.stringify({ stream: true, ...request }) })
  const end = (await answer.text()).split('\n').findLast(line => line.startsWith('data: '))
  return JSON.parse(end.slice(6)).response
}

/** A summary takes the place of the talk. */
async function compact() {
  fire('PreCompact', { trigger: 'auto' })
  const { output } = await askModel({ input: [...input, { role: 'user', content: 'Write a summary of the conversation.' }] })
  input.splice(0, input.length, { role: 'user', content: `${args.at(-1)} ${JSON.stringify(output)}` })
}

const source = last.input.length === 0 ? 'startup' : 'resume'
input.push({ role: 'developer', content: fire('SessionStart', { source }).context })
const prompt = fire('UserPromptSubmit', { prompt: args.at(-1) })
if (prompt.refusal === null) {
  input.push({ role: 'developer', content: prompt.context })
  for (let isOver = false; !isOver; ) {
    const { output, usage } = await askModel({ input, tools })
    const calls = output.filter(({ type }) => type === 'function_call')
    for (const call of calls) input.push(call, { type: 'function_call_output', call_id: call.call_id, output: runTool(call) })
    if (usage.input_tokens > 150_000) await compact()
    if (calls.length > 0) continue
    const stop = fire('Stop', { stop_hook_active: false })
    isOver = stop.refusal === null
    if (!isOver) input.push({ role: 'user', content: stop.refusal })
  }
}
fire('SessionEnd', { reason: 'other' })
writeFileSync(kept, JSON.stringify({ id: last.id, input }))
