import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { type Explanation, explainCall } from './explain.ts'
import { parseRule } from './parse-rule.ts'
import { renderExplanation } from './render-explanation.ts'
import type { Rule, RuleEffect } from './rule.ts'

function rule(text: string, effect: RuleEffect, line: number): Rule {
  const parsed = parseRule(text, {
    effect,
    dialect: 'genesis',
    id: line === 9 ? 'no-push' : `${effect}-${line}-5`,
    place: { file: 'genesis.key', line, column: 5 },
  })
  if (!parsed.ok) throw new Error(parsed.problem.message)
  return parsed.rule
}

const view = virtualFileView({ root: '/repo', links: { 'src/link': '.env' } })
if (!view.ok) throw new Error(view.problem)
const compiled = compileRules({
  allow: [rule('Bash(git *)', 'allow', 4), rule('Bash(echo *)', 'allow', 5), rule('Write(src/*)', 'allow', 6)],
  ask: [],
  deny: [rule('Bash(git push *)', 'deny', 9), rule('Write(.env*)', 'deny', 10)],
  default: 'ask',
  hash: 'f00d',
})

function explain(command: string): Explanation {
  const context = {
    root: '/repo',
    cwd: '/repo',
    home: '/home/dev',
    files: view.ok ? view.files : neverFiles(),
    belayHome: '/home/dev/.belay',
    selfProtection: true,
  }
  return explainCall({ tool: 'Bash', input: { command } }, compiled, context)
}

function neverFiles(): never {
  throw new Error('the view is made above')
}

test('every part with its verdict, its reason, and its rule where the reason does not name it', () => {
  expect(
    renderExplanation(explain('git status && git  push && uptime'), { color: false }),
  ).toBe(`deny: "git push" is forbidden by the rule Bash(git push *) (genesis.key:9:5). Reach the goal another way, or tell the person that this step is theirs.

  git status && git  push && uptime
  ----------    ^^^^^^^^^    ??????

1. allow  git status
   allowed by the rule Bash(git *) (genesis.key:4:5)
2. deny  git  push
   "git push" is forbidden by the rule Bash(git push *) (genesis.key:9:5). Reach the goal another way, or tell the person that this step is theirs.
   rule no-push: deny Bash(git push *) at genesis.key:9:5
   read as: git push
3. no rule  uptime
   no rule covers "uptime"
parser ok, policy f00d
`)
})

test('both paths of a file, and the parser', () => {
  const explanation = explain('echo x > src/link')
  expect(explanation.parts.at(-1)).toEqual({
    what: 'effect',
    source: 'src/link',
    normal: '/repo/src/link',
    start: 7,
    end: 17,
    decision: 'deny',
    match: 'must',
    rule: { id: 'deny-10-5', text: 'Write(.env*)', effect: 'deny', place: 'genesis.key:10:5' },
    reason:
      '"src/link" is forbidden by the rule Write(.env*) (genesis.key:10:5). Reach the goal another way, or tell the person that this step is theirs.',
    lexicalPath: '/repo/src/link',
    realPath: '/repo/.env',
  })
  expect(renderExplanation(explanation, { color: false })).toContain('path /repo/src/link, really /repo/.env')
  expect(explain('echo "').parser).toBe('partial')
})

test('a command cannot draw over its own explanation', () => {
  const drawn = renderExplanation(explain('git log \u001B[2J\u202E; git push'), { color: true })
  expect(drawn).not.toContain('\u001B[2J')
  expect(drawn).not.toContain('\u202E')
  expect(drawn).toContain('\u001B[31m^^^^^^^^\u001B[0m')
})
