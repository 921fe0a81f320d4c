// Hears what the hub has for this machine: waits at the hub until there is something, again and again. With the hub away it tries with growing
// pauses, and what was in force stays so.
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText, isObject } from '@belay/core/value'
import { type HubAnswer, sayRefused } from './hub-client.ts'
import type { Ask } from './hub-session.ts'
import type { HubPolicies } from './take-bundles.ts'

export interface ListenerOptions {
  readonly ask: Ask
  /** What this machine knows already. */
  question(): Readonly<Record<string, unknown>>
  /** True: it brought something that this machine waited for. */
  hear(answer: Readonly<Record<string, unknown>>): boolean
  note(error: string | null): void
  readonly signal: AbortSignal
}

/** Below the time after which an answer is given up. */
const WAIT_MS = 15_000
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 30_000
/** A hub that answers sooner than this again and again, with what this machine does not take, say, is asked a few times a second at most. */
const SOON_MS = 1000
const MAX_SOON = 4
const PACE_MS = 500
/** While each answer brings something, an agent is held for the next one. */
const NEW_PACE_MS = 50

export async function runListener({ ask, question, hear, note, signal }: ListenerOptions): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  let isFirst: boolean = true
  let soon = 0
  while (!signal.aborted) {
    const body: Readonly<Record<string, unknown>> = { ...question(), waitMs: isFirst ? 0 : WAIT_MS }
    const askedAt = performance.now()
    const answer: HubAnswer | string = await ask('POST /v1/wait', body).catch(error => errorText(error))
    const isGood: boolean = typeof answer !== 'string' && answer.status === 200
    const isNew: boolean = isGood && typeof answer !== 'string' && hear(answer.body)
    note(isGood ? null : typeof answer === 'string' ? answer : sayRefused(answer))
    isFirst = !isGood
    waitMs = isGood ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS)
    soon = performance.now() - askedAt < SOON_MS ? soon + 1 : 0
    if (!isGood) await sleep(waitMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
    else if (soon > MAX_SOON) await sleep(isNew ? NEW_PACE_MS : PACE_MS, undefined, { signal }).catch(() => undefined)
  }
}

export function readPolicies({ bundles, halted }: Readonly<Record<string, unknown>>): HubPolicies {
  return {
    bundles: Array.isArray(bundles) ? bundles.filter(text => typeof text === 'string') : [],
    halted: Array.isArray(halted)
      ? halted.flatMap(each =>
          isObject(each) && typeof each.version === 'number' ? [{ version: each.version, why: String(each.why ?? '') }] : [],
        )
      : [],
  }
}
