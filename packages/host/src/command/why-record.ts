// A recorded decision, read back: the rule and where it stands, the part of the call that decided, every hook that ran, what the agent was told.

import type { Entry } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { decidingPart, listParts } from '../dashboard/page/record-part.ts'
import { isOverBudget } from '../statistic/budget.ts'
import type { CommandIo } from '../terminal/io.ts'
import { paint, paintDecision } from '../terminal/style.ts'
import { hang } from '../terminal/table.ts'
import { visibleText } from '../terminal/visible.ts'
import { describeRun, OVER_BUDGET } from './describe-hook.ts'

type Fields = Readonly<Record<string, unknown>>

export interface RecordedDecision {
  readonly seq: number
  readonly id: string
  readonly time: string
  readonly actor: string
  readonly agent: string | null
  readonly session: string | null
  /** The project. */
  readonly root: string | null
  readonly policy: string | null
  readonly event: string | null
  readonly tool: string | null
  readonly input: unknown
  readonly decision: string
  readonly reason: string | null
  /** Id, effect, text and file:line. */
  readonly rule: Fields | null
  /** The unit, file or call that decided: source, normal form, paths. */
  readonly unit: Fields | null
  readonly parts: readonly Fields[]
  readonly hooks: readonly Fields[]
  readonly rewrites: readonly Fields[]
  /** As the agent got it. */
  readonly answer: Fields | null
  readonly degraded: readonly unknown[]
  /** Policy files that were not what a person had accepted, and what held instead. */
  readonly changed: readonly unknown[]
  /** The entry that says that the call ran though it was denied; null: none does. */
  readonly ranAnyway: number | null
}

/** `body`: with its large values back in place. */
export function explainRecord(entry: Entry, body: Fields, ranAnyway: number | null = null): RecordedDecision {
  const { seq, id, time, actor, session, policy } = entry
  return {
    seq,
    id,
    time,
    actor,
    agent: textIn(body.agent),
    session,
    root: textIn(body.root),
    policy,
    event: textIn(body.event),
    tool: textIn(body.tool),
    input: body.input ?? null,
    decision: textIn(body.verdict) ?? 'none',
    reason: textIn(body.reason),
    rule: fieldsIn(body.rule),
    unit: decidingPart(body),
    parts: listParts(body),
    hooks: listIn(body.hooks),
    rewrites: listIn(body.rewrites),
    answer: fieldsIn(body.answer),
    degraded: Array.isArray(body.degraded) ? body.degraded : [],
    changed: Array.isArray(body.changed) ? body.changed : [],
    ranAnyway,
  }
}

export function renderRecord(io: CommandIo, record: RecordedDecision): string {
  const { seq, time, actor, agent, event, tool, decision, reason, rule, unit, hooks, rewrites, answer } = record
  const lines = [
    `${paintDecision(io, decision)}  ${visibleText(tool ?? event ?? '')} ${visibleText(mainText(record.input))}`.trimEnd(),
    line(io, 'when', `${whenText(time)} (entry ${seq})`),
    line(io, 'who', `${actor}${agent === null ? '' : ` in ${agent}`}`),
    line(io, 'why', reason),
    line(io, 'rule', rule === null ? null : ruleText(rule)),
    line(io, 'unit', unit === null ? null : textIn(unit.source)),
    line(io, 'read as', unit === null || unit.normal === unit.source ? null : textIn(unit.normal)),
    line(io, 'path', unit === null ? null : pathText(fieldsIn(unit.path))),
    ...rewrites.map(rewrite => line(io, 'rewritten', `${rewrite.target} by ${rewrite.hook}`)),
    ...hooks.map(hook => line(io, 'hook', hookText(hook))),
    line(io, 'told', answer === null ? null : toldText(answer, reason)),
    line(io, 'RAN', record.ranAnyway === null ? null : `it ran all the same: the guard was passed (entry ${record.ranAnyway})`),
    ...record.changed.map(text => line(io, 'policy', String(text))),
    ...record.degraded.map(text => line(io, 'could not say', String(text))),
  ]
  return lines.filter(text => text !== null).join('\n')
}

function line(io: CommandIo, name: string, text: string | null): string | null {
  return text === null || text === '' ? null : hang(io, `  ${paint(io, 'dim', name.padEnd(9))} `, visibleText(text))
}

/** By the reader's clock. */
function whenText(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? time : `${date.toLocaleDateString('sv')} ${date.toLocaleTimeString('sv')}`
}

/** A name that its author gave; one that we made of its place says nothing that the place does not. */
function ruleText({ id, effect, text, place }: Fields): string {
  const name = typeof id === 'string' && !/^(?:allow|ask|deny)-\d+-\d+$/.test(id) ? `${id}: ` : ''
  return `${name}${effect} ${text}${place === undefined ? '' : `  ${place}`}`
}

/** What the agent could read, without the form it came in and what `why` says already; `--json` has every byte. */
function toldText({ stdout, stderr }: Fields, reason: string | null): string {
  const told = [reasonIn(stdout), stderr].filter(text => typeof text === 'string' && text !== '').join(' ')
  return reason === null || reason === '' ? told : told.replace(reason, () => '(as above)')
}

const REASONS = ['permissionDecisionReason', 'reason', 'message', 'errorMessage', 'systemMessage', 'user_message', 'agent_message']

function reasonIn(stdout: unknown): unknown {
  if (typeof stdout !== 'string' || !stdout.startsWith('{')) return stdout
  try {
    return findReason(JSON.parse(stdout)) ?? stdout
  } catch {
    return stdout
  }
}

function findReason(value: unknown): string | undefined {
  if (!isObject(value)) return undefined
  const own = REASONS.map(name => value[name]).find(text => typeof text === 'string' && text !== '')
  if (typeof own === 'string') return own
  return Object.values(value)
    .map(findReason)
    .find(text => text !== undefined)
}

function mainText(input: unknown): string {
  const { command, file_path: file, url } = fieldsIn(input) ?? {}
  const main = [command, file, url].find(value => typeof value === 'string')
  return typeof main === 'string' ? main : input === null ? '' : JSON.stringify(input)
}

function pathText(path: Fields | null): string | null {
  if (path === null) return null
  return path.real === null || path.real === path.lexical ? textIn(path.lexical) : `${path.lexical} -> ${path.real}`
}

function hookText(run: Fields): string {
  const { hook, scope, source, verdict, outcome, ms, place, error, condition, once } = run
  const parts = [
    outcome,
    ...(verdict === 'none' ? [] : [verdict]),
    // One that nobody waits for has only begun here; its end has an entry of its own.
    ...(ms === undefined ? [] : [`${ms} ms${isOverBudget(run) ? ` (${OVER_BUDGET})` : ''}`]),
    ...(error === undefined ? [] : [error]),
    ...(once === true || run.async === true ? [describeRun({ once: once === true, async: run.async === true })] : []),
    ...(typeof condition === 'string' ? [`if ${condition}`] : []),
  ]
  return `${hook} (${typeof source === 'string' ? source : scope}): ${parts.join(', ')}${place === undefined ? '' : `  ${place}`}`
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function fieldsIn(value: unknown): Fields | null {
  return isObject(value) ? (value as Fields) : null
}

function listIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn).filter(item => item !== null) : []
}
