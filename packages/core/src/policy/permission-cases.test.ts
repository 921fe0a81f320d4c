// Every permission case is a test that wants exactly one verdict: the one that the case expects, or the one that fixtures/other-verdicts.json
// names. What a case accepts beside that is for scoring (`npm run score`), and says which verdicts may be recorded there at all.
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

type Decision = 'allow' | 'ask' | 'deny'

interface Case {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly expected: Decision
  readonly accept?: readonly Decision[]
}

const fixture = (name: string) => new URL(`./fixtures/${name}`, import.meta.url)
const readFixture = (name: string) => readFileSync(fixture(name), 'utf8')

function sharedCases(): readonly Case[] {
  const lines = readFixture('permission-cases.jsonl').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

/** Our own: each names a policy, which stands beside them once. */
function ownCases(name: string): readonly Case[] {
  const { policies, cases }: { policies: Record<string, object>; cases: (Case & { policy: string })[] } = JSON.parse(readFixture(name))
  return cases.map(one => ({ ...one, ...policies[one.policy] }))
}

const SETS = {
  'the corpus': sharedCases(),
  'our own': ownCases('own-cases.json'),
  'attacks and neighbours': ownCases('red-team-cases.json'),
}
const ALL = Object.values(SETS).flat()

function verdictOf(one: Case): { readonly decision: Decision; readonly error?: string } {
  const { decision, error } = JSON.parse(decideBatchLine(JSON.stringify(one)))
  return error === undefined ? { decision } : { decision, error }
}

/** `truncate` writes its operand, so `Write(.env*)` denies what the case only wants asked. */
const STRICTER_BY_CHOICE = new Set(['redir-440'])

function isAccepted({ id, accept = [] }: Case, decision: Decision): boolean {
  return accept.includes(decision) || (decision === 'deny' && STRICTER_BY_CHOICE.has(id))
}

/** `BELAY_RECORD=verdicts npx vitest run permission-cases` takes today's verdicts over, those that their cases accept. */
function recordVerdicts(): void {
  const lines = ALL.flatMap(one => {
    const { decision } = verdictOf(one)
    return decision !== one.expected && isAccepted(one, decision) ? [`  ${JSON.stringify(one.id)}: ${JSON.stringify(decision)}`] : []
  })
  writeFileSync(fixture('other-verdicts.json'), `{\n${lines.sort().join(',\n')}\n}\n`)
}

if (process.env.BELAY_RECORD === 'verdicts') recordVerdicts()
const others: Readonly<Record<string, Decision>> = JSON.parse(readFixture('other-verdicts.json'))

for (const [set, cases] of Object.entries(SETS))
  describe(set, () => {
    for (const one of cases) {
      const wanted = others[one.id] ?? one.expected
      test(`${one.id}: ${wanted} ${one.tool} ${JSON.stringify(one.input.command ?? one.input)}`, () => {
        expect(verdictOf(one)).toEqual({ decision: wanted })
      })
    }
  })

test('a recorded verdict differs from what its case expects, and is one that the case accepts', () => {
  const byId = new Map(ALL.map(one => [one.id, one]))
  const wrong = Object.entries(others).filter(([id, decision]) => {
    const one = byId.get(id)
    return one === undefined || one.expected === decision || !isAccepted(one, decision)
  })
  expect(wrong).toEqual([])
  expect(byId.size).toBe(ALL.length)
})
