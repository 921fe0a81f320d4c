// What a replay found, in words, and as one page that needs nothing else.

import type { Unjudged } from './replay-call.ts'
import type { ReplayGroup, ReplayTally } from './replay-tally.ts'

export const WHY_UNJUDGED: Readonly<Record<Unjudged, string>> = {
  redacted: 'a word that the judge reads was taken out of the record as a secret',
  trimmed: 'their input was trimmed from the ledger',
  paused: 'a person had switched deciding off',
  hook: 'a hook decided, and hooks are not run again',
  unreadable: 'the record does not hold what was called',
}

export interface ReplayHead {
  readonly policy: string
  readonly project: string | null
  readonly since: string | null
  readonly until: string | null
  readonly session: string | null
  readonly actor: string | null
}

export function countChanged({ changed }: Pick<ReplayTally, 'changed'>): number {
  return Object.values(changed).reduce((sum, count) => sum + count, 0)
}

/** Which calls were taken. */
function whichCalls({ project, since, until, session, actor }: ReplayHead): string {
  const narrowed = Object.entries({ since, until, 'in the session': session, by: actor })
  return `of ${project ?? 'every project'}${narrowed.map(([word, value]) => (value === null ? '' : ` ${word} ${value}`)).join('')}`
}

export function replayLines(tally: ReplayTally, head: ReplayHead): readonly string[] {
  const { judged, same, changed, byJudge, byFiles, unjudged } = tally
  const lines = [
    `${judged} recorded calls ${whichCalls(head)} under ${head.policy}: ${same} the same, ${countChanged({ changed })} changed`,
    ...Object.entries(changed).map(([name, count]) => `  ${name}  ${count}`),
  ]
  for (const group of tally.groups.filter(({ by }) => by === 'policy')) lines.push('', ...groupLines(group))
  const others = Object.values(byJudge).reduce((sum, count) => sum + count, 0)
  if (others > 0)
    lines.push('', `${others} differ because another version of the judge recorded them (not counted as changed):`, ...countLines(byJudge))
  const moved = Object.values(byFiles).reduce((sum, count) => sum + count, 0)
  if (moved > 0)
    lines.push('', `${moved} differ because a link or a file is not what it was (not counted as changed):`, ...countLines(byFiles))
  for (const group of tally.groups.filter(({ by }) => by === 'files')) lines.push(...groupLines(group))
  for (const [why, count] of Object.entries(unjudged))
    lines.push('', `${count} could not be judged again: ${WHY_UNJUDGED[why as Unjudged]}`)
  return lines
}

function countLines(counts: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(counts).map(([name, count]) => `  ${name}  ${count}`)
}

function groupLines({ before, after, rule, count, example }: ReplayGroup): readonly string[] {
  const { seq, time, actor, tool, text, reason } = example
  return [
    `${before}->${after}  ${count}  by ${ruleText(rule)}`,
    `  entry ${seq}, ${time.slice(0, 19)}Z, ${actor}: ${tool} ${text.replaceAll('\n', ' ')}`,
    `  ${reason}`,
  ]
}

function ruleText(rule: ReplayGroup['rule']): string {
  return rule === null ? 'no rule (the default)' : `${rule.effect} ${rule.text}${rule.line === null ? '' : ` (line ${rule.line})`}`
}

export function replayHtml(tally: ReplayTally, head: ReplayHead): string {
  const rows = tally.groups.map(
    ({ by, before, after, rule, count, example }) => `<tr class="${by}">
<td><span class="${before}">${before}</span> to <span class="${after}">${after}</span></td><td>${count}</td><td><code>${escapeHtml(ruleText(rule))}</code></td>
<td><code>${escapeHtml(`${example.tool} ${example.text}`)}</code><br><small>entry ${example.seq}, ${escapeHtml(example.time)}, ${escapeHtml(example.actor)}: ${escapeHtml(example.reason)}</small></td>
<td>${by === 'policy' ? 'the policy' : by === 'judge' ? 'another version of the judge' : 'a link or file that changed'}</td></tr>`,
  )
  const unjudged = Object.entries(tally.unjudged).map(([why, count]) => `<li>${count}: ${escapeHtml(WHY_UNJUDGED[why as Unjudged])}</li>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Replay of ${escapeHtml(head.policy)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Open Sans", "DejaVu Sans", sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #d0d7de }
code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Open Sans", monospace; white-space: pre-wrap; overflow-wrap: anywhere } small { color: #57606a }
@media (max-width: 45rem) { thead { display: none } tr { display: block; padding: .6rem 0; border-bottom: 1px solid #d0d7de } td { display: block; border: 0; padding: .1rem 0 } td:nth-child(2)::after { content: " calls" } }
.deny { color: #a40e26 } .ask { color: #7d4e00 } .allow { color: #116329 } .none { color: #57606a }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117 } tr, td, th { border-color: #30363d } small, .none { color: #9198a1 } .deny { color: #ff9a94 } .ask { color: #e3b341 } .allow { color: #7ee787 } }
</style></head><body>
<h1>Replay</h1>
<p>${tally.judged} recorded calls ${escapeHtml(whichCalls(head))} under
<code>${escapeHtml(head.policy)}</code>: ${tally.same} the same, <strong>${countChanged(tally)} changed</strong>.</p>
${rows.length === 0 ? '<p>Nothing comes out differently.</p>' : `<table><thead><tr><th>change</th><th>calls</th><th>decided by</th><th>example</th><th>because of</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`}
${unjudged.length === 0 ? '' : `<h2>Not judged again</h2><ul>${unjudged.join('')}</ul>`}
</body></html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
