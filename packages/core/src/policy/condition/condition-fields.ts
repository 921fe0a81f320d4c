// The fields a condition may read, and what each reads as while nothing has set it.

export const CONDITION_ROOTS = ['event', 'actor', 'session', 'effort', 'task', 'commitment'] as const
/** What there may be none of. */
export const OPTIONAL_ROOTS = ['effort', 'task', 'commitment'] as const
export type ConditionRoot = (typeof CONDITION_ROOTS)[number]

/** What the caller knows; anything else reads as unset. `null` where there is no effort, task or commitment. */
export type ConditionFields = Readonly<Partial<Record<ConditionRoot, Readonly<Record<string, unknown>> | null>>>

type Filled = { readonly ok: true; readonly fields: Record<string, unknown> } | { readonly ok: false; readonly why: string }

const UNSET: Readonly<Record<ConditionRoot, Readonly<Record<string, unknown>>>> = {
  event: { name: '', tool: '', input: {}, prompt: '', source: '' },
  actor: { id: '', kind: '', role: '' },
  session: { id: '', agent: '', heartbeat: 0, context_usage: 0, started_at: null, skills: [] },
  effort: { id: '', skill: '', mode: '', phase: '', lifecycle: '' },
  task: { dir: '' },
  commitment: { id: '', state: '', tier: '', requires_review: false, claimed_by: '', evidence_count: 0 },
}

/** The fields of a root; null: it carries whatever the event does. */
export function fieldsOfRoot(root: ConditionRoot): readonly string[] | null {
  return root === 'event' ? null : Object.keys(UNSET[root])
}

const MAX_DEPTH = 64
/** The most steps that all loops of a condition may take together; a list may hold its root by the depth of nesting. */
const MAX_LOOP_STEPS = 10_000
const MAX_SPLIT_TEXT = 64 * 1024

/** What a compiled condition does with its fields; decides how large they may be. */
export interface Reach {
  readonly reads: ReadonlySet<ConditionRoot>
  readonly loopDepth: number
  readonly splitsText: boolean
}

export function fillFields(fields: ConditionFields, reach: Reach): Filled {
  const limits: Limits = {
    items: reach.loopDepth === 0 ? Number.POSITIVE_INFINITY : Math.floor(MAX_LOOP_STEPS ** (1 / reach.loopDepth)),
    text: reach.loopDepth > 0 && reach.splitsText ? MAX_SPLIT_TEXT : Number.POSITIVE_INFINITY,
  }
  const filled: Record<string, unknown> = {}
  for (const root of reach.reads) {
    const value = toCel({ ...UNSET[root], ...withoutUnset(fields[root] ?? {}, UNSET[root]) }, limits, 0)
    if (value === TOO_LARGE) return { ok: false, why: `${root} holds a value too large to loop over` }
    filled[root] = root === 'session' ? withFraction(value) : value
    filled[orNull(root)] = isMissing(fields[root]) ? null : filled[root]
  }
  return { ok: true, fields: filled }
}

/** Where a condition finds whether there is one at all. */
export function orNull(root: ConditionRoot): string {
  return `${root}_or_null`
}

function isMissing(value: Readonly<Record<string, unknown>> | null | undefined): boolean {
  return value === null || value === undefined
}

interface Limits {
  readonly items: number
  readonly text: number
}

/** A declared field that is null reads as its empty value; any other null stays one. */
function withoutUnset(values: Readonly<Record<string, unknown>>, declared: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key, value]) => value !== undefined && (value !== null || !(key in declared))))
}

/** context_usage is a fraction also when it is exactly 0 or 1. */
function withFraction(session: unknown): unknown {
  if (typeof session !== 'object' || session === null || !('context_usage' in session)) return session
  return { ...session, context_usage: Number(session.context_usage) }
}

const TOO_LARGE = Symbol('too large')

/** CEL tells whole numbers from others; JSON does not. */
function toCel(value: unknown, limits: Limits, depth: number): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'string') return value.length > limits.text ? TOO_LARGE : value
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value
  if (depth > MAX_DEPTH) return TOO_LARGE
  const keys = Object.keys(value)
  if (keys.length > limits.items) return TOO_LARGE
  const converted: unknown[] = []
  for (const child of Object.values(value)) {
    const item = toCel(child, limits, depth + 1)
    if (item === TOO_LARGE) return TOO_LARGE
    converted.push(item)
  }
  return Array.isArray(value) ? converted : Object.fromEntries(keys.map((key, index) => [key, converted[index]]))
}
