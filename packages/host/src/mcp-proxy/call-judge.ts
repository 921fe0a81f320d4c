// What the policy says to a call of an MCP tool, and to its result. Asked like any other hook call: the daemon answers, and where there is none
// the static policy is judged in this process. A call that cannot be judged is denied.

import { isObject } from '@belay/core/value'
import { type HookIo, type HookOutput, runHook } from '../shim/node-shim.ts'
import type { Json } from './message.ts'

export interface McpCall {
  readonly session: string
  /** As the server calls it. */
  readonly tool: string
  readonly input: Json
  /** Pairs what is said before the call with what is said after it. */
  readonly useId: string
  /** Why a person has to look at the tool's definition first, with the difference; null: it is as it was. */
  readonly definitionChange: string | null
  /** The hash of what the server says of the tool; absent: it was not listed yet. */
  readonly definition?: string
  /** The client can put a question to its user. */
  readonly canAsk?: boolean
}

export type BeforeCall =
  | { readonly kind: 'deny'; readonly reason: string }
  /** `input`: what to call it with instead; null: as it came. `ask`: only if the client's user agrees. */
  | { readonly kind: 'run'; readonly input: Json | null; readonly context: string | null; readonly ask?: string }

export interface FinishedCall {
  /** The result, or the text of the error. */
  readonly outcome: { readonly kind: 'result'; readonly result: Json } | { readonly kind: 'failure'; readonly error: string }
  readonly durationMs: number
}

export interface AfterCall {
  /** Stands in for the result. */
  readonly output: { readonly value: unknown } | null
  /** What the model should read beside it. */
  readonly notes: readonly string[]
  /** Somebody objects to what came out. */
  readonly isDenied: boolean
}

export interface CallJudge {
  before(call: McpCall): Promise<BeforeCall>
  after(call: McpCall, finished: FinishedCall): Promise<AfterCall>
}

export interface CallJudgeOptions {
  /** The server's name in `mcp__<server>__<tool>`. */
  readonly server: string
  /** How long a call may wait for a person. */
  readonly holdMs: number
  readonly io: Omit<HookIo, 'payload' | 'isTty'>
}

export function createCallJudge({ server, holdMs, io }: CallJudgeOptions): CallJudge {
  const ask = (event: string, call: McpCall, more: Json = {}): Promise<HookOutput> => {
    const payload = JSON.stringify({
      session_id: call.session,
      cwd: io.cwd,
      tool_name: `mcp__${server}__${call.tool}`,
      tool_input: call.input,
      tool_use_id: call.useId,
      ...more,
    })
    return runHook(
      { agent: 'mcp', event, direct: false, deadlineMs: holdMs },
      { ...io, payload, path: io.env.PATH, isTty: call.canAsk === true },
    )
  }
  return {
    before: async call =>
      readBefore(
        await ask('tools/call', call, {
          ...(call.definition === undefined ? {} : { definition: call.definition }),
          ...(call.definitionChange === null ? {} : { definition_change: call.definitionChange }),
        }),
        call.canAsk === true,
      ),
    async after(call, { outcome, durationMs }) {
      const timed = { duration_ms: durationMs }
      return outcome.kind === 'result'
        ? readAfter(await ask('tools/result', call, { ...timed, tool_response: outcome.result }))
        : readAfter(await ask('PostToolUseFailure', call, { ...timed, error: outcome.error }))
    },
  }
}

function readBefore(output: HookOutput, canAsk: boolean): BeforeCall {
  const answer = readAnswer(output)
  if (answer === null) return { kind: 'deny', reason: output.stderr.trim() || 'Tool denied: Belay gave no usable answer' }
  const { decision, reason, stop } = answer
  if (decision === 'deny' || (decision === 'ask' && !canAsk)) return { kind: 'deny', reason: textOf(reason) ?? 'Tool denied: refused' }
  // Whoever ends the turn does not want the call to run either.
  if (textOf(stop) !== null) return { kind: 'deny', reason: `Tool denied: ${textOf(stop)}` }
  const run = { kind: 'run' as const, input: isObject(answer.input) ? answer.input : null, context: textOf(answer.context) }
  return decision === 'ask' ? { ...run, ask: textOf(reason) ?? 'a person must agree' } : run
}

/** It has happened; what cannot be read changes nothing about it. */
function readAfter(output: HookOutput): AfterCall {
  const answer = readAnswer(output) ?? {}
  const isDenied = answer.decision === 'deny'
  const notes = [isDenied ? textOf(answer.reason) : null, textOf(answer.stop), textOf(answer.context)]
  return {
    output: Object.hasOwn(answer, 'output') ? { value: answer.output } : null,
    notes: notes.filter(note => note !== null),
    isDenied,
  }
}

/** null: refused by exit code, or nothing that could be read. */
function readAnswer({ exitCode, stdout }: HookOutput): Json | null {
  if (exitCode !== 0) return null
  if (stdout === '') return {}
  try {
    const value: unknown = JSON.parse(stdout)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
