// A path as an agent wrote it -> the path it says (lexical) and the file it means (real). Rules are judged on both.
// Invariant: whatever could mean another file to the agent than to us carries a problem, and a problem is never allowed.
import type { FileView } from './file-view.ts'

export interface ResolveContext {
  readonly root: string
  readonly cwd: string
  readonly home: string
  readonly files: FileView
  /** Default: not Windows. */
  readonly platform?: string
}

export type PathProblemKind = 'empty' | 'nul' | 'hidden-character' | 'url' | 'home' | 'process' | 'windows' | 'loop' | 'denied' | 'invalid'

export interface PathProblem {
  readonly kind: PathProblemKind
  /** The best that can be decided: deny rules still hold, allow rules do not. */
  readonly decision: 'ask' | 'deny'
  readonly message: string
}

export interface ResolvedPath {
  /** Absolute, without `.`, `..` and doubled slashes, in NFC; links not followed. */
  readonly lexical: string
  /** Links followed as the kernel does; null when that was not possible. */
  readonly real: string | null
  readonly problem?: PathProblem
}

/** Names without a leading dot, of letters that need no other spelling: nothing to expand, to collapse or to suspect. */
const PLAIN = /^[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/
const PLAIN_FOLDER = /^(?:\/[\w@+-][\w@+.-]*)+$/

export function resolvePath(raw: string, context: ResolveContext): ResolvedPath {
  return plainPath(raw, context) ?? anyPath(raw, context)
}

/** Most paths of most commands; null: not one of them. */
function plainPath(raw: string, { cwd, files, platform }: ResolveContext): ResolvedPath | null {
  if (platform === 'win32' || raw.length > MAX_NAME || !PLAIN.test(raw) || !PLAIN_FOLDER.test(cwd)) return null
  if (cwd.startsWith('/proc') || cwd.startsWith('/dev')) return null
  const lexical = `${cwd}/${raw}`
  const real = files.realPath(lexical)
  return real.ok ? { lexical, real: real.path === lexical ? lexical : real.path.normalize('NFC') } : null
}

function anyPath(raw: string, context: ResolveContext): ResolvedPath {
  const windows = context.platform === 'win32'
  const slashed = windows ? raw.replaceAll('\\', '/') : raw
  const absolute = ownDirectory(makeAbsolute(expandStart(slashed, context), context.cwd), context)
  const lexical = collapse(absolute)
  const problem = spellingProblem(raw, windows) ?? processProblem(lexical)
  if (problem !== null) return { lexical: lexical.normalize('NFC'), real: null, problem }
  if (standardStreams.has(lexical)) return { lexical, real: lexical }
  if (absolute.length > MAX_PATH) return { lexical: lexical.normalize('NFC'), real: null, problem: ask('invalid', realMessages.invalid) }

  const real = context.files.realPath(absolute)
  if (real.ok) return { lexical: lexical.normalize('NFC'), real: real.path.normalize('NFC') }
  return { lexical: lexical.normalize('NFC'), real: null, problem: { kind: real.why, decision: 'ask', message: realMessages[real.why] } }
}

/** Collapses `.`, `..` and doubled slashes of an absolute path without looking at any file. */
export function collapse(absolute: string): string {
  if (!absolute.startsWith('/')) return absolute
  const kept: string[] = []
  for (const segment of absolute.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

/** No system takes a longer one. */
const MAX_PATH = 4096
const MAX_NAME = 256

const realMessages = {
  loop: 'its links form a loop',
  denied: 'its links cannot be read',
  invalid: 'the file system refuses this name',
} as const

const standardStreams: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'])

function expandStart(path: string, context: ResolveContext): string {
  const start = /^(?:~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\})(?=\/|$)/.exec(path)?.[0]
  if (start === undefined) return path
  const directory = start.includes('PWD') ? context.cwd : context.home
  return directory + path.slice(start.length)
}

function makeAbsolute(path: string, cwd: string): string {
  return path.startsWith('/') ? path : `${cwd}/${path}`
}

/** `/proc/self/cwd` is the agent's directory, which we know; followed from here it would be ours. */
function ownDirectory(absolute: string, context: ResolveContext): string {
  const written = absolute.split('/').filter(segment => segment !== '' && segment !== '.')
  // `/dev/fd` is a link to `/proc/self/fd`.
  const segments = written[0] === 'dev' && written[1] === 'fd' && written[2] === '..' ? ['proc', 'self', ...written.slice(3)] : written
  if (segments[0] !== 'proc' || (segments[1] !== 'self' && segments[1] !== 'thread-self')) return absolute
  const rest = segments.slice(3).join('/')
  if (segments[2] === 'cwd') return `${context.cwd}/${rest}`
  if (segments[2] === 'root') return `/${rest}`
  return absolute
}

function spellingProblem(raw: string, windows: boolean): PathProblem | null {
  if (raw === '') return ask('empty', 'the path is empty')
  if (raw.includes('\0')) return { kind: 'nul', decision: 'deny', message: 'the path holds a NUL character' }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u115f\u1160\u3164\uffa0]/u.test(raw)) {
    return ask('hidden-character', 'the path holds control, zero-width or text-direction characters')
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(raw)) return ask('url', 'this is a URL, not a path')
  if (/^~[^/]/.test(raw)) return ask('home', "this is another user's home directory, or a name that looks like one")
  if (/^(?:~|\$)/.test(raw) && /(?:^|\/)\.\.(?:\/|$)/.test(raw)) return ask('home', 'the path leaves the directory it starts from')
  return windows ? windowsProblem(raw) : null
}

function windowsProblem(raw: string): PathProblem | null {
  if (raw.includes('\\')) return ask('windows', 'the path mixes separators; write it with /')
  if (raw.includes(':')) return ask('windows', 'the path names a drive or a stream')
  const odd = raw.split('/').some(segment => /[. ]$/.test(segment) && segment !== '.' && segment !== '..')
  if (odd) return ask('windows', 'a name ends in a dot or blank, which Windows drops')
  if (/~\d/.test(raw)) return ask('windows', 'the path may hold a short name')
  return null
}

function processProblem(lexical: string): PathProblem | null {
  if (lexical.startsWith('/dev/fd/')) return ask('process', 'this is an open file of the process, whatever that is')
  if (/^\/proc\/(?:self|thread-self|\d+)\/(?:cwd|root|fd|fdinfo|task|map_files|environ|mem)(?:\/|$)/.test(lexical)) {
    return ask('process', 'this leads into the memory, environment or open files of a process')
  }
  return null
}

function ask(kind: PathProblemKind, message: string): PathProblem {
  return { kind, decision: 'ask', message }
}
