// How the demonstration looks on a terminal.
import { styleText } from 'node:util'
import type { Step } from './script.ts'

export interface Seen {
  readonly step: Step
  /** The body of the ledger's record. */
  readonly decision: {
    readonly verdict: string
    readonly reason?: string
    readonly tookMs: number
    readonly rule?: { readonly id: string; readonly text: string; readonly place?: string }
    readonly hooks: readonly {
      readonly hook: string
      readonly outcome: string
      readonly ms: number
      readonly verdict: string
      readonly place?: string
    }[]
  }
  /** What the agent was told. */
  readonly answered: string
}

type Style = Parameters<typeof styleText>[0]

const STYLES: Readonly<Record<string, { readonly mark: string; readonly style: Style }>> = {
  allow: { mark: 'ALLOW', style: 'green' },
  deny: { mark: 'DENY ', style: 'red' },
  ask: { mark: 'ASK  ', style: 'yellow' },
  none: { mark: '  -  ', style: 'gray' },
}

/** An ask that nobody was there to answer is a denial that says how a person can allow it. */
export function outcomeOf({ verdict, reason }: Seen['decision']): string {
  return verdict === 'deny' && reason?.includes(' approvals allow apr_') === true ? 'ask' : verdict
}

const INDENT = '      '

/** The rule and its place stand on the line above. */
function withoutRule(reason: string): string {
  return reason.replace(/ \(rule .*\)$/, '')
}

export function describeDecision({ step, decision }: Seen): string {
  const outcome = outcomeOf(decision)
  const { mark, style } = STYLES[outcome] ?? { mark: outcome, style: 'gray' as const }
  const lines = [`${paint([style, 'bold'].flat() as Style, mark)} ${paint('bold', step.story)}${wanted(step)}`]
  const by = decidedBy(decision, outcome)
  if (by !== null) lines.push(`      ${by}`)
  if (decision.verdict !== 'none' && decision.verdict !== 'allow' && decision.reason !== undefined)
    lines.push(paint('gray', wrap(`"${withoutRule(decision.reason)}"`, INDENT)))
  lines.push(`      ${paint('gray', `${hooksText(decision)}decided in ${decision.tookMs.toFixed(1)} ms`)}`)
  if (outcome !== step.expected) lines.push(`      ${paint('red', `expected ${step.expected}: the demonstration is wrong`)}`)
  return `${lines.join('\n')}\n\n`
}

function wanted({ tool, input }: Step): string {
  if (tool === undefined) return ''
  return `: ${tool}  ${paint('cyan', String(input?.command ?? input?.file_path ?? ''))}`
}

function decidedBy({ rule, hooks, verdict }: Seen['decision'], outcome: string): string | null {
  const hook = hooks.find(run => run.verdict === verdict && verdict !== 'none')
  if (hook !== undefined) return `by the hook ${hook.hook}${hook.place === undefined ? '' : ` (${shortPlace(hook.place)})`}`
  if (rule !== undefined) return `by the rule ${rule.text}${rule.place === undefined ? '' : ` (${shortPlace(rule.place)})`}`
  if (verdict === 'none') return null
  return outcome === 'deny' ? "by Belay's protection of itself, which no rule can remove" : 'because nobody can see what it would run'
}

/** Lines that end between words: a terminal breaks a long one anywhere. */
export function wrap(text: string, indent = ''): string {
  const most = Math.max(40, (process.stdout.columns ?? 120) - 2) - indent.length
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map(line => `${indent}${line}`).join('\n')
}

function shortPlace(place: string): string {
  return place.replace(/^.*\/(?=\.belay\/)/, '')
}

function hooksText({ hooks }: Seen['decision']): string {
  // The daemon's own hooks have no place in a file; they speak only of efforts, and there is none here.
  const shown = hooks.filter(({ place, verdict }) => place !== undefined || verdict !== 'none')
  if (shown.length === 0) return ''
  return `${shown.map(({ hook, outcome, ms }) => `${hook}: ${outcome} in ${ms.toFixed(1)} ms`).join(', ')}; `
}

export function describeSummary(seen: readonly Seen[]): string {
  const count = (verdict: string) => seen.filter(({ decision }) => outcomeOf(decision) === verdict).length
  const times = seen.map(({ decision }) => decision.tookMs).sort((a, b) => a - b)
  const wrong = seen.filter(({ step, decision }) => outcomeOf(decision) !== step.expected).length
  return `${seen.length} events: ${count('allow')} allowed, ${count('deny')} denied, ${count('ask')} for a person, ${count('none')} only recorded; median ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(1)} ms${wrong === 0 ? '' : `; ${wrong} NOT AS EXPECTED`}\n`
}

export function describeRecord(entries: number): string {
  const said = `All of it is on record, each entry sealed by the hash of the one before, and was checked just now: ${entries} entries, none changed or missing (the events, what a person did, and the question to one; belay ledger verify shows more).`
  return `\n${wrap(said)}\n`
}

function paint(style: Style, text: string): string {
  return process.stdout.isTTY === true ? styleText(style, text) : text
}
