// One sentence about an entry: who wanted what, what was decided, by which rule; and the command that explains it at a terminal.
import { basename } from 'node:path'
import { gateOf } from '@belay/core'
import type { RecordRow } from '../../page/record.ts'
import { OWN_PROTECTION } from '../../statistic/decided-by.ts'
import { type Fields, fieldsIn, listIn, textIn } from '../../statistic/read-fields.ts'

const LONGEST = 160

export function describeRecord(row: RecordRow, body: Fields): string {
  const { actor, event, kind } = row
  if (event !== null && gateOf(event) === 'tool') return `${actor} wanted to ${describeCall(row, false)}: ${decided(row, body)}`
  if (event === 'PostToolUse') return `${actor} ${describeCall(row, true)}${outcome(row)}`
  if (event === 'PostToolUseFailure') return `${actor} could not ${describeCall(row, false)}${outcome(row)}`
  if (event !== null && textIn(body.verdict) !== null) return `${actor} reached ${event}${about(row)}${outcome(row)}`
  if (kind.startsWith('approval_')) return describeApproval(row, body)
  if (kind === 'person_check') return describeCheck(row, body)
  return `${actor} recorded ${kind.replaceAll('_', ' ')}${row.commitment === null ? '' : ` of ${row.commitment}`}${about(row)}`
}

/** To do it, and having done it. */
const VERBS: Readonly<Record<string, readonly [string, string]>> = {
  Bash: ['run', 'ran'],
  PowerShell: ['run', 'ran'],
  Read: ['read', 'read'],
  Write: ['write', 'wrote'],
  Edit: ['edit', 'edited'],
  MultiEdit: ['edit', 'edited'],
  NotebookEdit: ['edit', 'edited'],
  Glob: ['look for', 'looked for'],
  Grep: ['search for', 'searched for'],
  WebFetch: ['fetch', 'fetched'],
  WebSearch: ['search the web for', 'searched the web for'],
  Task: ['start an agent for', 'started an agent for'],
  Agent: ['start an agent for', 'started an agent for'],
}

function describeCall({ tool, summary, project }: RecordRow, isDone: boolean): string {
  const what = summary === '' ? '' : ` ${short(summary)}`
  const where = project === null ? '' : ` in ${basename(project) || project}`
  const verb = VERBS[tool ?? '']?.[isDone ? 1 : 0] ?? `${isDone ? 'used' : 'use'} ${tool ?? 'a tool'}${what === '' ? '' : ' on'}`
  return `${verb}${what}${where}`
}

function decided(row: RecordRow, body: Fields): string {
  if (body.paused === true) return 'deciding was switched off'
  if (row.verdict === 'none') return 'nothing was decided, the agent went on by its own rules'
  const by = decider(row, body)
  if (row.verdict === 'ask' && row.approval !== null) return `nobody answered in time${by}`
  if (row.verdict === 'ask') return `a person is needed${by}`
  return `${row.verdict === 'deny' ? 'denied' : 'allowed'}${by}`
}

function decider(row: RecordRow, body: Fields): string {
  const rule = fieldsIn(body.rule)
  if (rule !== null) return ` by rule ${textIn(rule.text) ?? rule.id}${placed(textIn(rule.place))}`
  const hook = listIn(body.hooks).find(run => run.verdict === row.verdict)
  if (hook !== undefined) return ` by hook ${hook.hook}${placed(textIn(hook.place))}`
  if (row.by === OWN_PROTECTION) return ` by ${OWN_PROTECTION}: ${short(row.reason ?? '')}`
  return row.reason === null ? '' : `: ${short(row.reason)}`
}

/** `/repo/.belay/genesis.key:41` is `genesis.key:41` to people. */
function placed(place: string | null): string {
  return place === null ? '' : `, ${basename(place)}`
}

function outcome(row: RecordRow): string {
  if (row.verdict === 'none' || row.verdict === 'allow') return ''
  return `: ${row.verdict === 'deny' ? 'held back' : 'a person is needed'}${row.reason === null ? '' : `, ${short(row.reason)}`}`
}

function describeApproval(row: RecordRow, body: Fields): string {
  const id = textIn(body.approval) ?? 'a request'
  const what = row.tool === null ? '' : ` (${row.tool})`
  const by = textIn(body.decidedBy)
  if (row.kind === 'approval_requested') return `${row.actor} waits for a person: ${id}${what}`
  if (row.kind === 'approval_decided') return `${by ?? row.actor} ${textIn(body.state) ?? 'decided'} ${id}${what}`
  if (row.kind === 'approval_used') return `${row.actor} went on with ${id}${what}, ${textIn(body.state)} by ${by ?? 'a person'}`
  return `${id}${what} ended without a decision`
}

function about({ summary }: RecordRow): string {
  return summary === '' ? '' : `: ${short(summary)}`
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}

/** null: not a tool call. */
export function explainCommand({ actor, tool }: Pick<RecordRow, 'actor' | 'tool'>, input: Fields | null): string | null {
  if (tool === null || input === null) return null
  const command = textIn(input.command)
  if (tool === 'Bash' && command !== null) return `belay explain --actor ${quote(actor)} -- ${quote(command)}`
  return `belay hooks simulate --actor ${quote(actor)} --tool ${quote(tool)} --input ${quote(JSON.stringify(input))}`
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Somebody wanted what is for people alone. */
function describeCheck({ actor }: RecordRow, body: Fields): string {
  const what = textIn(body.what) ?? 'something'
  return body.granted === true ? `${actor} was let do ${what}` : `${what} was refused: ${short(textIn(body.why) ?? 'it is for people')}`
}
