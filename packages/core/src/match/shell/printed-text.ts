// What `echo` and `printf` send down a pipe, where that is known before they run.
import type { CommandNode } from 'unbash'
import { expandWord } from './expand-word.ts'
import type { Word } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { textWord } from './word.ts'

/** More words than anybody types are not put together. */
const MAX_WORDS = 64

export function printedText(walk: Walk, node: CommandNode, place: Place): Word | null {
  if (node.type !== 'Command' || node.redirects.length > 0 || node.args.length > MAX_WORDS) return null
  const name = node.name?.value
  if (name !== 'echo' && name !== 'printf') return null
  const words: string[] = []
  for (const arg of node.args) {
    for (const word of arg.type === 'Word' ? expandWord(walk, arg, place.scope) : []) {
      if (word.value === null || word.glob) return null
      words.push(word.value)
    }
  }
  const text = name === 'echo' ? echoText(words) : printfText(words)
  return text === null ? null : textWord(text)
}

/** Backslashes mean something to some shells' echo, and with `-e` to all. */
function echoText(words: readonly string[]): string | null {
  const start = words.findIndex(word => !/^-[neE]+$/.test(word))
  const text = start < 0 ? '' : words.slice(start).join(' ')
  return text.includes('\\') ? null : text
}

/** A format of `%s`, text and line ends, used again until no argument is left. */
function printfText(words: readonly string[]): string | null {
  const [format = '', ...values] = words[0] === '--' ? words.slice(1) : words
  const plain = format.replace(/\\[nt0]/g, found => (found === '\\t' ? '\t' : '\n'))
  const holes = plain.split('%s').length - 1
  if (plain.includes('\\') || plain.replaceAll('%s', '').includes('%')) return null
  if (holes === 0) return values.length === 0 ? plain : null
  let text = ''
  for (let at = 0; at === 0 || at < values.length; at += holes) {
    let next = at
    text += plain.replace(/%s/g, () => values[next++] ?? '')
  }
  return text
}
