// belay why [ID]: explains a past decision from its record alone, the last denial by default. Works without the daemon.
import type { Entry } from '@belay/core/ledger'
import { listPolicyHooks } from '@belay/core/policy'
import { findHome } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { GUARD_PASSED } from '../decision/passed-guard.ts'
import { hookRow, placeOf } from '../guard/hook-row.ts'
import { loadGuard } from '../guard/load-guard.ts'
import { findEntry, queryEntries } from '../ledger/read-entry.ts'
import { restoreBody } from '../ledger/restore-body.ts'
import type { Store } from '../store/store.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { withStore } from './ledger/ledger-command.ts'
import { guardPlace, noteUntrusted, printChanges } from './policies.ts'
import { explainRecord, type RecordedDecision, renderRecord } from './why-record.ts'

export interface WhyOptions {
  /** Of an entry, by id, its beginning or seq; or the agent's own call id. */
  readonly id?: string
  /** The last denial of any project. */
  readonly all?: boolean
  readonly json?: boolean
}

export function runWhy({ id, all, json }: WhyOptions, io: CommandIo): Promise<ExitCode> {
  return withStore(io, async store => {
    const root = all === true ? null : findProject(io.cwd, findHome(io.env)).root
    const found = id === undefined ? await findLastDenial(store, root) : await findDecision(store, id)
    if (typeof found === 'string') {
      fail(io, found, '`belay ledger query --verdict deny` lists denials')
      return 1
    }
    const body = await restoreBody(store, found)
    const decision = withDefinitions(explainRecord(found, body, await findPassed(store, body)), io)
    if (json === true) printJson(io, decision)
    else printLine(io.stdout, renderRecord(io, decision))
    if (json !== true && decision.root !== null) {
      const sources = loadGuard(decision.root, guardPlace(io))
      printChanges(io, sources)
      noteUntrusted(io, sources)
    }
    return 0
  })
}

/** The entry that says that this very call ran; null: none does. */
async function findPassed(store: Store, { verdict, toolUseId }: Readonly<Record<string, unknown>>): Promise<number | null> {
  if (verdict === 'allow' || typeof toolUseId !== 'string') return null
  const [passed] = await queryEntries(store, { toolUseId, kind: GUARD_PASSED }, { limit: 1, newestFirst: true })
  return passed?.seq ?? null
}

/** `root`: the project that is asked about; null: any. */
async function findLastDenial(store: Store, root: string | null): Promise<Entry | string> {
  const entry = await findRefused(store, root)
  if (entry !== null) return entry
  const elsewhere = root === null ? null : await findRefused(store, null)
  return elsewhere === null ? 'nothing was denied yet' : `nothing was denied in ${root} yet; elsewhere: belay why --all`
}

/** The newest that an agent was told no to: denied, or asked about and not answered. */
async function findRefused(store: Store, root: string | null): Promise<Entry | null> {
  const where = root === null ? {} : { project: root }
  const [denied] = await queryEntries(store, { verdict: 'deny', ...where }, { limit: 1, newestFirst: true })
  const asked = await queryEntries(store, { verdict: 'ask', ...where }, { limit: 20, newestFirst: true })
  const unanswered = asked.find(({ body }) => (JSON.parse(body) as { request?: unknown }).request !== undefined)
  const entries = [denied, unanswered].filter(entry => entry !== undefined)
  return entries.sort((a, b) => b.seq - a.seq)[0] ?? null
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

/** What is written of each hook where it stands, as far as the policy is still the same. */
function withDefinitions(decision: RecordedDecision, io: CommandIo): RecordedDecision {
  const { event, root, hooks } = decision
  if (root === null || event === null || hooks.length === 0) return decision
  const { loaded, hooks: others } = loadGuard(root, guardPlace(io))
  const rows = [...listPolicyHooks(loaded.policies), ...others].map(hookRow)
  return {
    ...decision,
    hooks: hooks.map(hook => {
      const row = rows.find(each => each.event === event && each.name === hook.hook && placeOf(each) === hook.place)
      return row === undefined ? hook : { ...hook, condition: row.condition, once: row.once, async: row.async, source: row.source }
    }),
  }
}
