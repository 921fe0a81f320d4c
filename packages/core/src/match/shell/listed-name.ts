// Names that a command prints because it was told to look for them: `find . -name .env | xargs cat` reads what the first command names.
import type { CommandNode } from 'unbash'
import { nameMatches, patternTokens } from '../path/name-pattern.ts'
import { expandWord } from './expand-word.ts'
import type { Word, WordPart } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { anyBelow, anyText, leadingText, makeWord, textWord } from './word.ts'

const LISTERS: ReadonlySet<string> = new Set(['find', 'gfind', 'fd', 'fdfind', 'ls', 'locate', 'git', 'readlink', 'realpath'])
const MAX_WORDS = 64

/** They print the words themselves. */
const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf'])
/** They let lines through that hold a pattern. */
const FILTERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'ggrep', 'rg', 'ag', 'ack'])

export function listedNames(walk: Walk, node: CommandNode, place: Place): readonly Word[] {
  const name = node.type === 'Command' ? (node.name?.value ?? '') : ''
  if (node.type !== 'Command' || node.args.length > MAX_WORDS || !(LISTERS.has(name) || PRINTERS.has(name) || FILTERS.has(name))) return []
  const words = node.args.flatMap(arg => (arg.type === 'Word' ? expandWord(walk, arg, place.scope) : []))
  // Where all of them are known, the text is.
  if (PRINTERS.has(name)) return words.filter(word => word.value === null || word.glob)
  if (FILTERS.has(name)) return filteredNames(words)
  if (name === 'fd' || name === 'fdfind') return fdNames(words)
  return name.endsWith('find') ? soughtPaths(words) : words.filter(word => !leadingText(word).startsWith('-')).map(word => soughtWord(word))
}

/** `ls -A | grep env`: one pattern, no files of its own, and the lines that hold it. */
function filteredNames(words: readonly Word[]): readonly Word[] {
  const options = words.map(word => leadingText(word)).filter(text => text.startsWith('-'))
  if (options.some(text => /^-[a-zA-Z]*[rRlLcvf]|^--(?:rec|dereference|files|count|invert|file)/.test(text))) return []
  const patterns = words.filter(word => !leadingText(word).startsWith('-'))
  return patterns.length === 1 ? patterns.flatMap(containingNames) : []
}

/** What fd is told to look for; where it shows hidden names too, `env` finds `.env`. */
export function fdNames(words: readonly Word[]): readonly Word[] {
  const sought = words.filter(word => !leadingText(word).startsWith('-'))
  const showsHidden = words.some(word => /^-[a-zA-Z]*[HuI]|^--(?:hid|unr|no-ignore)/.test(leadingText(word)))
  if (!showsHidden) return sought.map(word => soughtWord(word))
  return [...sought.map(word => soughtWord(word)), ...sought.flatMap(containingNames), ...sought.flatMap(hiddenByRegex)]
}

/** Names that a search is narrowed to by a regular expression (`ag -G env`); one that is known only at run time may be any. */
export function regexNames(word: Word): readonly Word[] {
  return word.value === null ? [word] : [soughtWord(word), ...containingNames(word), ...hiddenByRegex(word)]
}

/** A pattern that may stand anywhere in a name: the name that it is, and the hidden one. */
function containingNames({ value, source }: Word): readonly Word[] {
  const text = /^\^?\\?([\w.-]{2,})/.exec(value ?? '')?.[1]
  if (text === undefined) return []
  return [text, `.${text}`].map(name => textWord(name, source))
}

/** Where a search by find starts. */
export function searchStarts(all: readonly Word[]): readonly Word[] {
  const first = all.findIndex(({ value }) => !/^-(?:[HLP]|O\d?)$/.test(value ?? ''))
  const words = all.slice(Math.max(0, first))
  const end = words.findIndex(word => /^[-(!]/.test(leadingText(word)))
  const starts = end < 0 ? words : words.slice(0, end)
  return starts.length > 0 ? starts : [textWord('.')]
}

/** What find is told to look for: each name alone, as rules for a name at any depth want it, and anywhere below where the search starts. */
export function soughtPaths(words: readonly Word[]): readonly Word[] {
  const starts = searchStarts(words)
  return words.flatMap((word, at) => {
    if (!isSoughtName(words, at)) return []
    const test = words[at - 1]?.value ?? ''
    const names = soughtNames(test.endsWith('regex') ? regexGlob(word) : word, test)
    return [...names, ...hiddenNames(word, test)].flatMap(name => {
      const below = belowPattern(name)
      if (below === null) return [name]
      const inside = starts.map(start => makeWord([...start.parts, { kind: 'text', value: '/' }, anyBelow, ...below], name.source))
      return [name, ...inside]
    })
  })
}

/** Names of hidden files that rules keep. */
const HIDDEN = ['.env', '.envrc', '.npmrc', '.netrc', '.pgpass', '.pypirc', '.htpasswd', '.git-credentials']

/** Hidden names that a pattern fits which begins with a sign: `*env`, `?env`. */
export function hiddenMatches(pattern: string, source: string): readonly Word[] {
  return hiddenNames({ value: pattern, source }, '-name')
}

/** Unlike the shell's, a star of find begins hidden names too: `-name '*nv'` finds `.env`. Without a letter a pattern is as broad as none. */
function hiddenNames({ value, source }: Pick<Word, 'value' | 'source'>, test: string): readonly Word[] {
  if (test.endsWith('regex')) return hiddenByRegex({ value, source })
  if (value === null || !/^[*?[]/.test(value) || !/\w/.test(value.slice(0, MAX_REGEX).replace(/\[[^\]]*\]/g, ''))) return []
  const isPath = !/^-i?name$/.test(test)
  const tokens = patternTokens(value, test.startsWith('-i'))
  return HIDDEN.filter(name => nameMatches(tokens, name) || (isPath && nameMatches(tokens, `./${name}`))).map(name =>
    textWord(name, source),
  )
}

/** Names that a regular expression may find: those that hold every letter which stands in it for itself. */
function hiddenByRegex({ value, source }: Pick<Word, 'value' | 'source'>): readonly Word[] {
  const parts = alternatives((value ?? '').slice(0, MAX_REGEX).replace(/\[[^\]]*\][*+?]?/g, ' '))
    .flatMap(pattern => pattern.split('|'))
    .map(part => part.replace(/\\?[\w.][*?{]|(?<!\\)\./g, ' ').match(/[\w-]+/g))
  const isFound = (name: string): boolean =>
    parts.some(letters => letters?.some(text => /[a-z]/i.test(text)) && letters.every(text => name.includes(text.toLowerCase())))
  return HIDDEN.filter(isFound).map(name => textWord(name, source))
}

const MAX_REGEX = 1024
const MAX_ALTERNATIVES = 32

/** `a(b|c)` is `ab` or `ac`; a group that may be absent says nothing. */
function alternatives(pattern: string): readonly string[] {
  let found: readonly string[] = [pattern]
  for (let group = GROUP.exec(pattern); group !== null && found.length < MAX_ALTERNATIVES; group = GROUP.exec(found[0] ?? '')) {
    const [, inner = '', count = ''] = group
    const choices = /[*?]/.test(count) ? [' '] : inner.split(/\\?\|/)
    found = found.flatMap(each => choices.map(choice => each.replace(GROUP, () => choice)))
  }
  return found
}

const GROUP = /\\?\(([^()\\]*(?:\\(?![()])[^()\\]*)*)\\?\)([*+?]?)/

/** The regular expression of `-regex` as a pattern that is no narrower: `.*\\.env` is `*.env`. */
function regexGlob(word: Word): Word {
  if (word.value === null) return word
  if (word.value.length > MAX_REGEX) return makeWord([anyText], word.source)
  const pattern = word.value
    .replace(/^\^|\$$/g, '')
    .replace(/\\([.\-_/])/g, '\u0001$1')
    .replace(/(?<!\u0001)(?:\.|\[[^\]]*\]|\\?\([^)]*\\?\))[*+?]?|\S[*+?]/g, '*')
    .replace(/\u0001/g, '')
  return textWord(pattern.replace(/\*+/g, '*').replace(/^\*\//, ''), word.source)
}

/** `-iname .ENV` finds `.env` too. */
function soughtNames(word: Word, test: string): readonly Word[] {
  const { value, source } = word
  if (!test.startsWith('-i') || value === null) return [soughtWord(word, anyBelow)]
  return [...new Set([value, value.toLowerCase(), value.toUpperCase()])].map(spelled => soughtWord(textWord(spelled, source), anyBelow))
}

/** null: a name that may begin with anything is no narrower than the search itself. */
function belowPattern(name: Word): Word['parts'] | null {
  const pattern = (name.value ?? '').replace(/^\*+\//, '')
  if (pattern === '' || pattern.startsWith('*') || pattern.startsWith('/')) return null
  return pattern
    .split(/(\*+)/)
    .filter(part => part !== '')
    .map(part => (part.startsWith('*') ? anyBelow : { kind: 'text', value: part }))
}

/** `-name '.e*'`, `fd '^\\.env$'`: a pattern stands for every name that begins as it does. One that may begin with anything stays as it is. */
export function soughtWord(word: Word, rest: WordPart = anyText): Word {
  const name = word.value?.replace(/^\^|\$$|\\(?=.)/g, '') ?? ''
  const start = /^[^*?[/]+/.exec(name)?.[0] ?? ''
  if (word.value === null || start === '' || name.includes('/')) return word
  return start === name ? textWord(name, word.source) : makeWord([{ kind: 'text', value: start }, rest], word.source)
}

/** The value of a test for names that is not turned around. */
function isSoughtName(words: readonly Word[], at: number): boolean {
  const isNamed = /^-(?:i?(?:name|path|wholename|regex)|samefile)$/.test(words[at - 1]?.value ?? '')
  return isNamed && !/^(?:!|-not)$/.test(words[at - 2]?.value ?? '')
}

/** Which program feeds a pipe, and the files whose text it sends as it is. */
export function sentFiles(walk: Walk, node: CommandNode, place: Place): { readonly by?: string; readonly files?: readonly Word[] } {
  const by = node.type === 'Command' ? node.name?.value : undefined
  if (by === undefined || node.type !== 'Command') return {}
  if (by !== 'cat' || node.args.length > MAX_WORDS) return { by }
  const words = node.args.flatMap(arg => (arg.type === 'Word' ? expandWord(walk, arg, place.scope) : []))
  return { by, files: words.filter(word => !leadingText(word).startsWith('-')) }
}
