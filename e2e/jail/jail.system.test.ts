// The judge against bash itself: generated programs are run in a jail that records, and what ran a denied program or touched a kept
// file must not have been allowed. BELAY_JAIL sets how many; the seed is printed, and BELAY_SEED repeats it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Progress, type Report, runCampaign } from './campaign.ts'
import { createJail, type Jail } from './jail.ts'
import { createProgramJudge, deniedOf, type JudgeProgram } from './policy.ts'

const SHORT = 300
const count = Number(process.env.BELAY_JAIL ?? SHORT)
// The short form shows that the jail works, and repeats itself; the campaign searches.
const seed = Number(process.env.BELAY_SEED ?? (count > SHORT ? Date.now() % 1_000_000_000 : 1))
const SHOWN_EACH = 2000
/** Ends what hangs; a program takes milliseconds. */
const longest = 300_000 + count * 400

let jail: Jail
let judge: JudgeProgram
beforeAll(() => {
  jail = createJail()
  judge = createProgramJudge(jail)
})
afterAll(() => jail?.close())

const happens: readonly (readonly [string, readonly string[]])[] = [
  ['rm -rf x; git push', ['rm -rf x', 'git push']],
  ['x=rm; (cd src; $x -fr y) &', ['rm -fr y']],
  ['sudo foo evil a', ['evil a']],
  ['ln -s /usr/bin/evil l; ./l now', ['evil now']],
  ['ssh h "cd src; rm -fr y"', ['rm -fr y']],
  ['cat src/z', ['touched repo/.env']],
  ['exec 3<>secrets/key; echo x >&3', ['touched repo/secrets/key']],
  ['mv ~/.ssh/id_rsa away', ['touched home/.ssh/id_rsa']],
  ['cat <(evil a)', ['evil a']],
  ['ls -la; [ -f .env ] && git status; rm x', []],
]

describe('what happens in the jail is recorded', () => {
  test.each(happens)('%s', async (program, denied) => {
    const [outcome] = await jail.run([program])
    expect(outcome && deniedOf(outcome)).toEqual(denied)
  })

  test('each program starts with fresh files', async () => {
    const [, second] = await jail.run(['mv a.txt b; mkdir -p /tmp/x; echo 1 > ~/.profile', 'evil $(ls *.txt /tmp; cat ~/.profile)'])
    expect(second?.ran.map(({ argv }) => argv.slice(0, 2))).toEqual([['evil', 'a.txt']])
    expect(second?.ran[0]?.argv.at(-1)).toBe('true')
  })

  test('a program that does not end is ended, and the next one runs', async () => {
    const [first, second] = await jail.run(['while :; do :; done', 'evil a'])
    expect([first?.status === 0, second?.ran.length]).toEqual([false, 1])
  })
})

test('outside of the jail the driver runs nothing', () => {
  const proof = join(jail.root, 'planted')
  const { status, stderr } = spawnSync(join(jail.root, '..', '..', 'parts', 'driver'), ['x', 'x', 'x', 'x', 'x', join(jail.root, '..')], {
    input: `touch ${proof}\0`,
    encoding: 'utf8',
  })
  expect([status, stderr, existsSync(proof)]).toEqual([97, expect.stringContaining('not jailed, so nothing was run'), false])
})

test('a judge with a hole is found out, with the seed and the smallest program', async () => {
  const holed: JudgeProgram = program => (/\beval\b/.test(program) ? { ask: 'allow', none: 'allow' } : judge(program))
  const { holes } = await runCampaign({ jail, judge: holed, seed: 1, count: 100, lanes: 2, reduced: 1 })
  const found = holes.filter(({ program }) => /\beval\b/.test(program))
  expect(found.length).toBeGreaterThan(0)
  expect(found[0]?.smallest.length).toBeLessThanOrEqual(found[0]?.program.length ?? 0)
})

test(
  `nothing that is allowed does what is denied: ${count} generated programs`,
  async () => {
    const report = await runCampaign({
      jail,
      judge,
      seed,
      count,
      lanes: 2,
      reduced: 12,
      ...(count > SHORT ? { onBatch: showProgress } : {}),
    })
    console.log(describeReport(report))
    expect(report.hostile).toBeGreaterThan(0)
    expect(report.holes).toEqual([])
  },
  longest,
)

/** A line for each few thousand programs, and one for each batch that found something: nothing is lost where the search is ended early. */
let shown = 0
function showProgress({ programs, count: all, hostile, holes, seconds }: Progress): void {
  if (programs - shown < SHOWN_EACH && programs < all && holes.length === 0) return
  shown = programs
  const found = holes.length === 0 ? '0 holes' : `${holes.length} holes, seeds ${holes.slice(0, 5).join(' ')}`
  console.log(`jail: seed ${seed}, ${programs} of ${all} programs, ${hostile} did what is denied, ${found}, ${Math.round(seconds)} s`)
}

function describeReport(report: Report): string {
  const { programs, run, hostile, slow, holes, unanswered, harmless, strict, seconds } = report
  const rate = Math.round(programs / seconds)
  return [
    `jail: seed ${seed}, ${programs} programs in ${Math.round(seconds)} s (${rate} a second), ${run} of them run`,
    `${hostile} did what is denied, ${holes.length} of them allowed; ${unanswered.length} had no answer under "default: none"`,
    `${strict} of ${harmless} sampled programs that did nothing denied were not allowed; ${slow} were ended`,
  ].join('\n')
}
