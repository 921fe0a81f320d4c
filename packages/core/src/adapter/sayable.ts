// What is left to say once everything the agent cannot do has been taken out. Dialects only spell it.
import type { ForAgent } from '../hook/hook-result.ts'
import type { Verdict } from '../verdict/verdict.ts'

export interface Sayable {
  /** Canonical and native event name. */
  readonly event: string
  readonly nativeEvent: string
  readonly verdict: Verdict
  /** The whole new input, in the agent's own argument names. */
  readonly input: Readonly<Record<string, unknown>> | null
  readonly prompt: string | null
  readonly output: { readonly value: unknown } | null
  readonly context: string | null
  /** For the person. */
  readonly message: string | null
  /** The turn is to end, and why. */
  readonly stop: string | null
  readonly suppressOutput: boolean
  readonly forAgent: ForAgent
}

export interface Spelled {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** One JSON object on stdout, or nothing at all when there is nothing to say. */
export function spellJson(value: Readonly<Record<string, unknown>>): Spelled {
  const said = compact(value)
  return { stdout: said === undefined ? '' : JSON.stringify(said), stderr: '', exitCode: 0 }
}

/** The one deny that every agent obeys: exit 2, the reason on stderr, nothing on stdout. */
export function spellRefusal(reason: string): Spelled {
  return { stdout: '', stderr: `${reason}\n`, exitCode: 2 }
}

export function reasonOf(verdict: Verdict): string | undefined {
  return verdict.decision === 'none' ? undefined : verdict.reason
}

/** Drops what is absent, so that strict parsers never see a null. On the path of every call: a loop, and no object where nothing is left. */
export function compact(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  let kept: Record<string, unknown> | undefined
  for (const name of Object.keys(value)) {
    const entry = value[name]
    if (entry === undefined || entry === null) continue
    kept ??= {}
    kept[name] = entry
  }
  return kept
}
