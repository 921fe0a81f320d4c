import { expect, test } from 'vitest'
import type { FileView } from '../match/path/file-view.ts'
import { compileRules } from './compile-rules.ts'
import { createJudge } from './create-judge.ts'
import type { JudgeContext } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'

function rule(text: string, effect: RuleEffect): Rule {
  const parsed = parseRule(text, { effect, dialect: 'genesis' })
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.rule
}

const compiled = compileRules({
  allow: [rule('Bash(git *)', 'allow'), rule('Bash(cat *)', 'allow'), rule('Write(src/*)', 'allow')],
  ask: [],
  deny: [rule('Write(.env)', 'deny')],
  default: 'ask',
  hash: 'one',
})

/** A disk with one link that can be turned. */
function changingFiles(): FileView & { target: string } {
  const files = {
    target: '/repo/src/real',
    realPath: (absolute: string) => ({ ok: true, path: absolute === '/repo/src/link' ? files.target : absolute }) as const,
    linkCount: () => 1,
    names: () => null,
    knownNames: () => [],
    knowsLinks: true,
    hasNameBelow: () => false,
    linkTargetsBelow: () => [],
    text: () => null,
    isCaseInsensitive: () => false,
  }
  return files
}

function contextWith(files: FileView): JudgeContext {
  return { root: '/repo', cwd: '/repo', home: '/home/dev', files, belayHome: '/home/dev/.belay', selfProtection: true }
}

test('the same call in the same place is judged once', () => {
  const decide = createJudge(compiled, { cacheSize: 10 })
  const context = contextWith(changingFiles())
  const call = { tool: 'Bash', input: { command: 'git status' } }
  decide(call, context)
  const second = decide(call, context)
  expect(decide({ ...call, input: { ...call.input } }, { ...context })).toBe(second)
  expect(decide(call, { ...context, cwd: '/repo/src' })).not.toBe(second)
})

test('a decision that a file had a say in is made anew', () => {
  const files = changingFiles()
  const decide = createJudge(compiled, { cacheSize: 10 })
  const context = contextWith(files)
  const write = { tool: 'Write', input: { file_path: 'src/link' } }
  expect(decide(write, context).verdict.decision).toBe('allow')
  files.target = '/repo/.env'
  expect(decide(write, context).verdict.decision).toBe('deny')
  const redirect = { tool: 'Bash', input: { command: 'git log > src/link' } }
  expect(decide(redirect, context).verdict.decision).toBe('deny')
  files.target = '/repo/src/real'
  expect(decide(redirect, context).verdict.decision).toBe('allow')
})

test('the least used is forgotten first', () => {
  const decide = createJudge(compiled, { cacheSize: 2 })
  const context = contextWith(changingFiles())
  const run = (command: string) => decide({ tool: 'Bash', input: { command } }, context)
  run('git warm')
  const [a, b] = [run('git a'), run('git b')]
  expect(run('git a')).toBe(a)
  run('git c')
  expect(run('git a')).toBe(a)
  expect(run('git b')).not.toBe(b)
})

test('an input that holds itself is judged, not kept', () => {
  const decide = createJudge(compiled, { cacheSize: 2 })
  const input: Record<string, unknown> = { command: 'git status' }
  input.self = input
  expect(decide({ tool: 'Bash', input }, contextWith(changingFiles())).verdict.decision).toBe('allow')
})

test('within one judgement a path is looked up once, so that all checks see the same file', () => {
  const asked: string[] = []
  const files = changingFiles()
  const view: FileView = {
    ...files,
    realPath: absolute => {
      asked.push(absolute)
      return files.realPath(absolute)
    },
  }
  const decide = createJudge(compiled, { cacheSize: 0 })
  const remove = { tool: 'Bash', input: { command: 'rm -rf build' } }
  const context = contextWith(view)
  const lookedUp = () => {
    decide(remove, context)
    return asked.splice(0).filter(path => path === '/repo/build')
  }
  expect([lookedUp(), lookedUp()]).toEqual([['/repo/build'], ['/repo/build']])
})
