// Compares a session's transcript with what the ledger has of it.
import { readFileSync } from 'node:fs'
import type { Finding } from '../install/finding.ts'
import { queryEntries, streamEntries } from '../ledger/read-entry.ts'
import type { Store } from '../store/store.ts'
import { findUnseen, readTranscript, type SeenCall, type TranscriptCall } from './unseen-calls.ts'

const MAX_LISTED = 5

export async function checkTranscript(path: string, agent: string | null, store: Store): Promise<Finding> {
  const about = { agent, check: 'unseen calls' }
  const { calls, sessions } = readTranscript(readFileSync(path, 'utf8'))
  if (calls.length === 0) return { ...about, state: 'note', message: `${path} has no calls of tools that could be compared` }
  const unseen = await withoutKnown(findUnseen(calls, await callsOf(sessions, store)), store)
  if (unseen.length === 0) return { ...about, state: 'ok', message: `all ${calls.length} calls of ${path} are in the ledger` }
  const listed = unseen.slice(0, MAX_LISTED).map(({ tool, line }) => `${tool} (line ${line})`)
  const more = unseen.length > listed.length ? ` and ${unseen.length - listed.length} more` : ''
  return {
    ...about,
    state: 'warn',
    message: `${unseen.length} of ${calls.length} calls of ${path} are not in the ledger: ${listed.join(', ')}${more}`,
    remedy: 'agents send no hook for calls that are invalid; for others check the wiring above',
  }
}

/** What the ledger has of these sessions, before it ran. */
async function callsOf(sessions: readonly string[], store: Store): Promise<readonly SeenCall[]> {
  const seen: SeenCall[] = []
  for (const session of sessions) {
    for await (const { body } of streamEntries(store, { session, kind: 'pre_tool_use' })) seen.push(seenCall(body))
  }
  return seen
}

function seenCall(body: string | null): SeenCall {
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  const { agent, tool, rawTool, toolUseId } = JSON.parse(body ?? '{}')
  return { agent: text(agent) ?? '', tool: text(tool) ?? '', rawTool: text(rawTool), id: text(toolUseId) }
}

/** Some agents have another name for the session in their transcript; the ids of the calls then tell. */
async function withoutKnown(calls: readonly TranscriptCall[], store: Store): Promise<readonly TranscriptCall[]> {
  const unknown: TranscriptCall[] = []
  for (const call of calls) {
    const entries = await queryEntries(store, { text: call.id }, { limit: 1, newestFirst: true })
    if (entries.length === 0) unknown.push(call)
  }
  return unknown
}
