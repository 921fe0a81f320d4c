import type { Rule } from '../rule.ts'

export function checkExamples(_rule: Rule, _examples: readonly string[], _key: string): readonly string[] {
  return []
}
