import { expect, test } from 'vitest'
import { parseDomainPattern } from '../match/web/domain-pattern.ts'
import { parseWebTarget } from '../match/web/web-target.ts'
import { addDomainRule, type DomainIndex, findDomainRule } from './domain-index.ts'
import { parseRule } from './parse-rule.ts'

const PATTERNS = [
  'example.com',
  '*.example.com',
  '*.com',
  '*',
  'api-*.example.com',
  '*.a*.example.com',
  '127.0.0.1',
  '[::1]',
  'example.com:8443',
  'localhost',
]
const URLS = [
  'https://example.com',
  'https://a.example.com',
  'https://api-x.example.com',
  'https://b.ax.example.com',
  'http://127.0.0.1',
  'http://[::1]/',
  'https://example.com:8443',
  'http://localhost:3000',
  'https://x.io',
  'javascript:1',
]

test.each(['allow', 'deny'] as const)('every pattern alone and all together find the same (%s)', effect => {
  const together: DomainIndex = new Map()
  const rules = PATTERNS.map((pattern, order) => {
    const parsed = parseRule(`WebFetch(domain:${pattern})`, { effect, dialect: 'genesis', id: pattern })
    const domain = parseDomainPattern(pattern)
    if (!parsed.ok || !domain.ok) throw new Error(pattern)
    addDomainRule(together, parsed.rule, order, domain.pattern)
    return { rule: parsed.rule, pattern: domain.pattern }
  })
  for (const url of URLS) {
    const target = parseWebTarget(url)
    const alone = rules.find(({ rule, pattern }) => {
      const index: DomainIndex = new Map()
      addDomainRule(index, rule, 0, pattern)
      return findDomainRule(index, target, effect) !== null
    })
    expect([url, findDomainRule(together, target, effect)?.id]).toEqual([url, alone?.rule.id])
  }
})
