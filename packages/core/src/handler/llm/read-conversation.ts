// The end of a conversation, read from the transcript that the agent keeps: who said what, who called which tool, what came back.
// Bounded in every direction. Lines that nobody understands, thoughts and a sub-agent's lines are passed over.
import { isObject } from '../../value/is-object.ts'
import { readEnd } from './read-end.ts'

export interface ConversationTurn {
  readonly role: string
  readonly text: string
}

const MAX_BYTES = 512 * 1024
const MAX_TURNS = 40
const MAX_TEXT = 2_000

/** Nothing where there is no transcript or none that can be read: a hook judges the step without it. */
export async function readConversation(file: string): Promise<readonly ConversationTurn[]> {
  let text: string
  try {
    text = await readEnd(file, MAX_BYTES)
  } catch {
    return []
  }
  return entriesOf(text).flatMap(turnOf).slice(-MAX_TURNS).map(shorten)
}

type Json = Readonly<Record<string, unknown>>

/** One entry a line (Claude Code, Codex, Qwen), or one object with all of them (Gemini CLI). */
function entriesOf(text: string): readonly Json[] {
  const whole = parse(text)
  if (whole !== null && Array.isArray(whole.messages)) return whole.messages.filter(message => isObject(message)) as readonly Json[]
  return text.split('\n').map(parse).filter(isObject)
}

function turnOf(entry: Json): readonly ConversationTurn[] {
  if (entry.isSidechain === true || entry.isMeta === true) return []
  const said = isObject(entry.message) ? entry.message : isObject(entry.payload) ? entry.payload : entry
  const role = roleOf(said) ?? roleOf(entry)
  const text = role === null ? '' : textOf(said.content ?? said.parts ?? said)
  return role === null || text === '' ? [] : [{ role, text }]
}

const ROLES: Readonly<Record<string, string>> = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  gemini: 'assistant',
  tool: 'tool',
  function_call: 'assistant',
  custom_tool_call: 'assistant',
  function_call_output: 'tool',
  custom_tool_call_output: 'tool',
}

function roleOf({ role, type }: Json): string | null {
  return ROLES[String(role)] ?? ROLES[String(type)] ?? null
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.trim()
  if (Array.isArray(content)) return content.map(textOf).filter(isFilled).join('\n')
  if (!isObject(content)) return ''
  const { text, name, input, arguments: args, output } = content
  if (typeof text === 'string') return text.trim()
  const called = content.functionCall
  if (isObject(called)) return callText(called.name, called.args)
  const answered = content.functionResponse
  if (isObject(answered))
    return resultText(isObject(answered.response) ? (answered.response.output ?? answered.response) : answered.response)
  if (typeof name === 'string' && (input !== undefined || args !== undefined)) return callText(name, input ?? args)
  if (output !== undefined) return resultText(output)
  return content.type === 'tool_result' ? resultText(content.content) : ''
}

function callText(name: unknown, input: unknown): string {
  return `(calls ${String(name)} with ${plain(input)})`
}

function resultText(output: unknown): string {
  return `(result: ${textOf(output) || plain(output)})`
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function shorten({ role, text }: ConversationTurn): ConversationTurn {
  return { role, text: text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} … (cut)` }
}

function isFilled(text: string): boolean {
  return text !== ''
}

/** The first line of an end is usually cut: it does not parse and is passed over. */
function parse(text: string): Json | null {
  const start = text.trimStart()
  if (!start.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(start)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
