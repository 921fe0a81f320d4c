// A call in an envelope that no agent of ours sends, brought into Claude's fields where there is no doubt what it is. Invariant: nothing is looked
// for inside the input of a tool, which is the model's; where two places may hold the call, none is taken, and the call is refused as unread.

import type { Json } from '../agent/agent.ts'
import { isShallow } from '../event/is-shallow.ts'
import { endOf, gateOf } from '../event/table.ts'
import { isObject } from '../value/is-object.ts'

const SESSION_NAMES = ['session_id', 'sessionId', 'conversation_id', 'conversationId', 'thread_id', 'threadId']
/** Objects, or lists of one, that hold the call. */
const CALL_NAMES = ['toolCall', 'tool_call', 'toolCalls', 'tool_calls', 'functionCall', 'function_call', 'tool', 'call', 'function']
const TOOL_NAMES = ['tool_name', 'toolName', 'tool', 'function_name', 'functionName', 'name']
const INPUT_NAMES = [
  ...['tool_input', 'toolInput', 'tool_args', 'toolArgs', 'tool_arguments', 'toolArguments', 'tool_params', 'toolParams'],
  ...['input', 'args', 'arguments', 'kwargs', 'params', 'parameters'],
]
/** A command that stands beside the input and not in it. */
const COMMAND_NAMES = ['command', 'cmd', 'commandLine', 'command_line', 'script', 'code']
const RESULT_NAMES = [
  'tool_response',
  'toolResponse',
  'tool_result',
  'toolResult',
  'tool_output',
  'toolOutput',
  'result',
  'output',
  'response',
]

/** Whether what an agent's own file made of a payload lacks what every host of its kind sends, or has what none of them does. */
export function isForeign(payload: Json, event: string): boolean {
  if (typeof payload.session_id !== 'string') return true
  if (!isAboutCall(event)) return false
  const { tool_name: name, tool_input: input, toolName, toolInput } = payload
  if (typeof name !== 'string' || !isObject(input) || toolName !== undefined || toolInput !== undefined) return true
  return OTHER_PLACES.some(place => holdsCall(payload[place])) || hasCommandBeside(payload, input)
}

const OTHER_PLACES = [...CALL_NAMES, ...INPUT_NAMES.filter(name => name !== 'tool_input')]

function holdsCall(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || asInput(value) !== null
}

function hasCommandBeside(payload: Json, input: Json): boolean {
  return COMMAND_NAMES.some(name => typeof payload[name] === 'string' && input[name] !== payload[name])
}

/** `payload` in Claude's fields, as far as they are found. */
export function readForeign(payload: Json, event: string): Json {
  const session = only(payload, SESSION_NAMES, asName)
  const named: Json = session === null ? payload : { ...without(payload, SESSION_NAMES), session_id: session }
  if (!isAboutCall(event)) return named
  const call = findCall(named)
  // Of several places none is taken, not even the one that Claude Code has.
  if (call === null) return without(named, INPUT_NAMES)
  const rest = without(named, [...CALL_NAMES, ...TOOL_NAMES, ...INPUT_NAMES])
  const result = endOf(event) === 'tool' ? only(named, RESULT_NAMES, value => value) : null
  return { ...rest, ...call, ...(result === null ? {} : { tool_response: result }) }
}

export const isAboutCall = (event: string): boolean => gateOf(event) === 'tool' || endOf(event) === 'tool'

interface Call {
  readonly tool_name: string
  readonly tool_input: Json
}

function findCall(payload: Json): Call | null {
  const held: readonly Json[] = CALL_NAMES.map(name => asHolder(payload[name])).filter(place => place !== null)
  if (held.length > 1) return null
  const holder = held[0] ?? payload
  const inner = holder === payload ? null : asHolder(holder.function)
  const place = inner ?? holder
  // A call beside the one that is held.
  if (place !== payload && (readCall(payload) !== null || (inner !== null && readCall(holder) !== null))) return null
  return readCall(place)
}

function readCall(place: Json): Call | null {
  // `name` is often that of the event, or of the session.
  const tool = only(place, TOOL_NAMES.slice(0, -1), asName) ?? asName(place.name)
  const input = only(place, INPUT_NAMES, asInput)
  return tool === null || input === null || hasCommandBeside(place, input) ? null : { tool_name: tool, tool_input: input }
}

/** What stands under one of the names; null: under none, or different things under several. */
function only<T>(place: Json, names: readonly string[], read: (value: unknown) => T | null): T | null {
  const values = names.filter(name => Object.hasOwn(place, name)).map(name => read(place[name]))
  const [first = null, ...others] = values.filter(value => value !== null)
  return others.every(other => JSON.stringify(other) === JSON.stringify(first)) ? first : null
}

function asHolder(value: unknown): Json | null {
  if (Array.isArray(value)) return value.length === 1 && isObject(value[0]) ? value[0] : null
  return isObject(value) ? value : null
}

function asName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An object, or one that is written as JSON. */
function asInput(value: unknown): Json | null {
  if (isObject(value)) return value
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return null
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) && isShallow(parsed) ? parsed : null
  } catch {
    return null
  }
}

function without(place: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(place).filter(([name]) => !names.includes(name)))
}
