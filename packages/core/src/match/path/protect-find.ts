// What `find` comes upon: the tests of names and paths in its expression, tried on Belay's files below the folders where it starts.
import { withoutEnd } from '../../value/without-end.ts'
import type { Word } from '../shell/shell-analysis.ts'
import { leadingText, textWord } from '../shell/word.ts'
import { nameMatches, patternTokens } from './name-pattern.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import { searchPattern } from './search-pattern.ts'

/** Names of files that a search may come upon. */
export const NAMES = [
  '.belay',
  '.mentu',
  'genesis.key',
  'hooks.toml',
  'config.toml',
  'belay.db',
  'belay-hook',
  'token',
  'daemon.sock',
  'settings.json',
]

/** Whether the search may come upon Belay's files, or an agent's settings. */
export function findReaches(words: readonly Word[], context: OperandContext): boolean {
  const { starts, branches } = readSearch(words)
  if (!holdsOurs(starts, context) || branches.flat().some(word => word.value === '-empty')) return false
  const all = foundPaths(starts, context)
  const paths = all.filter(path => !isPruned(branches, path))
  if (paths.length === 0 && all.length > 0) return false
  return branches.some(branch => mayFind(branch, paths))
}

/** `find ~ -name signing.pem -exec cat {} +`: a search that looks for Belay's keys. One for everything is not aimed at them. */
export function seeksSecrets(program: string, words: readonly Word[], context: OperandContext): boolean {
  if (program === 'fd' || program === 'fdfind') return fdSeeksSecrets(words, context)
  if (program !== 'find' && program !== 'gfind') return false
  const { starts, branches } = readSearch(words)
  const secrets = secretsBelow(starts, context)
  return branches.some(branch => {
    const aims = aimsOf(branch)
    const isAimed = aims.some(({ isTurned, fits }) => !isTurned && !fits('/x/ordinary/name.txt'))
    return isAimed && secrets.some(path => aims.every(({ isTurned, fits }) => fits(path) !== isTurned))
  })
}

/** `fd -H token ~ -x cat`. */
function fdSeeksSecrets(words: readonly Word[], context: OperandContext): boolean {
  const end = words.findIndex(word => /^(?:-[xX]|--exec.*)$/.test(word.value ?? ''))
  const [pattern, ...starts] = (end < 0 ? words : words.slice(0, end)).slice(1).filter(word => !leadingText(word).startsWith('-'))
  const fits = searchPattern(pattern?.value ?? '')
  return (
    !fits('name.txt') && secretsBelow(starts.length === 0 ? [textWord('.')] : starts, context).some(path => fits(path.replace(/^.*\//, '')))
  )
}

/** Belay's keys and tokens below the folders, as a search writes them. */
export function secretsBelow(starts: readonly Word[], context: OperandContext): readonly string[] {
  return foundPaths(starts, context).filter(path => /\/keys\/|\/run\/token$/.test(path))
}

interface Search {
  readonly starts: readonly Word[]
  /** Parts of the expression of which one is enough. */
  readonly branches: readonly (readonly Word[])[]
}

function readSearch(words: readonly Word[]): Search {
  const args = words.slice(1)
  const end = args.findIndex(word => /^(?:[(!]|-[^HLPO])/.test(leadingText(word)))
  const starts = (end < 0 ? args : args.slice(0, end)).filter(word => !/^-[HLPO]/.test(leadingText(word)))
  const branches: Word[][] = [[]]
  for (const word of end < 0 ? [] : withoutCommands(args.slice(end))) {
    if (/^(?:-o|-or|,)$/.test(word.value ?? '')) branches.push([])
    else branches.at(-1)?.push(word)
  }
  return { starts: starts.length === 0 ? [textWord('.')] : starts, branches }
}

/** What stands between `-exec` and its end is no test. */
function withoutCommands(tests: readonly Word[]): readonly Word[] {
  let isCommand = false
  return tests.filter(({ value }, at) => {
    const wasCommand = isCommand
    if (!isCommand) isCommand = /^-(?:exec|ok)/.test(value ?? '')
    else if (value === ';' || (value === '+' && tests[at - 1]?.value === '{}')) isCommand = false
    return !wasCommand
  })
}

const HOME_FILES = [
  ...['', '/config.toml', '/genesis.key', '/belay.db', '/trust.json', '/bin/belay-hook', '/run/token', '/run/daemon.sock'],
  ...['approval', 'trust', 'mirror', 'team', 'redaction', 'webhook'].map(name => `/keys/${name}.key`),
  ...['signing', 'login', 'publisher'].map(name => `/keys/${name}.pem`),
]

/** What is protected below the starts, as find writes it. Below a start that nobody knows it may be anywhere. */
export function foundPaths(starts: readonly Word[], { protectedPaths, bases, resolve }: OperandContext): readonly string[] {
  const { anywhere, belayHome, kept, roots } = protectedPaths
  const rows = [...anywhere.values()].flat().filter(({ segments }) => segments[0]?.startsWith('.'))
  const folders = [...roots, ...kept.homes.map(home => home.slice(0, home.lastIndexOf('/')))]
  const places = [
    ...folders.flatMap(folder => [...rows.map(({ segments }) => `${folder}/${segments.join('/')}`), `${folder}/.belay/genesis.key`]),
    ...HOME_FILES.map(file => belayHome + file),
  ]
  return starts.flatMap(({ value, glob }) => {
    if (value === null || glob || bases === null) return HOME_FILES.map(file => `/.belay${file}`)
    const written = withoutEnd(value, '/')
    const resolved = bases.map(base => resolve(value, base))
    const tops = new Set(resolved.flatMap(({ lexical, real }) => [lexical, real ?? lexical].map(top => top.replace(/\/$/, ''))))
    return [...tops].flatMap(top => places.filter(place => place.startsWith(`${top}/`)).map(place => written + place.slice(top.length)))
  })
}

interface Aim {
  readonly pattern: string | null
  readonly isName: boolean
  /** `! -path x` */
  readonly isTurned: boolean
  readonly fits: (path: string) => boolean
}

/** Tests of the name and of the whole path. What is known only at run time may be any; what is turned twice, or in brackets, says nothing. */
function aimsOf(branch: readonly Word[]): readonly Aim[] {
  const valueAt = (at: number): string => branch[at]?.value ?? ''
  if (branch.some((_, at) => TURN.test(valueAt(at)) && /^(?:!|-not|\()$/.test(valueAt(at + 1)))) return []
  return branch.flatMap(({ value }, at): readonly Aim[] => {
    const test = /^-i?(name|path|wholename|regex)$/.exec(valueAt(at - 1))?.[1]
    if (test === undefined) return []
    const isName = test === 'name'
    const isTurned = TURN.test(valueAt(at - 2))
    if (value === null) return isTurned ? [] : [{ pattern: value, isName, isTurned, fits: () => true }]
    const holds = test === 'regex' ? searchPattern(value) : null
    const tokens = patternTokens(value, true)
    const fits = (path: string): boolean => holds?.(path) ?? nameMatches(tokens, isName ? path.slice(path.lastIndexOf('/') + 1) : path)
    return [{ pattern: value, isName, isTurned, fits }]
  })
}

const TURN = /^(?:!|-not)$/
const ACTION = /^-(?:exec|ok|print|fprint|ls|fls|delete)/

/** `-path ./x -prune -o ... -print`: only where another branch acts; alone find writes the folder out. */
function isPruned(branches: readonly (readonly Word[])[], path: string): boolean {
  if (!branches.flat().some(({ value }) => ACTION.test(value ?? ''))) return false
  return branches.some(branch => {
    const texts = branch.map(({ value }) => value ?? '').filter(text => !/^(?:[()]|-type|d)$/.test(text))
    const [aim, ...others] = aimsOf(branch)
    if (texts.length !== 3 || texts[2] !== '-prune' || aim === undefined || others.length > 0) return false
    return foldersOf(path).some(aim.fits)
  })
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

function mayFind(branch: readonly Word[], paths: readonly string[]): boolean {
  const aims = aimsOf(branch)
  const names = aims.filter(({ isName, isTurned }) => isName && !isTurned)
  if (!names.every(({ pattern }) => NAMES.some(name => pattern === null || matchesName(pattern, name)))) return false
  const byPath = aims.filter(({ isName }) => !isName)
  return byPath.length === 0 || paths.some(path => byPath.every(({ isTurned, fits }) => fits(path) !== isTurned))
}

/** A settings file counts when it is named; a search for all of its kind is ordinary work. */
export function matchesName(pattern: string, name: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === name
  if (name === 'settings.json' || name === 'config.toml') return false
  return nameMatches(patternTokens(pattern, true), name)
}

export function holdsOurs(starts: readonly Word[], context: OperandContext): boolean {
  return starts.some(start => protectOperand('tree', start, context)?.decision === 'deny')
}
