// belay why [ID]: explains a past decision from its record alone, the last denial by default. Works without the daemon.
import type { Entry } from '@belay/core/ledger'
import { withStore } from '../ledger/command/ledger-command.ts'
import { findEntry, queryEntries } from '../ledger/read-entry.ts'
import { restoreBody } from '../ledger/restore-body.ts'
import type { Store } from '../store/store.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from './io.ts'
import { explainRecord, type RecordedDecision, renderRecord } from './why-record.ts'

export interface WhyOptions {
  /** Of an entry, by id, its beginning or seq; or the agent's own call id. */
  readonly id?: string
  readonly json?: boolean
}

export function runWhy({ id, json }: WhyOptions, io: CommandIo): Promise<ExitCode> {
  return withStore(io, async store => {
    const found = id === undefined ? await findLastDenial(store) : await findDecision(store, id)
    if (typeof found === 'string') {
      fail(io, found, '`belay ledger query --verdict deny` lists denials')
      return 1
    }
    const decision: RecordedDecision = explainRecord(found, await restoreBody(store, found))
    if (json === true) printJson(io, decision)
    else printLine(io.stdout, renderRecord(io, decision))
    return 0
  })
}

async function findLastDenial(store: Store): Promise<Entry | string> {
  const [entry] = await queryEntries(store, { verdict: 'deny' }, { limit: 1, newestFirst: true })
  return entry ?? 'nothing was denied yet'
}

async function findDecision(store: Store, id: string): Promise<Entry | string> {
  const found = await findEntry(store, id)
  if (found.kind === 'several') return `several entries begin with ${id}: ${found.ids.join(' ')}`
  if (found.kind === 'found')
    return isDecision(found.entry) ? found.entry : `${id} is the record of a ${found.entry.kind}, not of a decision`
  const byCall = await queryEntries(store, { toolUseId: id }, { limit: 20, newestFirst: true })
  return byCall.find(entry => entry.kind === 'pre_tool_use') ?? byCall.find(isDecision) ?? `there is no decision ${id}`
}

function isDecision({ body }: Entry): boolean {
  return typeof (JSON.parse(body) as { verdict?: unknown }).verdict === 'string'
}
