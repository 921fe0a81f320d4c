// `env -S 'string'`: split as env does, with quotes and escapes but without a shell.
import type { Word } from './shell-analysis.ts'
import { textWord } from './word.ts'

export function splitString(word: Word): readonly Word[] {
  if (word.value === null || /[$\\]/.test(word.value)) return [{ ...word, value: null, parts: [{ kind: 'unknown', splits: true }] }]
  const found: Word[] = []
  for (const match of word.value.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (match[0].startsWith('#')) break
    found.push(textWord(match[0].replace(/'([^']*)'|"([^"]*)"/g, '$1$2')))
  }
  return found
}
