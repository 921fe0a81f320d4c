// What one event is: its payload, what a matcher is compared with, what a hook may do there, what a hook without an answer means.
import type { Fields } from './field.ts'

/** What a hook may replace; the event says which field that is. */
export type RewriteTarget = 'input' | 'prompt' | 'output'

export type GateDecision = 'allow' | 'ask' | 'deny'

/** What waits for the answer: a call of a tool, which rules judge too, a person's prompt, or settings that the agent is about to take over. */
export type EventGate = 'tool' | 'prompt' | 'settings'

/** What is over when the event comes: a call of a tool, or the turn of an agent or sub-agent. */
export type EventEnd = 'tool' | 'turn'

/**
 * A hook failed or did not answer (docs/semantics.md, section 6).
 * by-fail: its `fail` decides, open, closed or ask. unless-closed: only `closed` denies. continue: nothing happens.
 */
export type FailureRule = 'by-fail' | 'unless-closed' | 'continue'

export interface EventSpec<F extends Fields = Fields> {
  readonly name: string
  /** Other spellings that mean this event. */
  readonly aliases?: readonly string[]
  readonly fields: F
  /** null: nothing waits, so a failure of ours refuses nothing. */
  readonly gate: EventGate | null
  readonly ends: EventEnd | null
  /** The field a matcher is compared with; null: the event has none and every matcher lets it through. */
  readonly matchField: (keyof F & string) | null
  /** What the field's value becomes before it is compared. */
  readonly matchAs?: 'file-name'
  /** Which verdicts count. Empty: observe only. */
  readonly decisions: readonly GateDecision[]
  readonly rewrites: Readonly<Partial<Record<RewriteTarget, keyof F & string>>>
  /** Whether text for the model reaches it. */
  readonly injects: boolean
  /** Whether a hook may end the turn. */
  readonly stops: boolean
  /** It is about something that has not happened yet, and does not happen where a hook ends the turn: ending it is a deny. */
  readonly stopDenies?: boolean
  readonly failure: FailureRule
}

/** Keeps the literal types of the fields, so that payload types follow from them. */
export function defineEvent<const F extends Fields, const N extends string>(
  spec: Omit<EventSpec<F>, 'gate' | 'ends'> & { readonly name: N; readonly gate?: EventGate; readonly ends?: EventEnd },
): EventSpec<F> & { readonly name: N } {
  return { gate: null, ends: null, ...spec }
}

/** An event that hooks only watch, beyond text they may add for the model. */
export function observeEvent<const F extends Fields, const N extends string>(row: {
  readonly name: N
  readonly fields: F
  readonly matchField: (keyof F & string) | null
  readonly matchAs?: 'file-name'
  readonly injects?: boolean
  readonly rewrites?: Readonly<Partial<Record<RewriteTarget, keyof F & string>>>
}): EventSpec<F> & { readonly name: N } {
  return { injects: false, rewrites: {}, ...row, gate: null, ends: null, decisions: [], stops: false, failure: 'continue' }
}
