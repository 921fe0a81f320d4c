// A recorded call, ready to be judged once more, as it was after hooks had rewritten it: that is what rules see. It is the redacted record:
// where a secret was taken out, its place holder is judged.
import type { HookEvent } from '@belay/core'
import type { Entry } from '@belay/core/ledger'
import type { ToolCall } from '@belay/core/policy'
import { type Fields, fieldsIn, listIn, parseFields, textIn, textsIn } from '../statistic/read-fields.ts'

export interface RecordedCall {
  readonly call: ToolCall
  readonly event: HookEvent
  readonly root: string
  readonly isRedacted: boolean
}

/** What stands where a secret was taken out. */
export const MARK: RegExp = /\[redacted:[a-z0-9_-]+:[0-9a-f]{8}\]/i

/** null: the entry is not a call that rules judge, or its input stands elsewhere. */
export function callOfEntry(entry: Entry): RecordedCall | null {
  return callOfBody(entry, parseFields(entry.body))
}

/** `body`: with its large values in place, where they matter. */
export function callOfBody({ actor, session }: Pick<Entry, 'actor' | 'session'>, body: Fields): RecordedCall | null {
  const tool = textIn(body.tool)
  const root = textIn(body.root)
  const input = fieldsIn(rewrittenInput(body) ?? body.input)
  if (tool === null || root === null || input === null || input.$blob !== undefined) return null
  const call = { tool, input }
  const cwd = textIn(body.cwd) ?? root
  return {
    call,
    root,
    event: toolEvent({ call, actor, cwd, session, agent: textIn(body.agent), alsoAs: textsIn(body.alsoAs) }),
    isRedacted: holdsMark(input),
  }
}

function holdsMark(value: unknown): boolean {
  if (typeof value === 'string') return MARK.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsMark)
}

/** The last rewrite is what stands; null: nothing rewrote the input. */
export function rewrittenInput(body: Fields): unknown {
  return listIn(body.rewrites).findLast(rewrite => rewrite.target === 'input')?.after ?? null
}

export interface ToolEvent {
  readonly call: ToolCall
  readonly actor: string
  readonly cwd: string
  readonly session?: string | null
  readonly agent?: string | null
  /** Other names of the caller: what any of them must not do, it must not. */
  readonly alsoAs?: readonly string[]
}

/** The event under which a call is judged. */
export function toolEvent({ call, actor, cwd, session, agent, alsoAs = [] }: ToolEvent): HookEvent {
  return {
    name: 'PreToolUse',
    sessionId: session ?? 'tried',
    cwd,
    transcriptPath: null,
    permissionMode: null,
    actor,
    agent: agent ?? 'claude-code',
    commitment: null,
    fields: { toolName: call.tool, toolInput: call.input, toolUseId: 'tried' },
    env: {},
    ...(alsoAs.length === 0 ? {} : { alsoAs }),
  }
}
