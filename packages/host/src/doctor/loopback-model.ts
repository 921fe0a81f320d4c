// A model on loopback that asks for one shell command and is then done: with it an agent can be tried without an account, and nothing
// leaves the machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MODEL_FORMATS, type ToolUse } from './model-turn.ts'

export interface LoopbackModel {
  readonly url: string
  /** Turns that the agent has asked for: the second comes after the command. */
  turns(): number
  close(): Promise<void>
}

export async function startLoopbackModel(command: string): Promise<LoopbackModel> {
  let turns = 0
  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const format = MODEL_FORMATS.find(({ path }) => request.method === 'POST' && path.test(request.url ?? ''))
    if (format === undefined) return send(response, 'application/json', JSON.stringify(fixedAnswer(request.url ?? '')))
    const tools = format.tools(body)
    // Titles, routers and summaries offer none.
    if (tools.length > 0) turns++
    const use = tools.length > 0 && turns === 1 ? shellUse(tools, command) : null
    send(response, 'text/event-stream', format.spell(use ?? (tools.length > 0 ? 'Done.' : SIDE_TEXT)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    turns: () => turns,
    close() {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** Also what Gemini's router and its check for the next speaker can read. */
const SIDE_TEXT = JSON.stringify({
  reasoning: 'none',
  next_speaker: 'user',
  model_choice: 'flash',
  complexity_reasoning: 'none',
  complexity_score: 1,
})

const SHELLS = ['Bash', 'run_shell_command', 'exec_command', 'shell_command', 'bash']

function shellUse(tools: readonly string[], command: string): ToolUse | null {
  const name = SHELLS.find(shell => tools.includes(shell))
  if (name === undefined) return null
  if (name === 'exec_command') return { name, input: { cmd: command } }
  const described = { command, description: 'belay doctor' }
  return { name, input: name === 'run_shell_command' ? { ...described, is_background: false } : described }
}

function fixedAnswer(url: string): unknown {
  if (/countTokens/.test(url)) return { totalTokens: 10 }
  if (/count_tokens/.test(url)) return { input_tokens: 10 }
  return { object: 'list', data: [{ id: 'belay', object: 'model' }], models: [] }
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  let text = ''
  for await (const chunk of request) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
  response.end(text)
}
