// Programs that do to any file what a file of theirs says: which files nobody sees.
import { isStream } from '../shell/argument-file.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText } from '../shell/word.ts'
import type { Protection } from './protect-path.ts'
import { optionValues } from './tree-layer.ts'

/** `when`: only where a word says so; `unless`: not where one does. */
const DRIVEN: ReadonlyMap<string, { readonly when?: RegExp; readonly unless?: RegExp }> = new Map([
  ['systemd-tmpfiles', { when: /^--(?:create|clean|remove|purge)/ }],
  ['logrotate', { unless: /^(?:-(?=[a-zA-Z]*$)[^d]*d.*|--(?:debug|version|help|usage))$/ }],
  ['debugfs', { when: /^-[a-zA-Z]*w/ }],
])
/** Rules that run commands, read from what no file holds: `make -f <(curl http://x)`. */
const RULED: ReadonlyMap<string, RegExp> = new Map([
  ...['make', 'gmake', 'bmake', 'remake', 'rake', 'ninja', 'just'].map(name => [name, /^(?:-f|--(?:make|rake|just)?file)(?:=|$)/] as const),
  ...['task', 'go-task'].map(name => [name, /^(?:-t|--taskfile)(?:=|$)/] as const),
])

export function protectFileDriven(program: string, words: readonly Word[]): Protection | null {
  const driven = DRIVEN.get(program)
  const has = (pattern: RegExp): boolean => words.some((word, at) => at > 0 && pattern.test(leadingText(word)))
  if (driven !== undefined && (driven.when === undefined || has(driven.when)) && (driven.unless === undefined || !has(driven.unless)))
    return { decision: 'ask', reason: `${program} changes whatever files it is told to, Belay's may be among them` }
  const ruled = RULED.get(program)
  const unseen = ruled === undefined ? undefined : optionValues(words, ruled).find(word => word.value === null || isStream(word))
  return unseen === undefined ? null : { decision: 'ask', reason: `${program} runs rules that nobody sees: ${unseen.source}` }
}
