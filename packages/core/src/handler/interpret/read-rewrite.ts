// What an answer wants to put in place of the tool's input, its output or the prompt. The spellings are those of S, G, Claude, Gemini,
// Copilot, Cursor and Cline; each replaces the whole value.

import type { HookResult } from '../../hook/hook-result.ts'
import { isObject } from '../../value/is-object.ts'
import type { JsonObject } from './parse-answer.ts'

export interface RewriteReading {
  readonly rewrite: HookResult['rewrite'] | undefined
  readonly problems: readonly string[]
}

const INPUT_KEYS = ['updatedInput', 'updated_input', 'modified_input', 'modifiedArgs', 'overrideInput']
const OUTPUT_KEYS = ['updatedToolOutput', 'updatedMCPToolOutput', 'updated_mcp_tool_output', 'modified_output', 'modifiedResult']

/** Spellings that only one event has, always inside hookSpecificOutput: at the top they are an echo of what the hook was given. */
const OWN_INPUT_KEYS: Readonly<Record<string, string>> = { PreModel: 'llm_request', PreToolSelection: 'llm_request' }
const OWN_OUTPUT_KEYS: Readonly<Record<string, string>> = {
  PostModel: 'llm_response',
  MessageDisplay: 'displayContent',
  ElicitationResult: 'content',
}

export function readRewrite(answer: JsonObject, eventName: string): RewriteReading {
  const nested = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const output = firstOf([nested, answer], OUTPUT_KEYS) ?? firstOf([nested], [OWN_OUTPUT_KEYS[eventName] ?? ''])
  const replaced = output === undefined ? {} : { output: output.value }
  const input = inputOf(answer, nested, eventName)
  if (input === undefined) return { rewrite: output === undefined ? undefined : replaced, problems: [] }
  if (eventName === 'UserPromptSubmit') {
    const prompt = isObject(input.value) ? (input.value.prompt ?? input.value.user_prompt) : input.value
    if (typeof prompt === 'string') return { rewrite: { ...replaced, prompt }, problems: [] }
    return { rewrite: undefined, problems: [`${input.key} must be the new prompt, a text or an object with "prompt"`] }
  }
  if (isObject(input.value)) return { rewrite: { ...replaced, input: input.value }, problems: [] }
  return { rewrite: undefined, problems: [`${input.key} must be an object, the whole new input`] }
}

interface Found {
  readonly key: string
  readonly value: unknown
}

function inputOf(answer: JsonObject, nested: JsonObject, eventName: string): Found | undefined {
  if (isObject(answer.ModifyInput)) return { key: 'ModifyInput.new_input', value: answer.ModifyInput.new_input }
  const own = firstOf([nested], [OWN_INPUT_KEYS[eventName] ?? 'tool_input'])
  if (own !== undefined) return { key: `hookSpecificOutput.${own.key}`, value: own.value }
  const decisions = [nested.decision, answer.decision].filter(isObject)
  return firstOf([nested, answer, ...decisions], INPUT_KEYS)
}

function firstOf(holders: readonly JsonObject[], keys: readonly string[]): Found | undefined {
  for (const holder of holders) {
    for (const key of keys) {
      if (holder[key] !== undefined && holder[key] !== null) return { key, value: holder[key] }
    }
  }
  return undefined
}
