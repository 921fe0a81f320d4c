// A row, a difference of two rows, and the table of all agents, as text and as Markdown.
import { STATES, type State } from './case.ts'
import type { Drift, Row } from './row.ts'
import type { CaseResult } from './run-conform.ts'

export function countStates(cases: readonly CaseResult[]): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(STATES.map(state => [state, 0])) as Record<State, number>
  for (const { state } of cases) counts[state]++
  return counts
}

/** `44 obeyed, 2 degraded`. */
export function sumUp(cases: readonly CaseResult[]): string {
  const counts = countStates(cases)
  return STATES.filter(state => counts[state] > 0)
    .map(state => `${counts[state]} ${state}`)
    .join(', ')
}

export function titleOf({ name, version, belay, date, system }: Row): string {
  return `${name} ${version} under Belay ${belay}, ${date.slice(0, 10)}, ${system}`
}

export function renderRow(row: Row): string {
  const lines = row.cases.map(({ id, title, state, note }) => `| \`${id}\` | ${cell(title)} | ${MARKS[state]} | ${cell(note ?? '')} |`)
  return [`**${titleOf(row)}**: ${sumUp(row.cases)}`, '', '| case | what must hold | seen | |', '|---|---|---|---|', ...lines, ''].join(
    '\n',
  )
}

export function renderDrift({ id, title, before, after }: Drift): readonly string[] {
  const said = (mark: string, each: CaseResult | null) =>
    each === null ? [] : [`  ${mark} ${each.state}${each.note === null ? '' : `: ${each.note}`}`]
  return [`${id}: ${title}`, ...said('-', before), ...said('+', after)]
}

/** Of the table; what is wrong stands out. */
const MARKS: Readonly<Record<State, string>> = {
  obeyed: 'yes',
  degraded: 'degraded',
  ignored: '**ignored**',
  unsupported: '-',
  untried: '?',
}

/** The table in docs: who was tried and when, then every case for every agent. */
export function renderSupport(rows: readonly Row[]): string {
  const tried = rows.map(
    ({ name, version, date, belay, cases, problem }) =>
      `| ${name} | ${version} | ${date.slice(0, 10)} | ${belay} | ${problem === null ? sumUp(cases) : `did not run: ${cell(problem)}`} |`,
  )
  const titles = new Map(rows.flatMap(({ cases }) => cases.map(({ id, title }) => [id, title] as const)))
  const marks = [...titles].map(([id, title]) => {
    const cells = rows.map(({ cases }) => MARKS[cases.find(each => each.id === id)?.state ?? 'untried'])
    return `| ${cell(title)} | ${cells.join(' | ')} |`
  })
  const notes = rows.flatMap(({ name, cases }) =>
    cases
      .filter(({ state, note }) => note !== null && (state === 'ignored' || state === 'untried' || state === 'degraded'))
      .map(({ title, state, note }) => `| ${name} | ${cell(title)} | ${state}: ${cell(note ?? '')} |`),
  )
  return [
    '| agent | version | tried on | with Belay | result |',
    '|---|---|---|---|---|',
    ...tried,
    '',
    `| what must hold | ${rows.map(({ name }) => name).join(' | ')} |`,
    `|---|${rows.map(() => '---|').join('')}`,
    ...marks,
    '',
    ...(notes.length === 0 ? [] : ['| agent | what must hold | seen |', '|---|---|---|', ...notes, '']),
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
