// `belay hooks list`: every hook that holds in this directory, in the order of its scope, from every source that the policies draw in, those
// that are inert, and how long each took lately.
import { canonicalEventName, listGuardrails } from '@belay/core'
import { listPolicyHooks } from '@belay/core/policy'
import { findHome } from '../config/home.ts'
import { guardrailRows, type HookRow, hookRows, placeOf } from '../guard/hook-row.ts'
import { loadGuard } from '../guard/load-guard.ts'
import type { PolicyView } from '../page/policy.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon } from './daemon-status.ts'
import { describeHook, describeTimes, type HookTimes, isSlow } from './describe-hook.ts'
import { guardPlace, printBroken, printChanges } from './policies.ts'

/** A daemon that does not answer does not hold up a list. */
const ASK_MS = 2000

export interface ListOptions {
  readonly event?: string
  readonly json?: boolean
}

export async function runHooksList(options: ListOptions, io: CommandIo): Promise<ExitCode> {
  const sources = loadGuard(io.cwd, guardPlace(io))
  const { loaded, hooks } = sources
  printBroken(io, sources)
  printChanges(io, sources)
  const rows = [
    ...hookRows(listPolicyHooks(loaded.policies)),
    ...listGuardrails(loaded.policies).flatMap(guardrailRows),
    ...hookRows(hooks),
  ].filter(row => options.event === undefined || row.event === canonicalEventName(options.event))
  const timesOf = await readTimes(io, loaded.root)
  const timed = rows.map(row => ({ ...row, ...withBudget(timesOf(row)) }))
  if (options.json === true) printJson(io, timed)
  else if (rows.length === 0)
    printLine(io.stdout, `No hooks in ${loaded.root}. Write some under \`hooks:\` in genesis.key, or in hooks.toml.`)
  else printLine(io.stdout, renderTable(io, HEAD, timed.map(describeRow), ''))
  return 0
}

const HEAD = ['EVENT', 'NAME', 'TYPE', 'MATCHER', 'CONDITION', 'RUNS', 'SOURCE', 'P50 / P99', 'WHERE']
const UNKNOWN: HookTimes = { runs: null, p50Ms: null, p99Ms: null }

/** Null: it has not run. */
function withBudget(times: HookTimes) {
  return { ...times, overBudget: times.p50Ms === null ? null : isSlow(times) }
}

function describeRow(row: HookRow & HookTimes): readonly string[] {
  const cells = describeHook(row)
  return [...cells.slice(0, -1), describeTimes(row), ...cells.slice(-1)]
}

async function readTimes(io: CommandIo, root: string): Promise<(row: HookRow) => HookTimes> {
  const { socket } = runPaths(findHome(io.env), io.env)
  const answer = await callDaemon(socket, 'page.policy', { root }, ASK_MS)
  if (answer.kind !== 'result') return () => UNKNOWN
  const { hooks } = answer.value as PolicyView
  const known = new Map(hooks.map(({ event, place, runs, p50Ms, p99Ms }) => [`${event} ${place}`, { runs, p50Ms, p99Ms }]))
  return row => known.get(`${row.event} ${placeOf(row)}`) ?? UNKNOWN
}
