// All domain rules of one effect, found by the host or by what it ends in.
import { type DomainPattern, domainMatches } from '../match/web/domain-pattern.ts'
import type { WebTarget } from '../match/web/web-target.ts'
import type { Rule } from './rule.ts'

interface DomainRule {
  readonly rule: Rule
  readonly order: number
  readonly pattern: DomainPattern
}

/** By `example.com` for itself, by `*.example.com` for what is below it, by '' for patterns with stars elsewhere. */
export type DomainIndex = Map<string, DomainRule[]>

export function addDomainRule(index: DomainIndex, rule: Rule, order: number, pattern: DomainPattern): void {
  const key = keyOf(pattern)
  const same = index.get(key)
  const entry = { rule, order, pattern }
  if (same === undefined) index.set(key, [entry])
  else same.push(entry)
}

/** The first rule, in the order of the policy, that matches the target. */
export function findDomainRule(index: DomainIndex, target: WebTarget, effect: Rule['effect']): Rule | null {
  let found: DomainRule | null = null
  for (const key of keysOf(target.host ?? '')) {
    for (const candidate of index.get(key) ?? []) {
      if (found !== null && found.order < candidate.order) continue
      if (domainMatches(candidate.pattern, target, effect)) found = candidate
    }
  }
  return found?.rule ?? null
}

function keyOf({ labels }: DomainPattern): string {
  const [first, ...rest] = labels
  const isBelow = first === '*' && rest.length > 0
  return (isBelow ? rest : labels).some(label => label.includes('*')) ? '' : labels.join('.')
}

function keysOf(host: string): string[] {
  const keys = ['', host]
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) keys.push(`*${host.slice(dot)}`)
  return keys
}
