// Decisions about texts that are made to be slow. What is asserted is work, which is counted, not time: one budget holds for the reading, the
// rules and the protection together, and what goes over it is never allowed.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { makeRandom } from '../match/shell/fixtures/random-script.ts'
import { randomWorst, writeWorst } from '../match/shell/fixtures/worst-text.ts'
import { MAX_WORK, Meter } from '../match/shell/meter.ts'
import { type CompiledPermissions, compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { ToolCall } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'

const RUNS = Number(process.env.BELAY_FUZZ ?? 40)
const seed = Number(process.env.BELAY_FUZZ_SEED ?? Date.now() % 1_000_000)

function rules(effect: RuleEffect, texts: readonly string[]): readonly Rule[] {
  return texts.map(text => {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: text })
    if (!parsed.ok) throw new Error(text)
    return parsed.rule
  })
}

function policy(byDefault: CompiledPermissions['default']): CompiledPermissions {
  const deny = ['Bash(rm -rf *)', 'Bash(git push *)', 'Write(.env*)', 'Read(**/.ssh/**)']
  return compileRules({ allow: rules('allow', ['Bash(*)', 'x__*']), deny: rules('deny', deny), ask: [], default: byDefault, hash: '' })
}

function decide(call: ToolCall, byDefault: CompiledPermissions['default'] = 'ask', scripts: Readonly<Record<string, string>> = {}) {
  const view = virtualFileView({ root: '/repo' })
  if (!view.ok) throw new Error(view.problem)
  const files = { ...view.files, text: (path: string) => scripts[path] ?? null }
  const place = { root: '/repo', cwd: '/repo', home: '/home/dev', belayHome: '/home/dev/.belay' }
  const meter = new Meter()
  const { verdict } = judge(call, policy(byDefault), { ...place, files, selfProtection: true }, meter)
  return { decision: verdict.decision, work: meter.spent }
}

function bash(command: string): ToolCall {
  return { tool: 'Bash', input: { command } }
}

test(`what takes more work than there is, is denied (seed ${seed})`, () => {
  const random = makeRandom(seed)
  for (let run = 0; run < RUNS; run++) {
    const text = randomWorst(random)
    const { decision, work } = decide(bash(writeWorst(text)))
    expect(work > MAX_WORK && decision !== 'deny', JSON.stringify(text)).toBe(false)
  }
})

const texts = (line: (at: number) => string, count: number): string => Array.from({ length: count }, (_, at) => line(at)).join('\n')

/** One text that many commands are given, one path in many words, one script that is run again and again. */
const linear: Readonly<Record<string, (count: number) => string>> = {
  'a script for a shell, of programs nobody knows': count => `sh <<E\n${texts(at => `tool${at} rm -x`, count)}\nE`,
  'the same with variables before them': count => `sh <<E\n${texts(at => `x=${at} tool rm -./. a`, count)}\nE`,
  'the same for an interpreter': count => `sh <<E\n${texts(at => `python3 -u a${at}.py`, count)}\nE`,
  'a function that hands its input on': count => `f() {\n${texts(at => `tool${at} -x`, count)}\n}; f <<< 'rm -x rm -x'`,
  'a script on the disk': count => texts(at => `sh ./a.sh ${at}`, count),
  'a name of ours again and again in one path': count => `env -S '${'$a/.belay/'.repeat(count)}'`,
}

test.each(Object.entries(linear))('%s: twice the text takes about twice the work', (_, write) => {
  const scripts = {
    '/repo/a.sh': texts(at => `sh ./b.sh; echo kill ${at}`, 40),
    '/repo/b.sh': texts(at => `sh ./a.sh; echo kill ${at}`, 40),
  }
  const [half, whole] = [20, 40].map(count => decide(bash(write(count)), 'ask', scripts).work)
  expect(half).toBeGreaterThan(0)
  expect((whole ?? 0) / (half ?? 1)).toBeLessThan(3)
})

test('options count in every reading of a command: what comes before and behind them may be their values', () => {
  const words = (word: string): string => `git x ${`${word} `.repeat(1000)}`
  const [options, operands] = [words('-eq a'), words('aeq a')].map(command => decide(bash(command)).work)
  expect(options).toBeGreaterThan(2 * (operands ?? 0))
})

test.each([
  ['x=1', 150],
  ['x=~/?a y=~[a]?../${a}', 800],
] as const)('every line of nothing but %s counts, though no command is in it', (line, least) => {
  const work = (count: number): number => decide(bash(`kill a\n${texts(() => line, count)}`)).work
  expect((work(200) - work(100)) / 100).toBeGreaterThan(least)
})

test('each part of a pipeline counts beyond the same command in a list', () => {
  const work = (separator: string): number => decide(bash(texts(at => `a=${at}${separator}b=${at}`, 200))).work
  expect(work('|')).toBeGreaterThanOrEqual(work(';') + 200 * 2 * 100)
})

test('a file counts under each path that it is judged by: as it is written, as others read it, and where it was before it was moved', () => {
  const work = (start: string, name: string): number => decide(bash(`${start}; ${texts(at => `cat ${name}${at}`, 200)}`)).work
  const plain = work('mv x y', 'src/a')
  expect(work('mv x y', 'src/\u{ff41}') - plain).toBeGreaterThan(200 * 250)
  expect(work('mv src2 src', 'src/a') - plain).toBeGreaterThan(200 * 250)
})

const tooMuch = `sh <<E\n${texts(at => `x=${at} [a]rm -./. a; . a${at}`, 2000)}`

test.each(['none', 'ask', 'deny', 'allow'] as const)('what is over the budget is denied where the default is %s', byDefault => {
  const { decision, work } = decide(bash(tooMuch), byDefault)
  expect({ decision, isSpent: work > MAX_WORK }).toEqual({ decision: 'deny', isSpent: true })
})

test('many fields of a tool that nobody described share one budget', () => {
  const harmless = texts(at => `tool${at} -x`, 400)
  const steps = Array.from({ length: 60 }, (_, at) => ({ code: `${harmless} ${at}` }))
  expect(decide({ tool: 'x__do', input: { steps: steps.slice(0, 1) } }).decision).toBe('allow')
  const { decision, work } = decide({ tool: 'x__do', input: { steps } })
  expect(decision).toBe('ask')
  expect(work).toBeLessThan(2 * MAX_WORK)
})

test('code that is too much to read is not waved through with its tool', () => {
  expect(decide({ tool: 'x__do', input: { code: tooMuch } }).decision).toBe('ask')
})
