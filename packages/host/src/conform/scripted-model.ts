// A model on loopback that says what a script tells it, so that an agent runs without an account and nothing leaves the machine. One step is
// used up by each request that offers tools; the others (titles, routers, summaries) get a fixed text.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorText, isObject } from '@belay/core/value'
import { type Json, MODEL_FORMATS, type ModelFormat, type OfferedTool, type ToolUse } from './model-format.ts'
import { chooseTool, MAIN_MARK, SUB_MARK, type Wish } from './offered-tool.ts'

export interface Step {
  /** What is called, all at once; none: the text is said. */
  readonly calls?: readonly Wish[]
  readonly text?: string
  /** How full the window is said to be. */
  readonly tokens?: number
  /** Its name in `reached`. */
  readonly id?: string
  /** Runs before the step is answered. */
  before?(): unknown
  /** True: the step is passed over. */
  isOver?(): boolean
}

export interface Script {
  readonly steps: readonly Step[]
  /** What sub-agents are told. */
  readonly sub?: readonly Step[]
}

export interface ModelRequest {
  readonly url: string
  readonly body: Json
  /** It asks for the next step. */
  readonly isTurn: boolean
  /** A sub-agent asks. */
  readonly isSub: boolean
  /** By the clock of this process. */
  readonly at: number
}

export interface ScriptedModel {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** Steps that were said, by id. */
  readonly reached: ReadonlySet<string>
  /** Steps for which the agent offers no tool. */
  readonly lacking: ReadonlySet<string>
  /** Steps of the main script that nobody has asked for yet. */
  left(): number
  /** Everything the model was told, as one text. */
  heard(): string
  close(): Promise<void>
}

const TOKENS = 1000
const LAST: Step = { text: 'All done.' }

export async function startScriptedModel({ steps, sub = [] }: Script): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const reached = new Set<string>()
  const lacking = new Set<string>()
  const main = [...steps]
  const below = [...sub]
  // What the talk was last said to take: whoever has it summed up compares the two.
  let full = TOKENS

  /** Steps for which the agent has no tool are passed over. */
  async function nextTurn(
    body: Json,
    offered: readonly OfferedTool[],
  ): Promise<{ readonly step: Step; readonly calls: readonly ToolUse[] }> {
    const queue = isOfSubAgent(body) ? below : main
    for (;;) {
      const step = (queue.length > 1 ? queue.shift() : queue[0]) ?? LAST
      if (step.isOver?.() === true && queue.length > 0) continue
      const calls = closing(step, offered) ?? callsOf(step, offered)
      if (calls === null && queue.length > 0) continue
      try {
        await step.before?.()
        return { step, calls: calls ?? [] }
      } catch (error) {
        // The agent is told, and whoever looks for the step finds that it was not reached.
        if (step.id !== undefined) reached.delete(step.id)
        return { step: { text: `The script failed: ${errorText(error)}` }, calls: [] }
      }
    }
  }

  /** null: the agent offers no tool for it. */
  function callsOf({ calls = [], id }: Step, offered: readonly OfferedTool[]): readonly ToolUse[] | null {
    const uses = calls.map(wish => chooseTool(wish, offered)).filter(use => use !== null)
    const isWhole = uses.length === calls.length
    if (id !== undefined) (isWhole ? reached : lacking).add(id)
    return isWhole ? uses : null
  }

  const server = createServer(async (request, response) => {
    const body = await readJson(request)
    const url = request.url ?? ''
    const format = request.method === 'POST' ? MODEL_FORMATS.find(({ path }) => path.test(url)) : undefined
    if (format === undefined) return send(response, 'application/json', JSON.stringify(fixedAnswer(url)))
    const offered = format.tools(body).filter(({ name }) => !SIDE_TOOLS.includes(name))
    const isTurn = offered.length > 0
    requests.push({ url, body, isTurn, isSub: isOfSubAgent(body), at: performance.now() })
    if (isTurn && !asksForSummary(body)) {
      const { step, calls } = await nextTurn(body, offered)
      full = step.tokens ?? TOKENS
      answer(response, format, { turn: { calls, text: step.text ?? 'All done.', tokens: full }, body, url })
    } else {
      const text = isTurn ? `<summary>${SUMMARY}</summary>` : SIDE_TEXT
      answer(response, format, { turn: { calls: [], text, tokens: full }, body, url })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reached,
    lacking,
    left: () => main.length - 1,
    heard: () => requests.map(({ body }) => JSON.stringify(body)).join('\n'),
    close() {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** The tools that an agent offered its model in a request. */
export function offeredTools({ url, body }: Pick<ModelRequest, 'url' | 'body'>): readonly OfferedTool[] {
  return MODEL_FORMATS.find(({ path }) => path.test(url))?.tools(body) ?? []
}

function isOfSubAgent(body: Json): boolean {
  const text = JSON.stringify(body.messages ?? body.input ?? body.contents ?? '')
  return text.includes(SUB_MARK) && !text.includes(MAIN_MARK)
}

/** A sub-agent of Gemini CLI ends by calling this. */
function closing({ calls = [], text }: Step, offered: readonly OfferedTool[]): readonly ToolUse[] | null {
  const tool = calls.length === 0 ? offered.find(({ name }) => name === 'complete_task') : undefined
  if (tool === undefined) return null
  return [{ name: tool.name, input: Object.fromEntries(tool.required.map(field => [field, text ?? ''])) }]
}

/** What stands for the talk so far once an agent has compacted it. */
export const SUMMARY = 'SUMMARY-OF-THE-TALK'

/** Some agents offer their tools when they ask for a summary too: no step is used up by it. */
function asksForSummary(body: Json): boolean {
  const talk = [body.messages, body.input, body.contents].find(Array.isArray) ?? []
  return /\bsummar(?:y of|i[sz]es?) (?:the|our|this|a) conversation|CONTEXT CHECKPOINT|\bcompact(?:ion|ing)?\b.*\bsummary/i.test(
    JSON.stringify(talk.at(-1) ?? ''),
  )
}

/** Tools of requests that are no turn: Grok has its title written by one. */
const SIDE_TOOLS = ['session_title']

/** Also what Gemini's router and its check for the next speaker can read. */
const SIDE_TEXT = JSON.stringify({
  reasoning: SUMMARY,
  next_speaker: 'user',
  model_choice: 'flash',
  complexity_reasoning: 'scripted',
  complexity_score: 1,
})

function fixedAnswer(url: string): unknown {
  if (/countTokens/.test(url)) return { totalTokens: 10 }
  if (/count_tokens/.test(url)) return { input_tokens: 100 }
  return { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] }
}

function answer(
  response: ServerResponse,
  format: ModelFormat,
  { turn, body, url }: { readonly turn: Parameters<ModelFormat['whole']>[0]; readonly body: Json; readonly url: string },
): void {
  if (format.isStream(body, url)) send(response, 'text/event-stream', format.stream(turn, body))
  else send(response, 'application/json', JSON.stringify(format.whole(turn, body)))
}

async function readJson(request: IncomingMessage): Promise<Json> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    // Some requests have no body.
    return {}
  }
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
  response.end(text)
}
