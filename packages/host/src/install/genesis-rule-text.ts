// A rule of any agent in the spelling of genesis.key. Null: it says something that genesis has no words for.
import { parseRule, type Rule, type RuleSpec } from '@belay/core/policy'

export function genesisRuleText(rule: Rule): string | null {
  const tools = rule.tools.join('|')
  const spec = rule.spec === null ? null : specText(rule.spec)
  const text = spec === null ? tools : `${tools}(${spec})`
  const parsed = parseRule(text, { effect: rule.effect, dialect: 'genesis' })
  return parsed.ok && JSON.stringify(parsed.rule.spec) === JSON.stringify(rule.spec) ? text : null
}

function specText(spec: RuleSpec): string {
  switch (spec.kind) {
    case 'path':
      return `${ANCHORS[spec.anchor]}${spec.anchor === 'name' ? spec.pattern : spec.pattern.replace(/^\/+/, '')}`
    case 'group':
      return `@${spec.name}`
    case 'domain':
      return `domain:${spec.pattern}`
    case 'parameter':
      return `${spec.name}:${spec.pattern}`
    default:
      return spec.pattern
  }
}

const ANCHORS = { name: '', root: './', absolute: '/', home: '~/' } as const
