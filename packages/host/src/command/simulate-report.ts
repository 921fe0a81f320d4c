// What a simulation found: every hook of the event, whether it matched, what it said, and what came of it.
import {
  type Decision,
  formatPlace,
  type GuardedCall,
  type HookDefinition,
  type HookRun,
  type RegisteredHook,
  type SkippedHook,
  type Verdict,
} from '@belay/core'
import { drainedHandler } from '../guard/dry-run.ts'
import { type CommandIo, printLine } from '../terminal/io.ts'
import { columns, paint, paintDecision } from '../terminal/style.ts'
import { hookRow } from './hook-row.ts'

export interface SimulatedHook {
  readonly name: string
  readonly type: string
  readonly matcher: string | null
  readonly matched: boolean
  /** null: it did not run. */
  readonly outcome: string | null
  readonly ms: number
  readonly decision: Decision | null
  readonly reason: string | null
  /** Why it did not run. */
  readonly skipped: string | null
}

export interface Simulation {
  readonly decision: Decision
  readonly reason: string
  /** The permission rule that decided. */
  readonly rule: string | null
  readonly hooks: readonly SimulatedHook[]
  /** What the permissions alone say; null: the event asks for nothing that rules could judge. */
  readonly permissions: {
    readonly decision: Decision
    readonly reason: string
    readonly rule: string | null
    readonly place: string | null
  } | null
}

export function simulationOf(registered: readonly RegisteredHook[], event: string, { verdict, fired, judgement }: GuardedCall): Simulation {
  const { runs, skipped } = fired.report
  const hooks = registered.filter(hook => hook.definition.event === event).map(hook => simulatedHook(hook, runs, skipped))
  // A genesis_enforcement hook gives the rule's own reason.
  const decidedByRule =
    judgement !== null && judgement.verdict.decision === verdict.decision && reasonOf(judgement.verdict) === reasonOf(verdict)
  const place = judgement?.rule?.place
  return {
    decision: verdict.decision,
    reason: reasonOf(verdict) ?? judgement?.decidedBy?.reason ?? 'no hook and no rule has an opinion: the agent decides',
    rule: decidedByRule ? (judgement.rule?.text ?? null) : null,
    hooks,
    permissions:
      judgement === null
        ? null
        : {
            decision: judgement.verdict.decision,
            reason: judgement.decidedBy?.reason ?? 'nothing would run',
            rule: judgement.rule?.text ?? null,
            place: place === undefined ? null : formatPlace(place),
          },
  }
}

function simulatedHook({ definition, label }: RegisteredHook, runs: readonly HookRun[], skipped: readonly SkippedHook[]): SimulatedHook {
  const behind = drainedHandler(definition)
  const { type, matcher } = hookRow({ hook: behind === null ? definition : { ...definition, handler: behind }, inert: null })
  const run = runs.find(each => each.hook === label && isSamePlace(each.place, definition.place))
  const why = run === undefined ? (skipped.find(each => each.hook === label)?.why ?? 'matcher') : null
  const real = behind === null ? run : undefined
  return {
    name: label,
    type,
    matcher,
    matched: run !== undefined || (why !== null && AFTER_MATCHING.has(why)),
    outcome: real?.outcome ?? null,
    ms: Math.round((real?.durationMs ?? 0) * 1000) / 1000,
    decision: real?.verdict.decision ?? null,
    reason: real === undefined ? null : (reasonOf(real.verdict) ?? real.error ?? null),
    skipped: run !== undefined && behind !== null ? 'not run without --run' : why,
  }
}

/** What kept a hook from running although its matcher fits. */
const AFTER_MATCHING: ReadonlySet<string> = new Set(['after-deny', 'condition'])

export function printSimulation(
  io: CommandIo,
  simulation: Simulation,
  call: { readonly tool: string; readonly event: string; readonly actor: string },
): void {
  printLine(io.stdout, `${call.event} ${call.tool} by ${call.actor}`)
  const rows = simulation.hooks.map((hook, index) => [`${index + 1}.`, hook.name, hook.matcher ?? '*', describeHook(hook)])
  if (rows.length > 0) printLine(io.stdout, columns(rows, '  '))
  else printLine(io.stdout, '  no hooks for this event')
  const { permissions } = simulation
  if (permissions !== null) {
    const rule = permissions.rule === null ? '' : ` by ${permissions.rule}${permissions.place === null ? '' : ` (${permissions.place})`}`
    printLine(io.stdout, `  permissions: ${permissions.decision}${rule}`)
  }
  printLine(io.stdout, `${paint(io, 'bold', 'result:')} ${paintDecision(io, simulation.decision)}`)
  printLine(io.stdout, `  ${simulation.decision === 'deny' ? `Tool denied: ${simulation.reason}` : simulation.reason}`)
}

function describeHook({ matched, outcome, decision, reason, skipped, ms }: SimulatedHook): string {
  if (outcome === null) return matched || skipped !== 'matcher' ? `skipped: ${skipped ?? ''}` : 'does not match'
  return `${decision ?? 'none'}${outcome === 'success' || outcome === 'blocking' ? '' : ` (${outcome})`}${reason === null ? '' : `: ${reason}`}  ${ms} ms`
}

function reasonOf(verdict: Verdict): string | null {
  return verdict.decision === 'none' ? null : (verdict.reason ?? null)
}

function isSamePlace(a: HookDefinition['place'], b: HookDefinition['place']): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column
}
