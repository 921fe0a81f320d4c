// Secrets that a program takes as a plain word, told by their place among the others: `htpasswd -b FILE USER PASSWORD`,
// `net use ... /user:USER PASSWORD`, `composer config http-basic.HOST USER TOKEN`, `rclone config create NAME TYPE pass VALUE`.
// A command ends at its line, and is looked at a bounded way. What tells a program's secret must be seen by `mayHoldSecret`.
import { isSecretName } from './secret-name.ts'
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder } from './secret-value.ts'

interface Word {
  readonly text: string
  readonly start: number
}

interface Program {
  readonly names: RegExp
  /** The words that are secrets. Options are among the words. */
  readonly pick: (words: readonly Word[]) => readonly (Word | undefined)[]
}

const programTable: readonly Program[] = [
  { names: /^htpasswd$/, pick: passwordOfFile },
  { names: /^net(?:\.exe)? use$/i, pick: passwordOfShare },
  { names: /^net(?:\.exe)? user$/i, pick: passwordOfUser },
  { names: /^composer(?:\.phar)?$/, pick: tokensOfPackages },
  { names: /^rclone(?:\.exe)?$/, pick: valuesOfRemote },
]

const programName =
  /(?<![\w-])(?:htpasswd|composer(?:\.phar)?|rclone(?:\.exe)?|[nN](?:et|ET)(?:\.exe|\.EXE)?[ \t]+(?:user?|USER?))(?=[ \t])/g

export function findArguments(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  for (const match of text.matchAll(programName)) {
    const name = match[0].replace(/[ \t]+/, ' ')
    const program = programTable.find(({ names }) => names.test(name))
    const words = wordsFrom(text, match.index + match[0].length)
    for (const word of program?.pick(words) ?? []) {
      if (word === undefined || word.text.length < 2 || isPlaceholder(word.text)) continue
      found.push({ start: word.start, end: word.start + word.text.length, kind: 'password' })
    }
  }
  return found
}

const mostWords = 40
const wordExpression =
  /(?:[ \t]+|(?<==)(?=["']))(?:"([^"\n]{1,256})"|'([^'\n]{1,256})'|(?!\d?>)([\\/][^\s"'`|;&<>()]{1,256}|[^\s"'`|;&<>()\\]{1,256}))/y

/** The words of a command up to what ends it: a line, a pipe, a redirection, or the quotes around it. */
function wordsFrom(text: string, from: number): Word[] {
  const words: Word[] = []
  wordExpression.lastIndex = from
  for (let match = wordExpression.exec(text); match !== null && words.length < mostWords; match = wordExpression.exec(text)) {
    const word = match[1] ?? match[2] ?? match[3] ?? ''
    const closing = match[3] === undefined ? 1 : 0
    words.push({ text: word, start: wordExpression.lastIndex - closing - word.length })
  }
  return words
}

/** `htpasswd -b[...] FILE USER PASSWORD`, and without the file where `-n` prints. */
function passwordOfFile(words: readonly Word[]): readonly (Word | undefined)[] {
  const flags = words.filter(isOption).map(word => word.text)
  if (!flags.some(flag => /^-[a-zA-Z0-9]*b/.test(flag))) return []
  const least = flags.some(flag => /^-[a-zA-Z0-9]*n/.test(flag)) ? 2 : 3
  const plain = words.filter((word, at) => !isOption(word) && !/^-[a-zA-Z0-9]*[Cr]$/.test(words[at - 1]?.text ?? ''))
  return plain.length < least ? [] : [plain.at(-1)]
}

/** `net use DEVICE SHARE PASSWORD /user:USER`, the password on either side. */
function passwordOfShare(words: readonly Word[]): readonly (Word | undefined)[] {
  if (!words.some(word => /^\/{1,2}[uU](?:ser|SER)?:/.test(word.text))) return []
  return words.filter(word => !/^[/\\]|^\w{1,4}:$/.test(word.text))
}

/** `net user NAME PASSWORD /add` */
function passwordOfUser(words: readonly Word[]): readonly (Word | undefined)[] {
  const isNew = words.some(word => /^\/{1,2}(?:add|ADD)$/.test(word.text))
  return isNew ? words.filter(word => !word.text.startsWith('/')).slice(1, 2) : []
}

/** `composer config http-basic.HOST USER PASSWORD`, `composer config --auth github-oauth.HOST TOKEN` and their like. */
function tokensOfPackages(words: readonly Word[]): readonly (Word | undefined)[] {
  const plain = words.filter(word => !isOption(word))
  const at = plain.findIndex(word => /^(?:http-basic|[a-z]+-oauth|[a-z]+-token|bearer)\../.test(word.text))
  if (at < 1 || !plain.slice(0, at).some(word => word.text === 'config')) return []
  const hasUser = /^(?:http-basic|bitbucket-oauth|forgejo-token)\./.test(plain[at]?.text ?? '')
  return plain.slice(at + (hasUser ? 2 : 1), at + 3)
}

/** `rclone obscure VALUE`, `rclone config create NAME TYPE pass VALUE` and `pass=VALUE`. */
function valuesOfRemote(words: readonly Word[]): readonly (Word | undefined)[] {
  const plain = words.filter(word => !isOption(word))
  const at = plain.findIndex(word => /^(?:obscure|reveal|config)$/.test(word.text))
  if (at < 0) return []
  if (plain[at]?.text !== 'config') return [plain[at + 1]]
  const verb = plain[at + 1]?.text ?? ''
  if (!/^(?:create|update|password)$/.test(verb)) return []
  const settings = plain.slice(at + (verb === 'create' ? 4 : 3))
  return settings.map((word, index) => (isRemoteSecret(word.text.replace(/=$/, '')) ? settings[index + 1] : valueOfPair(word)))
}

function valueOfPair(word: Word): Word | undefined {
  const equals = word.text.indexOf('=')
  if (equals < 1 || !isRemoteSecret(word.text.slice(0, equals))) return undefined
  return { text: word.text.slice(equals + 1), start: word.start + equals + 1 }
}

function isRemoteSecret(name: string): boolean {
  return name === 'pass' || name === 'key' || isSecretName(name.replace(/\d$/, ''))
}

function isOption(word: Word): boolean {
  return word.text.startsWith('-')
}
