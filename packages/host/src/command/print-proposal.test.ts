// What is left out of a proposal is told, never passed over.
import { expect, test } from 'vitest'
import { createEvidence } from '../policy/learn/evidence.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { printProposal } from './print-proposal.ts'

const seen = (command: string) => ({ call: { tool: 'Bash', input: { command } }, actor: 'agent:a', cwd: '/p' })

function printed(kept: number): string {
  const { evidence, add } = createEvidence(kept)
  for (const command of ['a', 'b', 'a', 'c', 'c', 'd']) add('used', seen(command))
  for (const command of ['e', 'f', 'g', 'e']) add('refused', seen(command))
  const { io, written } = createTestIo({ stdin: [], env: {}, cwd: '/p', etc: '/etc/belay' })
  const { used, refused, leftOut } = evidence
  printProposal(io, { actor: 'agent:*', rules: [], left: [], used: used.size, refused: refused.size, leftOut }, null)
  return written.out
}

test('calls beyond what is kept are counted by kind, and no more is promised than was looked at', () => {
  const out = printed(2)
  expect(out).toContain('2 different calls were used, 2 refused.')
  expect(out).toContain('3 that were used and 1 that were refused were left out')
  expect(out).toContain('Nothing of the refused calls that were kept becomes allowed.')
})

test('nothing is said of it where everything was kept', () => {
  const out = printed(4)
  expect(out).toContain('4 different calls were used, 3 refused.')
  expect(out).not.toContain('left out')
  expect(out).toContain('Nothing that was refused becomes allowed.')
})
