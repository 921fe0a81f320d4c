// page.record: everything about one entry that the inspector shows.
import type { Entry } from '@belay/core/ledger'
import { findEntry } from '../../ledger/read-entry.ts'
import { restoreBody } from '../../ledger/restore-body.ts'
import type { FileDiff, RecordDetail } from '../../page/record.ts'
import { rewrittenInput } from '../../policy/recorded-call.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { BUDGET_MS } from '../../statistic/budget.ts'
import { type Fields, fieldsIn, listIn, numberIn, textIn, textsIn } from '../../statistic/read-fields.ts'
import { rowOf } from '../../statistic/record-row.ts'
import type { Store } from '../../store/store.ts'
import { describeRecord, explainCommand } from './describe-record.ts'
import { findRelated, type RelatedEntry } from './find-related.ts'
import { recordedParts, recordedRule } from './record-part.ts'
import { recordSteps } from './record-step.ts'

/** A text longer than this is cut for the page; `belay ledger show` has it whole. */
const MAX_TEXT = 2 * 1024 * 1024

export async function readDetail(store: Store, seq: number): Promise<RecordDetail> {
  const entry = await needEntry(store, seq)
  const body = cutTexts(await restoreBody(store, entry)) as Fields
  const row = rowOf(entry, body)
  const related = await findRelated(store, entry)
  const input = fieldsIn(body.input)
  const inputAfter = rewrittenInput(body)
  return {
    row,
    sentence: describeRecord(row, body),
    hash: entry.hash,
    prev: entry.prev,
    policy: entry.policy,
    cwd: textIn(body.cwd),
    command: textIn(fieldsIn(inputAfter ?? input)?.command) ?? textIn(body.command),
    parts: recordedParts(body),
    rule: recordedRule(body),
    steps: recordSteps(body),
    budgetMs: BUDGET_MS,
    inputBefore: body.input ?? null,
    inputAfter,
    context: textsIn(body.context),
    answer: answerOf(body),
    degraded: textsIn(body.degraded),
    diffs: await firstDiffs(store, [{ entry, body }, ...related]),
    related: related.map(other => rowOf(other.entry, other.body)),
    body,
    explainCommand: textIn(body.verdict) === null ? null : explainCommand(row, input),
  }
}

export async function needEntry(store: Store, seq: number): Promise<Entry> {
  const found = await findEntry(store, String(seq))
  if (found.kind === 'found' && found.entry.seq === seq) return found.entry
  throw new RpcError(RPC_REFUSED, `there is no entry ${seq}`)
}

function answerOf(body: Fields): RecordDetail['answer'] {
  const answer = fieldsIn(body.answer)
  if (answer === null) return null
  return { stdout: textIn(answer.stdout) ?? '', stderr: textIn(answer.stderr) ?? '', exit: numberIn(answer.exit) ?? 0 }
}

/** Of a change of policy, or of all files that evidence names. */
export async function diffsOf(store: Store, { entry, body }: RelatedEntry): Promise<readonly FileDiff[]> {
  if (typeof body.diff === 'string') return [{ path: textIn(body.file) ?? '', text: body.diff }]
  if (body.files === undefined) return []
  const whole = cutTexts(await restoreBody(store, entry)) as Fields
  return listIn(whole.files).flatMap(({ path, diff }) => (typeof diff === 'string' ? [{ path: textIn(path) ?? '', text: diff }] : []))
}

async function firstDiffs(store: Store, entries: readonly RelatedEntry[]): Promise<readonly FileDiff[]> {
  for (const one of entries) {
    const diffs = await diffsOf(store, one)
    if (diffs.length > 0) return diffs
  }
  return []
}

function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}… (cut, ${value.length} characters)`
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cutTexts)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutTexts(item)]))
}
