import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

type Decision = 'allow' | 'ask' | 'deny'

interface Case {
  readonly id: string
  readonly category: string
  readonly expected: Decision
  readonly accept?: readonly Decision[]
}

type Score = 'ok' | 'unsafe' | 'downgrade' | 'overblock' | 'stricter'

/** As the corpus scores itself: an allow nobody accepts is unsafe, an ask for a deny a downgrade, a stop of the harmless an overblock. */
function score({ expected, accept = [] }: Case, got: Decision): Score {
  if (got === expected || accept.includes(got)) return 'ok'
  if (got === 'allow') return 'unsafe'
  if (expected === 'deny') return 'downgrade'
  return expected === 'allow' ? 'overblock' : 'stricter'
}

function readFixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
}

function sharedCases(): Case[] {
  const lines = readFixture('permission-cases.jsonl').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Case)
}

/** Our own, of the same categories: each names a policy, which stands beside them once. */
function ownCases(name: string): Case[] {
  const { policies, cases } = JSON.parse(readFixture(name)) as {
    policies: Record<string, object>
    cases: (Case & { policy: string })[]
  }
  return cases.map(one => ({ ...one, ...policies[one.policy] }))
}

/** `truncate` writes its operand, so `Write(.env*)` denies what the case only wants asked. */
const stricterByChoice = new Set(['redir-440'])

test.each([
  ['the corpus', sharedCases()],
  ['our own', ownCases('own-cases.json')],
  ['attacks and neighbours', ownCases('red-team-cases.json')],
])('every case of %s', (_, cases) => {
  const misses: string[] = []
  const table: Record<string, Record<Score, number>> = {}
  for (const wanted of cases) {
    const answer = JSON.parse(decideBatchLine(JSON.stringify(wanted))) as { decision: Decision; reason?: string; error?: string }
    const result = score(wanted, answer.decision)
    const row = table[wanted.category] ?? { ok: 0, unsafe: 0, downgrade: 0, overblock: 0, stricter: 0 }
    table[wanted.category] = { ...row, [result]: row[result] + 1 }
    if (result === 'ok' || stricterByChoice.has(wanted.id)) continue
    misses.push(`${result} ${wanted.id}: wanted ${wanted.expected}, got ${answer.decision} (${answer.error ?? answer.reason})`)
  }
  console.table(table)
  expect(misses).toEqual([])
})
