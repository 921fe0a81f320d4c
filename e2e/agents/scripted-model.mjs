// A model on loopback that says what a script tells it, in the four wire formats that agents speak: Anthropic Messages, Gemini,
// OpenAI Responses, OpenAI Chat. A script is a list of steps: {shell}, {task, type}, {text}, {call: {name, input}}; `before` runs before a step is answered, `tokens`
// is how full the window is said to be.
// One step is used up by each request that offers tools; the others (titles, routers, summaries) get a fixed text.
import { createServer } from 'node:http'
import { chatTurn, claudeTurn, geminiTurn, responsesTurn } from './wire-format.mjs'

/** A request whose prompt holds this is of a sub-agent and follows the script's `sub` steps. */
const SUB_MARK = 'SUBTASK'

export async function startModel({ steps, sub = [] }) {
  const requests = []
  const queues = { main: [...steps], sub: [...sub] }
  async function nextStep(body) {
    const isSub =
      JSON.stringify(body.messages?.[0] ?? body.input ?? '').includes(SUB_MARK) && !JSON.stringify(body).includes('"name":"Task","input"')
    const queue = isSub ? queues.sub : queues.main
    const step = queue.length > 1 ? queue.shift() : (queue[0] ?? { text: 'done' })
    await step.before?.()
    return step
  }
  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const url = request.url ?? ''
    const format = FORMATS.find(({ matches }) => matches.test(url) && request.method === 'POST')
    if (format === undefined) return sendJson(response, fixedAnswer(url))
    const names = format.turn.tools(body).filter(name => !SIDE_TOOLS.includes(name))
    requests.push({ url, body, at: performance.now(), isTurn: names.length > 0 })
    const step = names.length === 0 ? { text: SIDE_TEXT } : await nextStep(body).catch(failedStep)
    format.turn.send(response, { body, url, step, call: toolCall(step, names) })
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Everything the model was told, as one text. */
    heard: () => requests.map(({ body }) => JSON.stringify(body)).join('\n'),
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

const FORMATS = [
  { matches: /\/v1\/messages(\?|$)/, turn: claudeTurn },
  { matches: /:(streamGenerateContent|generateContent)/, turn: geminiTurn },
  { matches: /\/responses(\?|$)/, turn: responsesTurn },
  { matches: /\/chat\/completions/, turn: chatTurn },
]

/** Tools of requests that are no turn: Grok has its title written by one. */
const SIDE_TOOLS = ['session_title']

/** Also what Gemini's router and next-speaker check can read. */
const SIDE_TEXT = JSON.stringify({
  reasoning: 'scripted',
  next_speaker: 'user',
  model_choice: 'flash',
  complexity_reasoning: 'scripted',
  complexity_score: 1,
})

/** What was to happen before a step did not: the agent is told, and the checks of its case fail. */
function failedStep(error) {
  return { text: `The script failed: ${error.message}` }
}

function fixedAnswer(url) {
  if (/countTokens/.test(url)) return { totalTokens: 10 }
  if (/count_tokens/.test(url)) return { input_tokens: 100 }
  return { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] }
}

const SHELLS = ['Bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'bash', 'run_terminal_command']

/** The tool that the agent offers for a step. */
function toolCall(step, names) {
  if (step.call !== undefined) return step.call
  if (step.task !== undefined) {
    const input = {
      description: 'scripted',
      prompt: `${SUB_MARK} ${step.task}`,
      subagent_type: step.type ?? 'general-purpose',
      run_in_background: false,
    }
    return { name: names.find(name => name === 'Task' || name === 'Agent') ?? 'Task', input }
  }
  if (step.shell === undefined) return null
  const name = SHELLS.find(shell => names.includes(shell)) ?? 'exec_command'
  if (name === 'exec_command') return { name, input: { cmd: step.shell } }
  if (name === 'shell') return { name, input: { command: ['bash', '-lc', step.shell] } }
  const described = name === 'run_shell_command' ? { description: 'scripted', is_background: false } : { description: 'scripted' }
  return { name, input: { command: step.shell, ...described } }
}

async function readJson(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
