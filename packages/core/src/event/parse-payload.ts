// The edge where an agent's payload comes in: known names become camelCase, known fields are checked, the rest is kept.
// Invariant: what the agent supplied inside a field (tool input, tool response) is passed on by reference, never walked or renamed.
import type { HookEvent } from '../hook/hook-event.ts'
import { ENVELOPE_FIELDS, SHARED_FIELDS } from './common-fields.ts'
import { type FieldKind, type FieldSpec, type Fields, isOfKind, isOptional, kindOf } from './field.ts'
import { toSnakeCase } from './key-case.ts'
import { findEvent } from './table.ts'

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
  if (!isOfKind(raw, 'object')) return { ok: false, problems: [{ path: '', message: `must be an object, not ${describe(raw)}` }] }
  const known = knownFields(spec?.name ?? '', spec?.fields ?? {})
  const problems: PayloadProblem[] = []
  const { envelope, fields } = readFields(raw as Readonly<Record<string, unknown>>, known, problems)
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    value: {
      name: spec?.name ?? name,
      sessionId: envelope.sessionId as string,
      cwd: (envelope.cwd as string | null | undefined) ?? null,
      transcriptPath: (envelope.transcriptPath as string | null | undefined) ?? null,
      permissionMode: (envelope.permissionMode as string | null | undefined) ?? null,
      fields,
    },
  }
}

interface KnownField {
  readonly name: string
  readonly spec: FieldSpec
  readonly kind: FieldKind
  readonly isOptional: boolean
  readonly isEnvelope: boolean
}

/** Worked out at the first of each event: a payload is read before every tool call. */
interface KnownFields {
  /** Both spellings of every field. */
  readonly byKey: ReadonlyMap<string, KnownField>
  readonly required: readonly KnownField[]
}

function indexFields(fields: Fields): KnownFields {
  const known = Object.entries({ ...ENVELOPE_FIELDS, ...SHARED_FIELDS, ...fields }).map(([name, spec]) => ({
    name,
    spec,
    kind: kindOf(spec),
    isOptional: isOptional(spec),
    isEnvelope: Object.hasOwn(ENVELOPE_FIELDS, name),
  }))
  return {
    byKey: new Map(known.flatMap(field => [[field.name, field] as const, [toSnakeCase(field.name), field] as const])),
    required: known.filter(field => !field.isOptional),
  }
}

const byEvent = new Map<string, KnownFields>()

/** `name` is that of an event in the table, or empty: the map cannot grow beyond it. */
function knownFields(name: string, fields: Fields): KnownFields {
  const known = byEvent.get(name) ?? indexFields(fields)
  byEvent.set(name, known)
  return known
}

interface ReadFields {
  readonly envelope: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, unknown>>
}

function readFields(raw: Readonly<Record<string, unknown>>, { byKey, required }: KnownFields, problems: PayloadProblem[]): ReadFields {
  const envelope: Record<string, unknown> = {}
  const fields: Record<string, unknown> = {}
  for (const key of Object.keys(raw)) {
    const field = byKey.get(key)
    const value = raw[key]
    if (field === undefined) keepUnknown(fields, key, value)
    else {
      const place = field.isEnvelope ? envelope : fields
      if (Object.hasOwn(place, field.name)) checkSame(place[field.name], value, key, problems)
      place[field.name] = value
      checkField(field, value, key, problems)
    }
  }
  for (const { name, spec, isEnvelope } of required) {
    if (!Object.hasOwn(isEnvelope ? envelope : fields, name))
      problems.push({ path: toSnakeCase(name), message: `is missing, expected ${article(spec)}` })
  }
  return { envelope, fields }
}

/** In both spellings at once: another reader may take the other one. */
function checkSame(before: unknown, value: unknown, path: string, problems: PayloadProblem[]): void {
  if (before !== value && JSON.stringify(before) !== JSON.stringify(value))
    problems.push({ path, message: 'is not what its other spelling says' })
}

/** `__proto__` as a key of the payload must stay a plain field. */
function keepUnknown(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value
  else Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true })
}

function checkField({ spec, kind, isOptional: mayLack }: KnownField, value: unknown, key: string, problems: PayloadProblem[]): void {
  if (mayLack && (value === null || value === undefined)) return
  if (isOfKind(value, kind)) return
  const message = value === undefined ? `is missing, expected ${article(spec)}` : `must be ${article(spec)}, not ${describe(value)}`
  problems.push({ path: key, message })
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
