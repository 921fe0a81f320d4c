// Puts the calls of test cases through a guard, hooks and rules as at every other door, and says what came of each.

import { resolve } from 'node:path'
import type { HookEvent } from '@belay/core'
import { callOfEvent, type GenesisPolicy, type Judgement, type Place, type Rule } from '@belay/core/policy'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { toolEvent } from '../recorded-call.ts'
import type { CaseFile, CaseStep, PolicyCase } from './read-cases.ts'

export interface CaseResult {
  readonly name: string
  readonly place: Place
  readonly steps: readonly StepResult[]
  /** What was expected and did not come; empty: it passed. */
  readonly failures: readonly CaseFailure[]
}

export interface CaseFailure {
  readonly place: Place
  readonly message: string
}

export interface StepResult {
  readonly title: string
  readonly decision: string
  readonly reason: string | null
  /** Rules that decided, and the names of hooks that did. */
  readonly rules: readonly Rule[]
  readonly hooks: readonly string[]
}

export async function runCases({ cases, links }: CaseFile, policy: GenesisPolicy): Promise<readonly CaseResult[]> {
  const guard = imaginedGuard([policy], { links })
  const results: CaseResult[] = []
  for (const [index, each] of cases.entries()) results.push(await runCase(guard, each, index))
  return results
}

/** Whether all pass; stops at the first that does not. */
export async function passes({ cases, links }: CaseFile, policy: GenesisPolicy): Promise<boolean> {
  const guard = imaginedGuard([policy], { links })
  for (const [index, each] of cases.entries()) {
    if ((await runCase(guard, each, index)).failures.length > 0) return false
  }
  return true
}

async function runCase(guard: ProjectGuard, test: PolicyCase, index: number): Promise<CaseResult> {
  const steps: StepResult[] = []
  const failures: CaseFailure[] = []
  for (const step of test.steps) {
    const result = await runStep(guard, eventOf(test, step, index), step)
    steps.push(result)
    const message = compare(step, result)
    if (message !== null) failures.push({ place: step.place, message })
  }
  return { name: test.name, place: test.place, steps, failures }
}

function eventOf({ actor, cwd, commitment }: PolicyCase, { call, event }: CaseStep, index: number): HookEvent {
  const made = toolEvent({ call, actor, cwd: resolve(IMAGINED_ROOT, cwd), session: `case-${index}` })
  return { ...made, name: event, commitment }
}

async function runStep(guard: ProjectGuard, event: HookEvent, { title }: CaseStep): Promise<StepResult> {
  const { verdict, judgement, fired } = await guard.guard(event)
  // A hook that denies makes judging needless; which rule says the same is worth knowing.
  const call = event.name === 'PreToolUse' ? callOfEvent(fired.event) : null
  const judged = judgement ?? (call === null ? null : guard.judge(call, event))
  const hooks = fired.report.runs.filter(run => run.verdict.decision === verdict.decision).map(({ hook }) => hook)
  return {
    title,
    decision: verdict.decision,
    reason: verdict.decision === 'none' ? null : (verdict.reason ?? null),
    rules: judged?.verdict.decision === verdict.decision ? decidingRules(judged) : [],
    hooks: verdict.decision === 'none' ? [] : hooks,
  }
}

/** A call is refused by one rule; it is allowed by the rules of all its parts together. */
function decidingRules({ verdict, rule, parts }: Judgement): readonly Rule[] {
  if (verdict.decision !== 'allow') return rule === null ? [] : [rule]
  return [...new Set(parts.flatMap(part => (part.decision === 'allow' && part.rule !== null ? [part.rule] : [])))]
}

function compare({ title, expect, rule, reason }: CaseStep, result: StepResult): string | null {
  if (expect !== null && result.decision !== expect) {
    return `${title}: expected ${expect}, got ${result.decision}${result.reason === null ? '' : ` (${result.reason})`}`
  }
  if (rule !== null && !result.rules.some(({ id, text }) => id === rule || text === rule) && !result.hooks.includes(rule)) {
    const deciders = [...result.rules.map(({ text }) => text), ...result.hooks]
    return `${title}: expected that ${JSON.stringify(rule)} decides, it was ${deciders.length === 0 ? 'no rule' : deciders.join(', ')}`
  }
  if (reason !== null && result.reason?.includes(reason) !== true) {
    return `${title}: expected a reason that holds ${JSON.stringify(reason)}, got ${JSON.stringify(result.reason)}`
  }
  return null
}
