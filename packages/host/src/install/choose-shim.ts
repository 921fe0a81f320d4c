// Which client the agents start: a native one where there is a C compiler, else perl, else Node. It is always the same file,
// `$BELAY_HOME/bin/belay-hook`, so that the agents' configuration never has to change with it.
import { createHash, randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SHIM_NAME } from '../agent/hook-command.ts'
import { findPackage } from '../config/own-files.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { replaceFile } from '../disk/write-file.ts'
import { runPaths } from '../wire/run-paths.ts'
import { type BuildOptions, buildNative, buildNode, buildPerl, fingerprint, type ShimKind } from './build-shim.ts'

export interface ShimChoice {
  readonly kind: ShimKind
  readonly path: string
  /** Why not a faster one; null: this is the fastest. */
  readonly why: string | null
}

export interface ChooseOptions {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Try these only, in this order. */
  readonly kinds?: readonly ShimKind[]
}

const KINDS: readonly ShimKind[] = ['native', 'perl', 'node']

export function shimPath(home: string): string {
  return join(home, 'bin', SHIM_NAME)
}

/** What was chosen; null: nothing is installed, or the file is not the one that was built. */
export function readShim(home: string): ShimChoice | null {
  const path = shimPath(home)
  try {
    accessSync(path, constants.X_OK)
    const { kind, why, sum } = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
    return KINDS.includes(kind) && sum === sumOf(path) ? { kind, path, why: typeof why === 'string' ? why : null } : null
  } catch {
    return null
  }
}

/** What the client would start without a daemon and is not there any more: Node or Belay was moved since. Null: all is there. */
export function findLostFallback(home: string): string | null {
  const { fallback } = JSON.parse(readFileSync(`${shimPath(home)}.json`, 'utf8'))
  return Array.isArray(fallback) ? (fallback.find(path => typeof path === 'string' && !existsSync(path)) ?? null) : null
}

/** Builds the best client there can be, unless it is there already. */
export function chooseShim({ home, env, kinds = KINDS }: ChooseOptions): ShimChoice {
  const path = shimPath(home)
  const options = buildOptions(home, env)
  const mark = fingerprint({ ...options, env: NO_ENVIRONMENT }, kinds)
  const builtFor = fingerprint(options, kinds)
  const known = readShim(home)
  if (known !== null && readFacts(path).mark === mark && readFacts(path).builtFor === builtFor) return known
  makeFolder(dirname(path), 0o700)
  const choice = buildFirst(options, kinds)
  renameSync(options.path, path)
  const fallback = [options.node, options.script]
  replaceFile(`${path}.json`, `${JSON.stringify({ ...choice, fallback, mark, builtFor, sum: sumOf(path) }, null, 2)}\n`)
  return { ...choice, path }
}

/** Whether the client is the one that this version makes, whatever PATH it was built under; it is there. */
export function isCurrentShim(home: string, env: ChooseOptions['env']): boolean {
  return readFacts(shimPath(home)).mark === fingerprint({ ...buildOptions(home, env), env: NO_ENVIRONMENT }, KINDS)
}

const NO_ENVIRONMENT: ChooseOptions['env'] = {}

function buildOptions(home: string, env: ChooseOptions['env']): BuildOptions {
  const folder = findPackage()
  return {
    // Two may build at once.
    path: `${shimPath(home)}.${randomUUID()}`,
    home,
    native: join(folder, 'native'),
    node: process.execPath,
    script: join(folder, 'bin', 'belay.cjs'),
    socket: runPaths(home, env).shimSocket,
    env,
  }
}

const BUILDERS: Readonly<Record<ShimKind, (options: BuildOptions) => string | null>> = {
  native: buildNative,
  perl: buildPerl,
  node: buildNode,
}

function buildFirst(options: BuildOptions, kinds: readonly ShimKind[]): Omit<ShimChoice, 'path'> {
  const problems: string[] = []
  for (const kind of kinds) {
    const problem = BUILDERS[kind](options)
    if (problem === null) return { kind, why: problems.length === 0 ? null : problems.join('; ') }
    problems.push(problem)
  }
  throw new Error(`no hook client can be built: ${problems.join('; ')}`)
}

function sumOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function readFacts(path: string): { readonly mark?: unknown; readonly builtFor?: unknown } {
  return JSON.parse(readFileSync(`${path}.json`, 'utf8'))
}
