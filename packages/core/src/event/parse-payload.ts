// The edge where an agent's payload comes in (D's hookSchema): known names become camelCase, known fields are checked, the rest is kept.
// Invariant: what the agent supplied inside a field (tool input, tool response) is passed on by reference, never walked or renamed.
import type { HookEvent } from '../hook/hook-event.ts'
import { ENVELOPE_FIELDS, SHARED_FIELDS } from './common-fields.ts'
import { type FieldSpec, type Fields, isOfKind, isOptional, kindOf } from './field.ts'
import { toSnakeCase } from './key-case.ts'
import { EVENTS, findEvent } from './table.ts'

export interface PayloadProblem {
  /** As the sender spelled it (`tool_name`); empty for the payload as a whole. */
  readonly path: string
  readonly message: string
}

/** What the payload itself can tell; who sent it (actor, agent, commitment, env) the caller knows. */
export type EventBody = Pick<HookEvent, 'name' | 'sessionId' | 'transcriptPath' | 'permissionMode' | 'fields'> & {
  readonly cwd: string | null
}

export type ParsedPayload =
  | { readonly ok: true; readonly value: EventBody }
  | { readonly ok: false; readonly problems: readonly PayloadProblem[] }

/** `name` decides the event, whatever `hook_event_name` says. */
export function parseEventPayload(name: string, raw: unknown): ParsedPayload {
  const spec = findEvent(name)
  if (!isOfKind(raw, 'object')) return { ok: false, problems: [{ path: '', message: `expected an object, got ${describe(raw)}` }] }
  const known = KNOWN_FIELDS.get(spec?.name ?? '') ?? COMMON
  const problems: PayloadProblem[] = []
  const values = readFields(raw as Readonly<Record<string, unknown>>, known, problems)
  if (problems.length > 0) return { ok: false, problems }
  const { sessionId, transcriptPath, cwd, permissionMode, hookEventName: _, ...fields } = values
  return {
    ok: true,
    value: {
      name: spec?.name ?? name,
      sessionId: sessionId as string,
      cwd: (cwd as string | null | undefined) ?? null,
      transcriptPath: (transcriptPath as string | null | undefined) ?? null,
      permissionMode: (permissionMode as string | null | undefined) ?? null,
      fields,
    },
  }
}

interface KnownField {
  readonly name: string
  readonly spec: FieldSpec
}

type KnownFields = ReadonlyMap<string, KnownField>

/** Both spellings of every known field of an event. */
function indexFields(fields: Fields): KnownFields {
  const index = new Map<string, KnownField>()
  for (const [name, spec] of Object.entries(fields)) {
    const field = { name, spec }
    index.set(name, field).set(toSnakeCase(name), field)
  }
  return index
}

const COMMON = indexFields({ ...ENVELOPE_FIELDS, ...SHARED_FIELDS })
const KNOWN_FIELDS = new Map(EVENTS.map(event => [event.name, indexFields({ ...ENVELOPE_FIELDS, ...SHARED_FIELDS, ...event.fields })]))

function readFields(raw: Readonly<Record<string, unknown>>, known: KnownFields, problems: PayloadProblem[]): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    const field = known.get(key)
    // `__proto__` as a key of the payload must stay a plain field.
    Object.defineProperty(values, field?.name ?? key, { value: raw[key], enumerable: true, writable: true, configurable: true })
    if (field !== undefined) checkField(field, raw[key], key, problems)
  }
  for (const { name, spec } of new Set(known.values())) {
    if (!isOptional(spec) && !Object.hasOwn(values, name))
      problems.push({ path: toSnakeCase(name), message: `missing, expected ${article(spec)}` })
  }
  return values
}

function checkField({ spec }: KnownField, value: unknown, key: string, problems: PayloadProblem[]): void {
  if (isOptional(spec) && (value === null || value === undefined)) return
  if (isOfKind(value, kindOf(spec))) return
  problems.push({ path: key, message: `expected ${article(spec)}, got ${describe(value)}` })
}

function article(spec: FieldSpec): string {
  const kind = kindOf(spec)
  return kind === 'object' || kind === 'array' ? `an ${kind}` : `a ${kind}`
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `${typeof value} ${String(value).slice(0, 40)}`
}
