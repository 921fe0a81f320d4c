// The environment of other processes: another agent's holds the secret of its role.
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText } from '../shell/word.ts'
import type { Protection } from './protect-path.ts'

/** Options without a dash, among them the one for the environment; on a Mac it has one. */
const WITH_ENVIRONMENT = /^(?=[a-zA-Z]*e)[a-zA-Z]+$/
const OF_A_PROCESS = /^\S*\/proc\/\S*environ/
/** To them a path is only text. */
const WRITERS = /^(?:echo|printf|git|gh)$/

export function protectPeek(program: string, words: readonly Word[]): Protection | null {
  const word = words.find(({ source }, at) => at > 0 && source.includes('environ') && OF_A_PROCESS.test(source))
  if (word !== undefined && !WRITERS.test(program)) return ask(word.source)
  const option = program === 'ps' ? words.find((each, at) => showsEnvironment(leadingText(each), at)) : undefined
  return option === undefined ? null : ask(`ps ${option.source}`)
}

/** Later words without a dash are names of columns, users and programs. */
function showsEnvironment(text: string, at: number): boolean {
  return (at === 1 && WITH_ENVIRONMENT.test(text)) || (at > 0 && /^-[a-zA-Z]*E/.test(text))
}

function ask(what: string): Protection {
  return { decision: 'ask', reason: `${what} shows the environment of other processes, and with it the secrets of other agents` }
}
