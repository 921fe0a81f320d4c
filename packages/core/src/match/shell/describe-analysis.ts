// One line per finding, for tests and for reading: `~` marks deny-only.
import type { FileEffect, ShellAnalysis, Unit } from './shell-analysis.ts'
import { unitText } from './unit-text.ts'

export function describeAnalysis({ units, effects, problems }: ShellAnalysis): readonly string[] {
  return [...units.map(describeUnit), ...effects.map(describeEffect), ...problems.map(problem => `${problem.kind}: ${problem.message}`)]
}

function describeUnit(unit: Unit): string {
  const role = unit.role === 'full' ? '' : '~'
  const behind = unit.behind.map(name => `${name} > `).join('')
  const assignments = unit.assignments.map(({ name }) => `${name}= `).join('')
  const traits = unit.traits.map(trait => ` [${trait.kind}${traitDetail(trait)}]`).join('')
  return `${role}${behind}${assignments}${unitText(unit)}${traits}`
}

function traitDetail(trait: Unit['traits'][number]): string {
  if (trait.kind === 'interpreter-code' || trait.kind === 'unknown-wrapper-option') return ` ${trait.option}`
  return trait.kind === 'environment' ? ` ${trait.name}` : ''
}

function describeEffect(effect: FileEffect): string {
  const path = effect.path.value ?? effect.path.parts.map(part => (part.kind === 'hole' ? '?' : part.value)).join('')
  const base = effect.base === null ? ' from ?' : effect.base === '/repo' || path.startsWith('/') ? '' : ` from ${effect.base}`
  return `${effect.role === 'full' ? '' : effect.role === 'guess' ? '?' : '~'}${effect.access} ${path}${base}`
}
