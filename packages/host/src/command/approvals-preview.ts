// What an --always rule would have let through lately, shown before a person decides. Judged on the records, which hold no secrets: a call
// whose secret part matters to the rule may be counted wrongly, and the text says so.

import type { PatternPreview } from '../page/policy.ts'
import { visibleText } from '../terminal/visible.ts'
import { callDaemon } from './daemon-status.ts'

const DAYS = 7
const MAX_SAMPLES = 5

export interface PreviewTarget {
  readonly pattern: string
  readonly actor: string
  readonly root: string
}

/** null: nobody could tell; the decision does not depend on it. */
export async function previewAlways(socket: string, target: PreviewTarget): Promise<PatternPreview | null> {
  const answer = await callDaemon(socket, 'page.preview', { ...target, days: DAYS })
  return answer.kind === 'result' ? (answer.value as PatternPreview) : null
}

export function renderPreview(pattern: string, { days, judged, matches, stillDenied, samples, actor }: PatternPreview): string {
  const through = matches - stillDenied
  const head = `${pattern}${actor === null ? '' : ` for ${actor}`}: of ${judged} calls asked about or denied in the last ${days} days it would have let ${through} through`
  const others = stillDenied === 0 ? '' : ` (${stillDenied} more stay refused by other rules)`
  const shown = samples
    .slice(0, MAX_SAMPLES)
    .map(({ row: { time, tool, summary }, count }) => `  ${time.slice(0, 16)}  ${tool ?? ''}: ${visibleText(summary)}${times(count)}`)
  const left = through - samples.slice(0, MAX_SAMPLES).reduce((sum, { count }) => sum + count, 0)
  return [`${head}${others}; judged on records without secrets`, ...shown, ...(left > 0 ? [`  and ${left} more`] : [])].join('\n')
}

function times(count: number): string {
  return count === 1 ? '' : ` (${count} times)`
}
