// Programs that make up new names: `rename 's/^/./' env`, `rename '' . env`, `mmv '*' '.#1'`. The name that comes out, as far as the text says.
import { type Call, touchArgument } from '../call.ts'
import type { Word, WordPart } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'
import { leadingText, makeWord, textWord } from '../word.ts'

export function readRename(call: Call, _program: Program, from: number): readonly Word[] {
  const operands = call.words.slice(from).filter(word => !leadingText(word).startsWith('-'))
  const [first, second] = operands
  if (first === undefined || second === undefined) return call.words
  // Its stars, like the shell's, yield no leading dot.
  if (call.name === 'mmv' && !leadingText(second).startsWith('#')) touchArgument(call, 'write', unnumbered(second), 'deny-only')
  // What bears another name can be read by it.
  for (const word of operands.slice(0, MAX_FILES)) if (word.parts[0]?.kind !== 'glob') touchArgument(call, 'read', word, 'deny-only')
  const change = readChange(first, second)
  if (change === null) return call.words
  for (const word of operands.slice(change.length, MAX_FILES))
    for (const name of newNames(change, word)) touchArgument(call, 'write', name, 'deny-only')
  return call.words
}

const MAX_FILES = 64

interface Change {
  readonly from: string
  readonly to: string
  /** At the start of the name, or anywhere that it fits. */
  readonly isFirst: boolean
  /** How many operands say so. */
  readonly length: number
}

/** perl's `s/from/to/`, or the two words of util-linux; null where it says nothing that is known. */
function readChange({ value: first }: Word, { value: second }: Word): Change | null {
  const [, , from = '', to = ''] = /^s([^\w\s\\])((?:(?!\1)[^\\]|\\.){0,256})\1((?:(?!\1)[^\\]|\\.){0,256})\1\w*$/s.exec(first ?? '') ?? []
  if (/^s[^\w\s\\]/.test(first ?? ''))
    return { from: plain(from.replace(/^\^/, '')), to: plain(to), isFirst: from.startsWith('^'), length: 1 }
  return first === null || second === null ? null : { from: first, to: second, isFirst: first === '', length: 2 }
}

function plain(text: string): string {
  return text.replace(/\\(.)/gs, '$1')
}

/** The text replaced where it stands, and put before what nobody knows where a pattern comes first. */
function newNames({ from, to, isFirst }: Change, word: Word): readonly Word[] {
  const at = word.value === null || word.glob ? -1 : word.value.indexOf(from)
  const replaced = at < 0 || (isFirst && at > 0) ? [] : [textWord(word.value?.replace(from, () => to) ?? '', word.source)]
  if (!isFirst || to === '' || at === 0) return replaced
  return [...replaced, makeWord([{ kind: 'text', value: to }, ANYTHING], word.source)]
}

const ANYTHING: WordPart = { kind: 'unknown', splits: false }

/** `#1` is what a star of the pattern stood for. */
function unnumbered(word: Word): Word {
  const pieces = (word.value ?? '').split(/#[lu]?\d/)
  const parts = pieces.flatMap((value, at): WordPart[] => [
    ...(at > 0 ? [ANYTHING] : []),
    ...(value === '' ? [] : [{ kind: 'text' as const, value }]),
  ])
  return word.value === null || pieces.length === 1 ? word : makeWord(parts, word.source)
}
