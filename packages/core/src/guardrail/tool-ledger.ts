// tool_ledger: every call under its idempotency key. A finished call that may happen only once is not run again: its receipt is handed out.
// Invariants: a call is logged before it runs; a log that fails lets nothing external run twice unseen: it fails the hook, by its `fail`.

import { randomUUID } from 'node:crypto'
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import { RECEIPT } from '../hook/receipt.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import { deny } from '../verdict/verdict.ts'
import type { SideEffectClass } from './classify-call.ts'
import { createEffectJudge, type EffectRule, type JudgedEffect, readEffectRules } from './effect-rule.ts'
import type { Guardrail } from './guardrail.ts'
import type { CallEnding, GuardrailPorts, KnownCall, LoggedCall, ReplayPolicy, ToolCallLog } from './guardrail-ports.ts'
import { resultText } from './result-text.ts'
import { createMemoryPort, type SessionMemory } from './session-memory.ts'
import { toolKey, VOLATILE_FIELDS } from './tool-key.ts'
import { createTurns, type TakeTurn } from './turns.ts'

export interface ToolLedgerConfig {
  readonly rules: readonly EffectRule[]
  readonly namespace: string
  readonly volatile: ReadonlySet<string>
  readonly receiptLength: number
}

export const toolLedger: Guardrail<ToolLedgerConfig> = {
  name: 'tool_ledger',
  description: 'logs every call under an idempotency key and hands out the receipt instead of running an external call twice',
  events: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'],
  isHarmless: true,
  readConfig: reader => ({
    rules: readEffectRules(reader),
    namespace: reader.text('namespace') ?? 'default',
    volatile: new Set([...VOLATILE_FIELDS, ...reader.texts('volatile')]),
    receiptLength: reader.count('receipt_length', 8000),
  }),
  createHooks(config, ports) {
    const log = ports.toolCalls
    if (log === undefined) throw new Error('tool_ledger needs a place to keep its calls (ports.toolCalls)')
    const running = (ports.memory ?? createMemoryPort()).open('tool_ledger', () => new BoundedMap<string, RunningCall>(MAX_RUNNING))
    const keys: CallKeys = { config, ports, log, judge: createEffectJudge(config.rules, ports), running, takeTurn: createTurns() }
    return [
      { event: 'PreToolUse', run: context => before(keys, context) },
      { event: 'PostToolUse', run: context => after(keys, context, 'succeeded', context.source.fields.toolResponse) },
      { event: 'PostToolUseFailure', run: context => after(keys, context, 'failed', context.source.fields.error) },
      { event: 'PermissionDenied', run: context => giveUp(keys, context) },
    ]
  },
}

interface RunningCall {
  readonly call: LoggedCall
  readonly beganMs: number
}

interface CallKeys {
  readonly config: ToolLedgerConfig
  readonly ports: GuardrailPorts
  readonly log: ToolCallLog
  readonly judge: (context: HookContext) => JudgedEffect
  /** By call id: the hooks after this one may still change the input. */
  readonly running: SessionMemory<Map<string, RunningCall>>
  /** Of two equal calls at once the second sees that the first has begun. */
  readonly takeTurn: TakeTurn
}

/** What happens only once unless a rule says otherwise. */
const REPLAY_BY_CLASS: Readonly<Record<SideEffectClass, ReplayPolicy>> = {
  external: 'REPLAY_EXACT',
  memory: 'REPLAY_IDEMPOTENT',
  local: 'REPLAY_IDEMPOTENT',
  read_only: 'REPLAY_IDEMPOTENT',
}

async function before(keys: CallKeys, context: HookContext): Promise<InlineAnswer> {
  const call = describeCall(keys, context)
  const judged = keys.ports.judge?.(context.source) ?? 'none'
  // It will not run, and must not look as if it had.
  if (judged === 'deny') return undefined
  return keys.takeTurn(call.key, () => begin(keys, context, call, judged === 'ask' ? 'prepared' : 'running'))
}

async function begin(keys: CallKeys, context: HookContext, call: LoggedCall, status: 'prepared' | 'running'): Promise<InlineAnswer> {
  if (call.replay === 'REPLAY_EXACT') {
    const known = await keys.log.find(call.key)
    if (known?.status === 'succeeded') return handOut(call, known)
    if (known?.status === 'running') {
      // The way out: a second try finds it abandoned and runs.
      await keys.log.end(call, ABANDONED, context)
      return deny(
        `The same ${call.tool} call was begun at ${known.at} and nobody knows how it ended. Check whether it took effect; if it did not, call it again.`,
      )
    }
  }
  await keys.log.begin(call, status, context)
  remember(keys, context, call)
  return undefined
}

function describeCall({ config, ports, log, judge }: CallKeys, context: HookContext): LoggedCall {
  const { sideEffect, rule } = judge(context)
  const replay = rule?.replay ?? REPLAY_BY_CLASS[sideEffect]
  const runId = log.runIdOf(context)
  const tool = context.toolName ?? ''
  const key = toolKey({
    runId,
    namespace: config.namespace,
    tool,
    input: context.source.fields.toolInput,
    scope: ports.rootOf(context.source),
    volatile: config.volatile,
    ...(replay === 'RELAUNCH' ? { nonce: context.toolUseId ?? randomUUID() } : revisionNonce(context, ports)),
  })
  return { key, runId, tool, sideEffect, replay, ruleId: rule?.id ?? null }
}

const PUSH = /\bgit\b[^;&|\n]*\bpush\b/

/** The same push of other commits is another call. */
function revisionNonce({ source, cwd }: HookContext, { revisionOf }: GuardrailPorts): { readonly nonce?: string } {
  const { toolInput } = source.fields
  const command = typeof toolInput === 'object' && toolInput !== null && 'command' in toolInput ? toolInput.command : undefined
  if (revisionOf === undefined || typeof command !== 'string' || !PUSH.test(command)) return {}
  const revision = revisionOf(cwd)
  return revision === null ? {} : { nonce: revision }
}

function handOut({ tool }: LoggedCall, { receipt, at }: KnownCall): InlineAnswer {
  const said = receipt === null || receipt === '' ? 'It gave no output.' : `It gave:\n${receipt}`
  return {
    verdict: deny(`This ${tool} call has run already, at ${at}, and was not run again. ${said}`),
    evidence: { kind: RECEIPT, data: { tool, at, output: receipt } },
  }
}

const MAX_RUNNING = 500

function remember({ running, ports }: CallKeys, { sessionId, toolUseId }: HookContext, call: LoggedCall): void {
  if (toolUseId === null) return
  running.of(sessionId).set(toolUseId, { call, beganMs: ports.now() })
}

async function after(keys: CallKeys, context: HookContext, status: 'succeeded' | 'failed', result: unknown): Promise<undefined> {
  const calls = keys.running.of(context.sessionId)
  const known = context.toolUseId === null ? undefined : calls.get(context.toolUseId)
  if (context.toolUseId !== null) calls.delete(context.toolUseId)
  const receipt = resultText(result).slice(0, keys.config.receiptLength)
  const durationMs = durationOf(context, known === undefined ? null : keys.ports.now() - known.beganMs)
  await keys.log.end(known?.call ?? describeCall(keys, context), { status, receipt, durationMs }, context)
  return undefined
}

/** As the agent tells it, else as it was seen from here. */
function durationOf({ source }: HookContext, seenMs: number | null): number | null {
  const { durationMs } = source.fields
  return typeof durationMs === 'number' ? durationMs : seenMs
}

const ABANDONED: CallEnding = { status: 'abandoned', receipt: null, durationMs: null }

/** Somebody after us said no: it never ran. */
async function giveUp({ running, log }: CallKeys, context: HookContext): Promise<undefined> {
  const calls = running.of(context.sessionId)
  const known = context.toolUseId === null ? undefined : calls.get(context.toolUseId)
  if (context.toolUseId === null || known === undefined) return undefined
  calls.delete(context.toolUseId)
  await log.end(known.call, ABANDONED, context)
  return undefined
}
