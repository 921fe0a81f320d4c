// Whether a JSON object is an answer at all. One that holds no word of any vocabulary is not "no opinion": nobody can tell what it meant.
import { isObject } from '../../value/is-object.ts'
import type { JsonObject } from './parse-answer.ts'

/** Every key that S, G or an agent gives a meaning, also those that mean nothing here. */
const KEYS = new Set([
  ...['Continue', 'Reject', 'ModifyInput', 'continue', 'stopReason', 'stop_reason', 'suppressOutput', 'suppress_output', 'evidence'],
  ...['decision', 'permissionDecision', 'permissionDecisionReason', 'permission', 'cancel', 'errorMessage', 'hookSpecificOutput'],
  ...['updatedInput', 'updated_input', 'modified_input', 'modifiedArgs', 'overrideInput'],
  ...['updatedToolOutput', 'updatedMCPToolOutput', 'updated_mcp_tool_output', 'modified_output', 'modifiedResult'],
  ...['additionalContext', 'additional_context', 'contextModification', 'systemMessage', 'system_message'],
  ...['user_message', 'userMessage', 'agent_message', 'agentMessage', 'followup_message'],
  ...['async', 'asyncTimeout', 'terminalSequence', 'suppressOriginalPrompt', 'sessionTitle', 'watchPaths', 'reloadSkills', 'retry'],
  ...['classifierContext', 'classifier_context'],
])

const NESTED_KEYS = new Set([
  ...KEYS,
  ...['tool_input', 'llm_request', 'llm_response', 'displayContent', 'action', 'content', 'initialUserMessage'],
])

const FLAGS = ['continue', 'suppressOutput', 'suppress_output', 'cancel']

/** What is wrong with it as a whole; empty: it can be read. */
export function shapeProblems(answer: JsonObject): string[] {
  const problems = FLAGS.flatMap(key => (isFlag(answer[key]) ? [] : [`${key} is ${JSON.stringify(answer[key])}, not true or false`]))
  const { hookSpecificOutput: nested, ModifyInput: modify } = answer
  if (isGiven(modify) && !isObject(modify)) problems.push('ModifyInput must be an object with "new_input"')
  if (isGiven(nested) && !isObject(nested)) problems.push('hookSpecificOutput must be an object')
  else if (isObject(nested)) problems.push(...unknownOnly('hookSpecificOutput', withoutName(nested), NESTED_KEYS))
  return isEcho(answer) ? problems : [...problems, ...unknownOnly('its answer', Object.keys(answer), KEYS)]
}

function unknownOnly(what: string, keys: readonly string[], known: ReadonlySet<string>): string[] {
  if (keys.length === 0 || keys.some(key => known.has(key))) return []
  return [`${what} holds nothing that a hook can say, only ${keys.slice(0, MAX_SHOWN).join(', ')}`]
}

const MAX_SHOWN = 5

function withoutName(nested: JsonObject): string[] {
  return Object.keys(nested).filter(key => key !== 'hookEventName')
}

/** A script that prints what it was given. */
function isEcho({ session_id: session }: JsonObject): boolean {
  return typeof session === 'string'
}

function isFlag(value: unknown): boolean {
  return !isGiven(value) || typeof value === 'boolean'
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
