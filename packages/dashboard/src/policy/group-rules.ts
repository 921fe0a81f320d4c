// Rules under the file they stand in, in the order of the file; and what about a rule deserves a look.
import type { HookView, PolicyFileView, RuleView } from '#page/policy.ts'

export interface RuleGroup {
  /** null: rules that stand in no file. */
  readonly file: PolicyFileView | null
  readonly rules: readonly RuleView[]
}

export function groupRules(files: readonly PolicyFileView[], rules: readonly RuleView[]): readonly RuleGroup[] {
  const groups = files.map(file => ({ file, rules: sortByLine(rules.filter(rule => isIn(rule, file))) }))
  const rest = rules.filter(rule => !files.some(file => isIn(rule, file)))
  return rest.length === 0 ? groups : [...groups, { file: null, rules: rest }]
}

function isIn({ place }: RuleView, { file }: PolicyFileView): boolean {
  return place?.startsWith(`${file}:`) === true
}

function sortByLine(rules: readonly RuleView[]): readonly RuleView[] {
  return [...rules].sort((a, b) => lineOf(a.place) - lineOf(b.place))
}

export function lineOf(place: string | null): number {
  return Number(/:(\d+)(?::\d+)?$/.exec(place ?? '')?.[1] ?? 0)
}

export interface Mark {
  readonly word: string
  readonly why: string
}

export function marksOfRule({ inert, shadowedBy, hits }: RuleView, days: number): readonly Mark[] {
  if (inert !== null) return [{ word: 'inert', why: inert }]
  if (shadowedBy !== null) return [{ word: 'shadowed', why: `${shadowedBy} always decides before it` }]
  return hits === 0 ? [{ word: 'never fired', why: `no call met it in the last ${days} days` }] : []
}

export function marksOfHook({ inert, runs, failures, p99Ms }: HookView, budgetMs: number): readonly Mark[] {
  if (inert !== null) return [{ word: 'inert', why: inert }]
  if (runs === 0) return [{ word: 'never ran', why: 'no event has met it yet' }]
  const marks: Mark[] = []
  if (failures > 0) marks.push({ word: 'failing', why: `${failures} of ${runs} runs failed` })
  if (p99Ms !== null && p99Ms > budgetMs) marks.push({ word: 'slow', why: `one of a hundred runs takes longer than ${budgetMs} ms` })
  return marks
}
