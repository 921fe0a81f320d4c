// The filter of a list, from a call's parameters or an address; what is wrong is said with the field's name.

import type { EntryFilter } from '../../ledger/read-entry.ts'
import { type Params, readText } from '../../rpc/param.ts'
import { RPC_INVALID_PARAMS, RpcError } from '../../rpc/rpc.ts'

const TEXTS = ['agent', 'agentId', 'actor', 'project', 'kind', 'tool', 'session', 'commitment', 'text'] as const
const VERDICTS = ['allow', 'deny', 'ask', 'none']
const MAX_CHARACTERS = 4096

export function readFilter(params: Params): EntryFilter {
  const filter: { -readonly [Name in keyof EntryFilter]: EntryFilter[Name] } = {}
  for (const name of TEXTS) {
    const text = readText(params, name)
    if (text === null) continue
    if (text.length > MAX_CHARACTERS) throw invalid(`${name} is longer than ${MAX_CHARACTERS} characters.`)
    filter[name] = text
  }
  for (const name of ['since', 'until'] as const) {
    const text = readText(params, name)
    if (text !== null) filter[name] = readTime(name, text)
  }
  const verdict = readText(params, 'verdict')
  if (verdict !== null && !VERDICTS.includes(verdict)) throw invalid(`verdict must be one of ${VERDICTS.join(', ')}.`)
  if (verdict !== null) filter.verdict = verdict
  return filter
}

/** Entries hold times in full, so a shorter one is written out before it is compared. */
function readTime(name: string, text: string): string {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw invalid(`${name} must be an ISO time, such as 2026-01-31T10:00:00Z.`)
  return new Date(time).toISOString()
}

export function invalid(message: string): RpcError {
  return new RpcError(RPC_INVALID_PARAMS, message)
}
