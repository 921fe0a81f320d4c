// One turn of a model, calls of tools or a text, in each of the four ways in which agents talk to models: Anthropic Messages, OpenAI Responses,
// Gemini, OpenAI Chat.
import { randomUUID } from 'node:crypto'
import { isObject } from '@belay/core/value'

export type Json = Readonly<Record<string, unknown>>

export interface ToolUse {
  readonly name: string
  /** The group of tools that it stands in, where the agent has such. */
  readonly group?: string
  readonly input: Json
  /** In place of the input, for a tool that takes text as it stands (OpenAI Responses). */
  readonly text?: string
}

/** What the agent says of a tool that the model may call. */
export interface OfferedTool {
  readonly name: string
  readonly group?: string
  /** Names of its arguments. */
  readonly fields: readonly string[]
  readonly required: readonly string[]
}

/** Either calls or a text. */
export interface ModelTurn {
  readonly calls: readonly ToolUse[]
  readonly text: string
  /** How full the window is said to be. */
  readonly tokens: number
}

export interface ModelFormat {
  /** Requests for an answer. */
  readonly path: RegExp
  tools(body: Json): readonly OfferedTool[]
  isStream(body: Json, url: string): boolean
  /** As server-sent events. */
  stream(turn: ModelTurn, body: Json): string
  /** As one JSON value. */
  whole(turn: ModelTurn, body: Json): unknown
}

const asksForStream = (body: Json): boolean => body.stream === true

export const MODEL_FORMATS: readonly ModelFormat[] = [
  {
    path: /\/v1\/messages(?:\?|$)/,
    tools: body => toolsIn(body.tools, 'input_schema'),
    isStream: asksForStream,
    stream: streamMessages,
    whole: (turn, body) => ({ ...messageOf(turn, body), content: blocksOf(turn), stop_reason: stopOf(turn) }),
  },
  {
    path: /\/responses(?:\?|$)/,
    tools: body => listIn(body.tools).flatMap(groupedTools),
    isStream: () => true,
    stream: streamResponses,
    whole: turn => responseOf(turn, newId('resp')),
  },
  {
    path: /:(?:streamG|g)enerateContent/,
    tools: body => listIn(body.tools).flatMap(tool => toolsIn(tool.functionDeclarations, 'parametersJsonSchema', 'parameters')),
    isStream: (_body, url) => /:streamGenerateContent/.test(url),
    stream: turn => `data: ${JSON.stringify(candidateOf(turn))}\r\n\r\n`,
    whole: candidateOf,
  },
  {
    path: /\/chat\/completions/,
    tools: body => listIn(body.tools).flatMap(tool => toolsIn([tool.function], 'parameters')),
    isStream: asksForStream,
    stream: streamChat,
    whole: (turn, body) => ({
      ...chatHead(body, 'chat.completion'),
      choices: [{ index: 0, message: chatMessage(turn), finish_reason: finishOf(turn) }],
      usage: chatUsage(turn),
    }),
  },
]

function streamMessages(turn: ModelTurn, body: Json): string {
  const blocks = blocksOf(turn).flatMap((block, index) => {
    const isText = block.type === 'text'
    const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} }
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    return [
      { type: 'content_block_start', index, content_block: empty },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]
  })
  return events([
    { type: 'message_start', message: { ...messageOf(turn, body), content: [], stop_reason: null } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: stopOf(turn), stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ])
}

function messageOf({ tokens }: ModelTurn, { model }: Json): Json {
  const usage = { input_tokens: tokens, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  return { id: newId('msg'), type: 'message', role: 'assistant', model, stop_sequence: null, usage }
}

function blocksOf({ calls, text }: ModelTurn): readonly (Json & { readonly type: string })[] {
  if (calls.length === 0) return [{ type: 'text', text }]
  return calls.map(({ name, input }) => ({ type: 'tool_use', id: newId('toolu'), name, input }))
}

const stopOf = ({ calls }: ModelTurn): string => (calls.length === 0 ? 'end_turn' : 'tool_use')

function streamResponses(turn: ModelTurn): string {
  const response = responseOf(turn, newId('resp'))
  return events([
    { type: 'response.created', response: { id: response.id } },
    ...response.output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response },
  ])
}

function responseOf({ calls, text, tokens }: ModelTurn, id: string) {
  const said = { type: 'message', id: newId('msg'), role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }
  const used = calls.map(({ name, group, input, text: taken }) => ({
    ...(taken === undefined ? { type: 'function_call', arguments: JSON.stringify(input) } : { type: 'custom_tool_call', input: taken }),
    id: newId('fc'),
    call_id: newId('call'),
    name,
    ...(group === undefined ? {} : { namespace: group }),
  }))
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 5,
  }
  return { id, output: calls.length === 0 ? [said] : used, usage }
}

function candidateOf({ calls, text, tokens }: ModelTurn): Json {
  const used = calls.map(({ name, input }) => ({ functionCall: { name, args: input, id: newId('call') } }))
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: calls.length === 0 ? [{ text }] : used }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens + 5 },
    modelVersion: 'scripted',
  }
}

function streamChat(turn: ModelTurn, body: Json): string {
  const head = chatHead(body, 'chat.completion.chunk')
  const chunk = (delta: Json, finish_reason: string | null, more: Json) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  })
  const message = chatMessage(turn)
  const chunks = [chunk({ ...message, content: message.content ?? '' }, null, {}), chunk({}, finishOf(turn), { usage: chatUsage(turn) })]
  return `${chunks.map(each => `data: ${JSON.stringify(each)}\n\n`).join('')}data: [DONE]\n\n`
}

const chatHead = ({ model }: Json, object: string): Json => ({ id: newId('chat'), object, created: 0, model })

function chatMessage({ calls, text }: ModelTurn): Json {
  if (calls.length === 0) return { role: 'assistant', content: text }
  const tool_calls = calls.map(({ name, input }, index) => ({
    index,
    id: newId('call'),
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { role: 'assistant', content: null, tool_calls }
}

const finishOf = ({ calls }: ModelTurn): string => (calls.length === 0 ? 'stop' : 'tool_calls')

const chatUsage = ({ tokens }: ModelTurn): Json => ({ prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 })

function events(list: readonly (Json & { readonly type: string })[]): string {
  return list.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}

function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Codex puts the tools of sub-agents and of each MCP server into a group. */
function groupedTools(tool: Json): readonly OfferedTool[] {
  const { name } = tool
  if (tool.type !== 'namespace' || typeof name !== 'string') return toolsIn([tool], 'parameters')
  return toolsIn(tool.tools, 'parameters').map(each => ({ ...each, group: name }))
}

/** `schemaNames`: where the schema of the arguments may stand. A tool of the agent's model has a type and no name. */
function toolsIn(value: unknown, ...schemaNames: readonly string[]): readonly OfferedTool[] {
  return listIn(value).flatMap(tool => {
    const name = tool.name ?? tool.type
    if (typeof name !== 'string') return []
    const schema = schemaNames.map(each => tool[each]).find(isObject) ?? {}
    const fields = isObject(schema.properties) ? Object.keys(schema.properties) : []
    const required = Array.isArray(schema.required) ? schema.required.filter(each => typeof each === 'string') : []
    return [{ name, fields, required }]
  })
}
