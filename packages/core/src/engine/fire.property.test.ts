import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HookDefinition, Scope } from '../hook/hook-definition.ts'
import { createRegistry } from '../registry/registry.ts'
import { allow, ask, deny, fold, none, type Verdict } from '../verdict/verdict.ts'
import { createEngine } from './engine.ts'
import { bash, inline } from './fixtures/make-event.ts'

const NUM_RUNS = Number(process.env.BELAY_FUZZ_RUNS ?? 200)

interface Voter {
  readonly verdict: Verdict
  readonly scope: Scope
  readonly order: 'sequence' | 'group'
  readonly isLate: boolean
}

const voters = fc.array(
  fc.record<Voter>({
    verdict: fc.constantFrom(none(), allow(), ask('sure?'), deny('no')),
    scope: fc.constantFrom<Scope>('policy', 'plugin', 'session', 'skill'),
    order: fc.constantFrom('sequence' as const, 'group' as const),
    isLate: fc.boolean(),
  }),
  { maxLength: 8 },
)

function toHook({ verdict, scope, order, isLate }: Voter, at: number): HookDefinition {
  return inline(isLate ? async () => verdict : () => verdict, { scope, order, name: `h${at}` })
}

async function decide(given: readonly Voter[], report: boolean): Promise<Verdict['decision']> {
  const registry = createRegistry()
  registry.addAll(given.map(toHook))
  return (await createEngine({ registry }).fire(bash('ls'), { report })).verdict.decision
}

test('the verdict is the fold of all verdicts, whatever the order, scopes, groups and promises', async () => {
  const shuffled = voters.chain(given => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })))
  await fc.assert(
    fc.asyncProperty(shuffled, fc.boolean(), async ([given, other], report) => {
      const expected = fold(given.map(({ verdict }) => verdict)).decision
      expect([await decide(given, report), await decide(other, report)]).toEqual([expected, expected])
    }),
    { numRuns: NUM_RUNS },
  )
})

test('every hook is in the report once: as a run, or skipped after a deny', async () => {
  await fc.assert(
    fc.asyncProperty(voters, async given => {
      const registry = createRegistry()
      registry.addAll(given.map(toHook))
      const { report, verdict } = await createEngine({ registry }).fire(bash('ls'))
      const named = [...report.runs, ...report.skipped].map(({ hook }) => hook).sort()
      expect(named).toEqual(given.map((_, at) => `h${at}`).sort())
      if (verdict.decision !== 'deny') expect(report.skipped).toEqual([])
    }),
    { numRuns: NUM_RUNS },
  )
})
