// What conditions need of the libraries: the language with our variables, and regular expressions in linear time.
import { Environment } from '@marcbachmann/cel-js'
import { RE2JS } from 're2js'
import { CONDITION_ROOTS, OPTIONAL_ROOTS, orNull } from './condition-fields.ts'

/** `matches` answers what a condition asks as `linearMatches`. */
export function createEnvironment(matches: (subject: string, pattern: string) => boolean): Environment {
  const limits = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 8 }
  const created = new Environment({ unlistedVariablesAreDyn: false, homogeneousAggregateLiterals: false, limits })
  for (const root of CONDITION_ROOTS) created.registerVariable(root, 'dyn')
  for (const root of OPTIONAL_ROOTS) created.registerVariable(orNull(root), 'dyn')
  created.registerFunction('string.linearMatches(string): bool', matches)
  return created
}

export function findsPattern(subject: string, pattern: string): boolean {
  return RE2JS.compile(pattern).matcher(subject).find()
}
