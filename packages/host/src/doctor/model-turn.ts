// One answer of a model, a call of a tool or a text, in each of the four ways in which agents talk to models.
import { randomUUID } from 'node:crypto'

type Json = Readonly<Record<string, unknown>>

export interface ToolUse {
  readonly name: string
  readonly input: Json
}

export interface ModelFormat {
  /** Requests for an answer. */
  readonly path: RegExp
  /** The tools that the agent offers. */
  tools(body: Json): readonly string[]
  /** The answer as server-sent events. */
  spell(said: ToolUse | string): string
}

export const MODEL_FORMATS: readonly ModelFormat[] = [
  { path: /\/v1\/messages(?:\?|$)/, tools: body => namesIn(body.tools), spell: spellMessages },
  { path: /\/responses(?:\?|$)/, tools: body => namesIn(body.tools), spell: spellResponses },
  {
    path: /:(?:streamG|g)enerateContent/,
    tools: body => listIn(body.tools).flatMap(tool => namesIn(tool.functionDeclarations)),
    spell: spellGemini,
  },
  { path: /\/chat\/completions/, tools: body => listIn(body.tools).flatMap(tool => namesIn([tool.function])), spell: spellChat },
]

function spellMessages(said: ToolUse | string): string {
  const isText = typeof said === 'string'
  const block = isText ? { type: 'text', text: '' } : { type: 'tool_use', id: newId('toolu'), name: said.name, input: {} }
  const delta = isText ? { type: 'text_delta', text: said } : { type: 'input_json_delta', partial_json: JSON.stringify(said.input) }
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'belay',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  return events([
    { type: 'message_start', message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ])
}

function spellResponses(said: ToolUse | string): string {
  const id = newId('resp')
  const item =
    typeof said === 'string'
      ? { type: 'message', id: newId('msg'), role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [] }] }
      : { type: 'function_call', id: newId('fc'), call_id: newId('call'), name: said.name, arguments: JSON.stringify(said.input) }
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  }
  return events([
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, output: [item], usage } },
  ])
}

function spellGemini(said: ToolUse | string): string {
  const part = typeof said === 'string' ? { text: said } : { functionCall: { id: newId('call'), name: said.name, args: said.input } }
  const answer = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  }
  return `data: ${JSON.stringify(answer)}\r\n\r\n`
}

function spellChat(said: ToolUse | string): string {
  const isText = typeof said === 'string'
  const call = isText
    ? null
    : { index: 0, id: newId('call'), type: 'function', function: { name: said.name, arguments: JSON.stringify(said.input) } }
  const chunk = (delta: Json, reason: string | null) => ({
    id: newId('chat'),
    object: 'chat.completion.chunk',
    created: 0,
    model: 'belay',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const first = { role: 'assistant', content: isText ? said : '', ...(call === null ? {} : { tool_calls: [call] }) }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const chunks = [chunk(first, null), { ...chunk({}, isText ? 'stop' : 'tool_calls'), usage }]
  return `${chunks.map(each => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`
}

function events(list: readonly (Json & { readonly type: string })[]): string {
  return list.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) : []
}

function namesIn(value: unknown): readonly string[] {
  return listIn(value).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
}
