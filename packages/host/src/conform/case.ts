// What a case is: one thing that an agent must do with an answer of Belay's, looked at after a run of the real agent.
import type { Agent } from '@belay/core/adapter'
import type { Headless } from '../agent/host-agent.ts'

/**
 * obeyed: the agent did what it was told. degraded: it cannot, and what Belay put in its place held. ignored: it did something else.
 * unsupported: its contract has no such thing. untried: it could not be seen.
 */
export const STATES = ['obeyed', 'degraded', 'ignored', 'unsupported', 'untried'] as const

export type State = (typeof STATES)[number]

export interface Finding {
  readonly state: State
  /** Why, where it is not plain. */
  readonly note: string | null
}

/** An entry of the ledger. */
export interface Recorded {
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The agent as it is known to us. */
export interface Subject {
  readonly agent: Agent
  readonly headless: Headless
}

/** One run of the agent, after it has ended. */
export interface Seen extends Subject {
  /** Exit code, or the signal that ended it. */
  readonly code: number | string
  /** Its last words. */
  readonly said: string
  readonly isTimedOut: boolean
  /** Everything that its model was told. */
  readonly heard: string
  /** What the models of its sub-agents were told. */
  readonly heardBelow: string
  /** How many turns its model was asked for. */
  readonly turns: number
  /** A step of the script was said. */
  reached(id: string): boolean
  /** The agent offers no tool for a step. */
  lacksTool(id: string): boolean
  /** A file is in the project. */
  has(name: string): boolean
  /** What the ledger has of the project, oldest first. */
  readonly entries: readonly Recorded[]
  /** What MCP tools were really called with. */
  readonly mcpCalls: readonly string[]
}

export interface Case {
  readonly id: string
  /** What must hold. */
  readonly title: string
  /** Why the contract of this agent has no such thing; null: it has. */
  lacks?(subject: Subject): string | null
  check(seen: Seen): Finding
}

export const obeyed: Finding = { state: 'obeyed', note: null }
export const degraded = (note: string): Finding => ({ state: 'degraded', note })
export const ignored = (note: string): Finding => ({ state: 'ignored', note })
export const untried = (note: string): Finding => ({ state: 'untried', note })

/** Holds or is ignored. */
export function holds(is: boolean, otherwise: string): Finding {
  return is ? obeyed : ignored(otherwise)
}

/** The step was not said; null: it was. */
export function unreached(seen: Seen, id: string): Finding | null {
  if (seen.lacksTool(id)) return { state: 'unsupported', note: 'the agent offers no such tool' }
  if (seen.reached(id)) return null
  const end = seen.isTimedOut ? 'the agent did not get there in time' : `the agent ended before (exit ${seen.code})`
  return untried(seen.said === '' ? end : `${end}: ${seen.said}`)
}

/** What the model must read, where the agent goes on after a refusal. */
export function toldWhy(seen: Seen, isTold: boolean, otherwise: string): Finding {
  if (isTold) return obeyed
  return seen.agent.endsAtDeny ? degraded('the agent ends its run: why stands only in the record') : ignored(otherwise)
}

/** The record of what was decided before a call with this text in it. */
export function decisionAbout({ entries }: Pick<Seen, 'entries'>, text: string): Recorded | undefined {
  return entries.find(({ kind, body }) => kind === 'pre_tool_use' && JSON.stringify(body).includes(text))
}

export function hasKind({ entries }: Pick<Seen, 'entries'>, kind: string): boolean {
  return entries.some(entry => entry.kind === kind)
}

/** A call that was refused: it left no trace in the project, and it came to Belay. */
export function refused(seen: Seen, { step, trace, text = trace }: { step: string; trace: string; text?: string }): Finding {
  const early = unreached(seen, step)
  if (early !== null) return early
  if (seen.has(trace)) {
    const decided = decisionAbout(seen, text)
    return ignored(
      decided === undefined ? 'the call ran, and Belay was not asked' : `the call ran, though Belay said ${verdictOf(decided)}`,
    )
  }
  return decisionAbout(seen, text) === undefined ? untried('the call did not run, and did not come to Belay either') : obeyed
}

export function ran(seen: Seen, step: string, trace: string): Finding {
  const early = unreached(seen, step)
  if (early !== null) return early
  return seen.has(trace) ? obeyed : ignored('an allowed call did not run')
}

export function verdictOf({ body }: Recorded): string {
  return typeof body.verdict === 'string' ? body.verdict : 'nothing'
}

/** The agent sends our event of this name, when it runs alone too. */
export function lacksEvent({ agent, headless }: Subject, event: string): string | null {
  if (!Object.values(agent.events).includes(event)) return `${agent.name} has no such event`
  return headless.silent.includes(event) ? `${agent.name} does not send it without a person` : null
}

export function lacksContext(subject: Subject, event: string): string | null {
  return subject.agent.can.injectOn.includes(event) ? lacksEvent(subject, event) : `${subject.agent.name} takes no text for the model there`
}
