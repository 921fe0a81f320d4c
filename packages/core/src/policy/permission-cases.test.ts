import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

type Decision = 'allow' | 'ask' | 'deny'

interface Case {
  readonly id: string
  readonly category: string
  readonly expected: Decision
  readonly accept?: readonly Decision[]
  readonly benign: boolean
}

type Score = 'ok' | 'unsafe' | 'downgrade' | 'overblock' | 'stricter'

/** As the corpus scores itself: an allow nobody accepts is unsafe, an ask for a deny a downgrade, a stop of the harmless an overblock. */
function score({ expected, accept = [] }: Case, got: Decision): Score {
  if (got === expected || accept.includes(got)) return 'ok'
  if (got === 'allow') return 'unsafe'
  if (expected === 'deny') return 'downgrade'
  return expected === 'allow' ? 'overblock' : 'stricter'
}

function readCases(name: string): { line: string; wanted: Case }[] {
  const text = readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => ({ line, wanted: JSON.parse(line) as Case }))
}

/** `truncate` writes its operand, so `Write(.env*)` denies what the case only wants asked. */
const stricterByChoice = new Set(['redir-440'])

test.each(['permission-cases.jsonl'])('every case of %s', name => {
  const misses: string[] = []
  const table: Record<string, Record<Score, number>> = {}
  for (const { line, wanted } of readCases(name)) {
    const answer = JSON.parse(decideBatchLine(line)) as {
      decision: Decision
      reason?: string
      unit?: string
      rule?: string
      error?: string
    }
    const result = score(wanted, answer.decision)
    const row = table[wanted.category] ?? { ok: 0, unsafe: 0, downgrade: 0, overblock: 0, stricter: 0 }
    table[wanted.category] = { ...row, [result]: row[result] + 1 }
    if (result !== 'ok' && !stricterByChoice.has(wanted.id))
      misses.push(`${result} ${wanted.id}: wanted ${wanted.expected}, got ${answer.decision} (${answer.error ?? answer.reason})`)
  }
  console.table(table)
  expect(misses).toEqual([])
})
