// Ledgers of the older tool: one JSON envelope a line, {id, op, ts, actor, workspace, payload, source_key?}. Read in, and written out.

import { createHash } from 'node:crypto'
import type { Entry, EntryDraft } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { parseStrictJson } from '../wire/strict-json.ts'
import { isPassedValidation } from './board.ts'
import { isOperation } from './operation.ts'

export interface Envelope {
  readonly id: string
  readonly op: string
  readonly ts: string
  readonly actor: string
  readonly workspace: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly source_key?: string
}

export type ParsedLine = { readonly ok: true; readonly envelope: Envelope } | { readonly ok: false; readonly why: string }

export function parseEnvelope(line: string): ParsedLine {
  const parsed = parseStrictJson(line)
  if (!parsed.ok) return { ok: false, why: `${parsed.problem} (at character ${parsed.offset})` }
  const { value } = parsed
  if (!isObject(value)) return { ok: false, why: 'it is not a JSON object' }
  const { id, op, ts, actor, workspace = '', payload = {} } = value
  if (typeof id !== 'string' || id === '') return { ok: false, why: 'it has no id' }
  if (typeof op !== 'string' || !isOperation(op)) return { ok: false, why: `its op ${JSON.stringify(op)} is not known` }
  if (typeof actor !== 'string' || typeof ts !== 'string' || Number.isNaN(Date.parse(ts)))
    return { ok: false, why: 'it has no actor or no time' }
  if (!isObject(payload) || typeof workspace !== 'string') return { ok: false, why: 'its payload is not an object' }
  const key = typeof value.source_key === 'string' ? { source_key: value.source_key } : {}
  return { ok: true, envelope: { id, op, ts: new Date(ts).toISOString(), actor, workspace, payload, ...key } }
}

/** As an entry of this ledger; it keeps where it came from, so that it can be written out again as it was. */
export function draftOfEnvelope({ id, op, ts, actor, workspace, payload, ...rest }: Envelope, root: string): EntryDraft {
  const imported = { id, ts, workspace, ...rest }
  return { actor, session: null, kind: op, policy: null, body: { root, ...bodyOf(op, id, payload), imported, payload } }
}

function bodyOf(op: string, id: string, payload: Envelope['payload']): Readonly<Record<string, unknown>> {
  const { body, title, text, commitment, memory, target, source, tags, tier, reason, comment, kind, summary } = payload
  const words = body ?? text ?? title ?? reason ?? comment ?? summary ?? null
  if (op === 'capture') return { memory: id, text: words, tags: tags ?? [] }
  if (op === 'commit')
    return { commitment: id, title: words, source: source ?? null, tags: tags ?? [], tier: tierOf(tier), review: payload.review === true }
  const about = commitment ?? target ?? memory ?? null
  const reference = typeof about === 'string' && about.startsWith('mem_') ? { memory: about } : { commitment: about }
  if (op === 'evidence') {
    const item = isObject(payload.item) ? payload.item : { kind: kind ?? 'custom', ...payload }
    return { ...reference, validates: isPassedValidation(item), item }
  }
  return { ...reference, target: about, text: words, source: source ?? null, tags: tags ?? [], tier: tierOf(tier), ...flags(payload) }
}

function flags({ closes, reopenUntil, review }: Envelope['payload']): Readonly<Record<string, unknown>> {
  return {
    ...(typeof closes === 'boolean' ? { closes } : {}),
    ...(typeof reopenUntil === 'string' ? { reopenUntil } : {}),
    ...(typeof review === 'boolean' ? { review } : {}),
  }
}

function tierOf(tier: unknown): string | null {
  return typeof tier === 'string' ? tier.toLowerCase() : null
}

/** `body` with the large values in their places. */
export function envelopeOfEntry({ id, time, actor, kind }: Entry, body: Readonly<Record<string, unknown>>, workspace: string): Envelope {
  const { imported, payload, root, agentId, validates, ...rest } = body
  if (isObject(imported) && isObject(payload)) {
    const { id: own, ts, workspace: place, ...more } = imported as { readonly id: string; readonly ts: string; readonly workspace: string }
    return { id: own, op: kind, ts, actor, workspace: place, payload, ...more }
  }
  const { memory, commitment, ...facts } = rest
  const made = kind === 'capture' ? memory : kind === 'commit' ? commitment : null
  const about = made === null ? { ...(memory === undefined ? {} : { memory }), ...(commitment === undefined ? {} : { commitment }) } : {}
  return {
    id: typeof made === 'string' ? made : `op_${createHash('sha256').update(id).digest('hex').slice(0, 8)}`,
    op: kind,
    ts: time,
    actor,
    workspace,
    payload: { ...about, ...renameTitle(facts) },
  }
}

function renameTitle({ title, text, ...facts }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const body = title ?? text
  return body === undefined || body === null ? facts : { body, ...facts }
}
