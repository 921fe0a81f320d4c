// The group `@read-only`: programs that only look, with options that only look. Reads of kept files are judged beside it.
import { parseOptions } from './parse-options.ts'
import { scanAwk } from './reader/awk.ts'
import { scanSed } from './reader/sed-script.ts'
import type { Word } from './shell-analysis.ts'
import { findProgram } from './table/find-program.ts'
import type { OptionUse } from './table/program.ts'
import { leadingText } from './word.ts'

/** None of their options writes, runs or reaches out, so their arguments may be anything. */
const PURE =
  'arch b2sum basename cat cksum cmp column comm cut df diff dirname du echo egrep expand expr false fgrep fold free grep groups head hexdump id join ls md5sum nl nproc od paste pgrep pr ps pwd readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat strings sum tac tail test tr true tsort tty type uname unexpand uptime wc whereis which whoami zcat zgrep'
/** Each option must be known and only look. */
const CHECKED = 'base32 base64 date file iconv jq rg shuf sort tree uniq xxd'
/** What else they do (`find -exec`, `sed w`) is judged for itself or looked for here. */
const SPECIAL = 'awk fd fdfind find gawk git gsed mawk nawk npm sed'
/** With `--version` alone. */
const VERSIONED =
  'bash bun cargo clang cmake deno docker gcc git go java javac kubectl make mvn node npm npx perl php pip pip3 pnpm python python3 ruby rustc terraform tsc uv yarn'

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))
const pure = set(PURE)
const checked = set(CHECKED)
const special = set(SPECIAL)
const versioned = set(VERSIONED)

/** `name`: the program, without its directory where that is trusted. */
export function isReadOnly(name: string, words: readonly Word[]): boolean {
  // `printf -v` sets a variable.
  if (name === 'printf') return words[1] === undefined || !(mayBeOption(words[1]) || leadingText(words[1]).startsWith('-v'))
  // `[` is `test`.
  if (name === '[' || pure.has(name)) return true
  if (words.length === 2 && versioned.has(name) && /^(?:--version|-v|-V)$/.test(words[1]?.value ?? '')) return true
  if (!(checked.has(name) || special.has(name)) || words.some(mayBeOption)) return false
  if (checked.has(name)) return onlyLooks(name, words)
  if (name === 'git') return isGitLook(words)
  if (name === 'npm') return /^(?:ls|list|ll|la)$/.test(words[1]?.value ?? '')
  if (/^(?:find|fd|fdfind)$/.test(name)) return !words.some(word => /^-(?:f(?:print|ls)|delete)/.test(leadingText(word)))
  return isScriptLook(name, words)
}

/** What is known only at run time may be any option, or several words. */
function mayBeOption(word: Word): boolean {
  if (word.value !== null) return false
  return leadingText(word) === '' || word.parts.some(part => part.kind === 'unknown' && part.splits)
}

const LOOKS: ReadonlySet<OptionUse> = new Set<OptionUse>([
  'flag',
  'value',
  'maybe',
  'digits',
  'read',
  'read-pattern',
  'read-regex',
  'read-type',
  'env-file',
  'named-read',
  'named-value',
])

function onlyLooks(name: string, words: readonly Word[]): boolean {
  const program = findProgram(name)
  if (program === undefined) return false
  const { options, operands, unknowns } = parseOptions(program, words, 1)
  // `date 01020304` sets the clock.
  if (name === 'date' && operands.some(at => !words[at]?.value?.startsWith('+'))) return false
  // The second file of uniq and xxd is written.
  return unknowns.length === 0 && options.every(option => LOOKS.has(option.use)) && (program.operands !== 'copy' || operands.length < 2)
}

/** sed and awk without a file of code, without writing, running or anything that cannot be read. */
function isScriptLook(name: string, words: readonly Word[]): boolean {
  const program = findProgram(name)
  if (program === undefined) return false
  const { options, operands, unknowns } = parseOptions(program, words, 1)
  if (unknowns.length > 0 || !options.every(({ use }) => use === 'sed-script' || LOOKS.has(use))) return false
  const given = options.filter(({ use }) => use === 'sed-script').map(({ value }) => value)
  const scripts = given.length > 0 ? given : [words[operands[0] ?? -1]]
  const scan = name.endsWith('sed') ? scanSed : scanAwk
  return scripts.every(script => script !== undefined && script !== null && script.value !== null && scan(script.value).every(isFileRead))
}

/** awk opens `/inet/...` as a connection. */
function isFileRead({ kind, text }: { readonly kind: string; readonly text: string | null }): boolean {
  return kind === 'read' && text !== null && !text.startsWith('/inet')
}

const GIT_LOOKS = set(
  'status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev for-each-ref show-ref show-branch grep whatchanged diff-tree diff-index diff-files count-objects check-ignore check-attr version',
)
/** Write a file or run what the configuration names; git takes beginnings of a name too. */
const GIT_ACTS = /^--(?:ou|op|ext|textc|filters|exe)|^-\w*O/
const GIT_LISTS = /^(?:-[arvl]+|--(?:all|remotes|list|show-current|verbose|no-color|merged|no-merged|contains|sort|format)(?:=.*)?)$/
const GIT_CHOOSES = /^(?:-(?=\w*l)\w*$|--(?:list|contains|merged|no-merged|sort|format))/

function isGitLook(words: readonly Word[]): boolean {
  let at = 1
  while (/^(?:--no-pager|-P)$/.test(words[at]?.value ?? '')) at++
  const verb = words[at]?.value ?? ''
  const rest = words.slice(at + 1).map(word => leadingText(word))
  const end = rest.indexOf('--')
  const flags = (end < 0 ? rest : rest.slice(0, end)).filter(text => text.startsWith('-'))
  const operands = rest.filter(text => !text.startsWith('-'))
  if (flags.some(flag => GIT_ACTS.test(flag))) return false
  if (GIT_LOOKS.has(verb)) return true
  switch (verb) {
    case 'branch':
      return flags.every(flag => GIT_LISTS.test(flag)) && (operands.length === 0 || flags.some(flag => GIT_CHOOSES.test(flag)))
    case 'tag':
      return operands.length === 0
        ? flags.every(flag => /^(?:-l|-n\d*|--(?:list|sort=.*))$/.test(flag))
        : /^(?:-l|--list)$/.test(rest[0] ?? '')
    case 'remote':
      return operands.length === 0 || operands[0] === 'get-url'
    case 'stash':
      return operands[0] === 'list' || operands[0] === 'show'
    case 'reflog':
      return operands.length === 0 || operands[0] === 'show'
    case 'worktree':
      return operands[0] === 'list'
    case 'submodule':
      return operands[0] === 'status'
    default:
      return false
  }
}

/** For the guide, which lists them.
 * @internal */
export const readOnlyPrograms: readonly string[] = [...new Set(`${PURE} printf ${CHECKED} ${SPECIAL}`.split(' '))].sort()
