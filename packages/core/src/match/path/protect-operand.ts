// One word of a command, as a path that self-protection knows: plain, with globs or unknown parts, relative to wherever the command may run.
import type { Word } from '../shell/shell-analysis.ts'
import { ANY_SIGN, mayNameOurs, wordSigns } from '../shell/signs.ts'
import { dropText, leadingText } from '../shell/word.ts'
import { type PathAccess, type ProtectedPaths, type Protection, protectPath, protectText, stricter } from './protect-path.ts'
import { protectWord } from './protect-word.ts'
import type { ResolvedPath } from './resolve-path.ts'

export interface OperandContext {
  readonly protectedPaths: ProtectedPaths
  /** Where the command may run; null: not known. */
  readonly bases: readonly string[] | null
  readonly resolve: (path: string, base: string) => ResolvedPath
}

export function protectOperand(access: PathAccess, word: Word, context: OperandContext): Protection | null {
  const { protectedPaths, resolve } = context
  const isAbsolute = leadingText(word).startsWith('/')
  const bases: readonly (string | null)[] = isAbsolute ? ['/'] : (context.bases ?? [null])
  let found: Protection | null = null
  for (const base of bases) {
    const isPlain = word.value !== null && !word.glob && base !== null
    const one = isPlain
      ? protectPath(access, resolve(word.value ?? '', base), protectedPaths)
      : protectWord({ word, base, access }, protectedPaths)
    found = stricter(found, one)
  }
  return found
}

/** Programs that only look at the files they are given, or to whom a path is only text. */
const ONLOOKERS: ReadonlySet<string> = new Set(
  'ls cat head tail less more wc diff cmp stat file test [ [[ echo printf find fd grep rg tree du jq cd pushd pwd sha256sum md5sum belay mentu'.split(
    ' ',
  ),
)
/** Options with which find and fd do more than look. */
const ACTIONS = /^(?:-(?:exec|ok|delete|fprint|fls).*|-[xX]|--exec.*)$/

/** Verbs of git that neither write to a file they are given nor hand it to another program. */
const GIT_ONLOOKERS: ReadonlySet<string> = new Set(
  (
    'add annotate archive blame branch cat-file check-attr check-ignore cherry commit describe diff diff-files diff-index diff-tree difftool fetch for-each-ref ' +
    'format-patch grep hash-object help log ls-files ls-remote ls-tree merge-base name-rev notes pull push rebase reflog remote reset rev-list ' +
    'rev-parse shortlog show show-branch show-ref stage status switch symbolic-ref tag update-index verify-commit verify-tag whatchanged'
  ).split(' '),
)

/** The verb may stand behind options and their values. */
function gitOnlyLooks(words: readonly Word[]): boolean {
  const verb = words.find((word, at) => at > 0 && !leadingText(word).startsWith('-') && !/^-[cC]$/.test(words[at - 1]?.value ?? ''))
  return verb === undefined || GIT_ONLOOKERS.has(verb.value ?? '')
}

export function onlyLooks(program: string, words: readonly Word[]): boolean {
  if (program === 'git') return gitOnlyLooks(words)
  return ONLOOKERS.has(program) && !words.some(word => ACTIONS.test(word.value ?? ''))
}

/** Any program but an onlooker that is handed Belay's own files may change them in ways no table knows (`tar x -C .belay`). */
export function protectMention(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  let found: Protection | null = null
  const signs = wordSigns(words)
  const { length } = context.protectedPaths.belayHome
  for (let at = 1; at < words.length; at++) {
    if (found?.decision === 'deny') break
    const word = words[at] as Word
    const isShort = word.value !== null && word.value.length < length
    if (isShort && !mayNameOurs(signs[at] ?? ANY_SIGN)) continue
    found = stricter(found, mentionIn(program, word, context))
  }
  return found ?? protectPlace(program, context) ?? protectNeighbour(program, words, context)
}

/** A bare name that is a file of the protected directory the command runs in (`cd .git/hooks && tool pre-commit`). */
function protectNeighbour(program: string, words: readonly Word[], context: OperandContext): Protection | null {
  const { bases, protectedPaths } = context
  const inside = (bases ?? []).find(base => base.includes('/.') && protectText('write', base, protectedPaths) !== null)
  if (inside === undefined) return null
  const isFile = ({ value }: Word): boolean =>
    value !== null && /^\w[\w-]*$/.test(cutOption(value)) && isThere(`${inside}/${cutOption(value)}`)
  const isThere = (path: string): boolean => protectedPaths.files.linkCount(path) > 0
  const file = words.slice(1).find(isFile)
  return file === undefined ? null : { decision: 'ask', reason: `${program} is given ${file.source}, a file of ${inside}` }
}

function cutOption(value: string): string {
  return value.slice(value.indexOf('=') + 1)
}

/** `x`, `--option=x`, `-ox`, `type:x`, `@x`: each may be the path. */
function mentionIn(program: string, word: Word, context: OperandContext): Protection | null {
  if (!isOfInterest(word, context.protectedPaths)) return null
  const text = leadingText(word)
  const cuts = new Set([0, text.indexOf('=') + 1, text.indexOf(':') + 1, text.indexOf('@') + 1, /^-\w/.test(text) ? 2 : 0])
  for (const cut of cuts) {
    const path = dropText(word, cut)
    const secret = protectOperand('read', path, context)
    if (secret !== null) return secret
    const write = protectOperand('write', path, context)
    if (write?.decision === 'deny' || (write !== null && path.value === null)) {
      return { decision: 'ask', reason: `${program} is given ${path.source}: ${write.reason}` }
    }
  }
  return null
}

/** Only what may be Belay's is looked up: the files of other programs are the business of their tables. */
function isOfInterest(word: Word, { belayHome }: ProtectedPaths): boolean {
  if (word.value === null || word.glob) return true
  return OURS.test(word.value) || word.value.includes(belayHome)
}

const OURS = /belay|mentu|genesis\.key/i

/** A command that runs in a directory of Belay's may change what lies there without naming it. */
function protectPlace(program: string, { bases, protectedPaths, resolve }: OperandContext): Protection | null {
  const isOurs = (base: string): boolean => protectPath('write', resolve('.', base), protectedPaths)?.decision === 'deny'
  const inside = (bases ?? []).find(base => !protectedPaths.roots.includes(base) && isOurs(base))
  return inside === undefined ? null : { decision: 'ask', reason: `${program} would run in ${inside}, which belongs to Belay` }
}

/** Whether some word of a command, whatever it does with it, names a protected file. `ours`: only what belongs to Belay counts. */
export function namesProtected(words: readonly Word[], ours: boolean, context: OperandContext): boolean {
  return words.slice(1).some(word => {
    const isOurs = isOfInterest(word, context.protectedPaths)
    if (!isOurs && (ours || /^(?:-|\/proc\/|\/sys\/)/.test(leadingText(word)))) return false
    const found = protectOperand(isOurs ? 'tree' : 'write', word, context)
    return found !== null && (!ours || found.decision === 'deny' || /belay/i.test(found.reason))
  })
}
