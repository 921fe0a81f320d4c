// The same moves through the real Claude Code, headless against the scripted model: tool calls are what the model says, everything else
// happens before the next of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { KIT } from '../../../scripts/lib/kit.mjs'
import { findClient, runClient } from '../../agents/client.mjs'
import { startModel } from '../../agents/scripted-model.mjs'

const LIMIT_MS = 240_000

/** `prompt`: what stands before the words that begin the work. */
export async function playThroughClaude(world, moves, prompt = '') {
  const { steps, sub, calls } = scriptOf(world, moves)
  const model = await startModel({ steps, sub })
  const place = { home: world.home, project: world.project, url: model.url }
  const ended = await runClient({
    agent: 'claude-code',
    program: findClient('claude-code').program,
    prompt: `${prompt}${KIT.MAIN_MARK} please work`,
    args: ['--allowedTools', 'Write,Edit,Read'],
    place,
    env: { PATH: world.env.PATH },
    limitMs: LIMIT_MS,
  })
  await model.close()
  const results = resultsOf(model.requests)
  // A prompt that is held makes no call, and a sub-agent that is held makes none of its own.
  const mayEnd = prompt !== '' || moves.some(({ subagent }) => subagent !== undefined)
  if (results.length < calls.length && !(mayEnd && /"type":"result"/.test(ended.out)))
    throw new Error(`Claude Code made ${results.length} of ${calls.length} calls: ${ended.out.slice(-1500)}${ended.err}`)
  return calls.map((call, at) => ({ ...call, ...(results[at] ?? { blocked: true, isMade: false }) }))
}

function scriptOf(world, moves) {
  const steps = []
  const sub = []
  const calls = []
  let waiting = []
  const before = () => {
    const todo = waiting
    waiting = []
    return async () => {
      for (const act of todo) await act(world, calls)
      // As in play.mjs: without its protection an attack has to wait until the daemon looks again.
      if (todo.length > 0) await sleep(400)
    }
  }
  for (const move of moves) {
    if (typeof move === 'function') waiting.push(move)
    else {
      const { tool = 'Bash', command, input = { command }, subagent } = move
      calls.push({ tool, input })
      if (subagent === undefined)
        steps.push({ before: before(), ...(tool === 'Bash' ? { shell: command } : { call: { name: tool, input } }) })
      else {
        // Launching it is a call of its own.
        calls.push({ tool: 'Task', input: { subagent_type: subagent } })
        steps.push({ before: before(), task: 'do it', type: subagent })
        sub.push({ shell: command }, { text: 'Done.' })
      }
    }
  }
  steps.push({ before: before(), text: 'All done.' })
  return { steps, sub, calls }
}

/** What the model was told of its calls, in their order. */
function resultsOf(requests) {
  const seen = new Map()
  for (const { body } of requests) {
    for (const { content } of body.messages ?? []) {
      for (const part of Array.isArray(content) ? content : []) {
        if (part.type !== 'tool_result') continue
        const out = typeof part.content === 'string' ? part.content : JSON.stringify(part.content)
        seen.set(part.tool_use_id, { out, blocked: part.is_error === true, why: part.is_error === true ? out : undefined })
      }
    }
  }
  return [...seen.values()]
}
