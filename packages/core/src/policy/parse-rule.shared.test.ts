import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleDialect } from './rule.ts'

const corpus = new URL('../../../../../shared/corpus/', import.meta.url)

/** The lists mix dialects and do not name them: the spelling tells. */
function dialectOf(pattern: string): RuleDialect {
  if (/^[a-z_]+ :: /.test(pattern)) return 'opencode'
  if (/^(ShellTool|run_shell_command)\(/.test(pattern)) return 'gemini'
  if (/^(Shell|Mcp)\(/.test(pattern)) return 'cursor'
  return /^[A-Za-z_][\w.:/*-]*(\(|$)/.test(pattern) && !/^(?!mcp__)[a-z][^(]*:\*$/.test(pattern) ? 'claude' : 'factory'
}

test.each([
  ['permission-patterns.txt', 6],
  ['permission-patterns-frontmatter.txt', 4],
])('every pattern of %s is a rule or a located problem', (file, problemCount) => {
  const lines = readFileSync(new URL(file, corpus), 'utf8')
    .split('\n')
    .filter(line => line !== '')
  const rules: Rule[] = []
  const problems: string[] = []
  for (const [index, line] of lines.entries()) {
    const pattern = (line.split('\t')[0] ?? '').replaceAll('\\n', '\n')
    const parsed = parseRule(pattern, { effect: 'deny', dialect: dialectOf(pattern), place: { file, line: index + 1, column: 1 } })
    if (parsed.ok) rules.push(parsed.rule)
    else {
      expect(parsed.problem.place.line).toBe(index + 1)
      expect(parsed.problem.remedy).toBeTypeOf('string')
      problems.push(`${parsed.problem.place.column}: ${pattern}: ${parsed.problem.message}`)
    }
  }
  console.log(`${file}: ${rules.length} rules, ${problems.length} problems\n${problems.join('\n')}`)
  expect(problems).toHaveLength(problemCount)
  expect(() => compileRules({ allow: [], ask: [], deny: rules, default: 'ask', hash: '' })).not.toThrow()
})
