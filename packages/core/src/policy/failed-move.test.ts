// A `cd` that fails leaves the line where it was, and what stands behind `;` runs all the same.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'
import type { RuleEffect } from './rule.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-move-')))
mkdirSync(join(root, 'src', 'inner'), { recursive: true })
afterAll(() => rmSync(root, { recursive: true, force: true }))

const rules = (effect: RuleEffect, texts: readonly string[]) =>
  texts.map((text, index) => {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index}` })
    if (!parsed.ok) throw new Error(parsed.problem.message)
    return parsed.rule
  })
const compiled = compileRules({
  allow: rules('allow', ['Bash(*)', 'Read(*)', 'Write(*)']),
  deny: rules('deny', ['Read(secrets/**)', 'Write(secrets/**)']),
  ask: [],
  default: 'ask',
  hash: 'test',
})
const context = { root, cwd: root, home: '/home/dev', files: createFileView(), belayHome: '/home/dev/.belay', selfProtection: true }

function decide(command: string): string {
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

test.each([
  'cd nosuch; cat secrets/key',
  'cd nosuch\ncat secrets/key',
  'cd src; cd nosuch; cat ../secrets/key',
  'cd nosuch; cd src; cat ../secrets/key',
  'cd nosuch; echo x > secrets/key',
  'cd nosuch && ls; cat secrets/key',
  "sh -c 'cd nosuch; cat secrets/key'",
  '(cd nosuch; cat secrets/key)',
  "printf 'cd src\\ncat ../secrets/key' > s; cd src; bash ../s",
])('%s', command => {
  expect(decide(command)).not.toBe('allow')
})

test.each([
  'cd src; cat secrets/key',
  'cd src/inner; cd ..; cat secrets/key',
  'cd nosuch && cat secrets/key',
  'cd nosuch || exit 1; cat secrets/key',
  'cd nosuch; cat a; echo x > b',
])('%s is allowed', command => {
  expect(decide(command)).toBe('allow')
})
