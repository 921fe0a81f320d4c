// The hooks of hooks.toml, of the user and of the project: session scope, beside those of the policy.
// Invariant: a project's file that nobody has trusted runs nothing, and a policy that names its sources is obeyed.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Diagnostic, HookDefinition } from '@belay/core'
import type { GenesisPolicy, PolicyHook } from '@belay/core/policy'
import { loadConfig } from './dialect/load-config.ts'
import { homePaths } from './home.ts'
import { readRegularFile } from './read-regular-file.ts'
import { isTrusted, readTrust } from './trust.ts'

export interface HookFiles {
  readonly hooks: readonly PolicyHook[]
  readonly diagnostics: readonly Diagnostic[]
  /** The files looked for, present or not: what a watcher watches. */
  readonly files: readonly string[]
}

export interface HookFilesOptions {
  readonly root: string
  readonly home: string
  readonly policies: readonly GenesisPolicy[]
}

export function projectHookFile(root: string): string {
  return join(root, '.belay', 'hooks.toml')
}

export function loadHookFiles({ root, home, policies }: HookFilesOptions): HookFiles {
  const places = [
    { file: join(home, 'hooks.toml'), isProject: false },
    { file: projectHookFile(root), isProject: true },
  ]
  const loaded = places.map(place => loadFile(place.file, place.isProject, { root, home, policies }))
  return {
    hooks: loaded.flatMap(file => file.hooks),
    diagnostics: loaded.flatMap(file => file.diagnostics),
    files: places.map(place => place.file),
  }
}

/** What runs of them. */
export function activeFileHooks(options: HookFilesOptions): readonly HookDefinition[] {
  return loadHookFiles(options).hooks.flatMap(({ hook, inert }) => (inert === null ? [hook] : []))
}

function loadFile(file: string, isProject: boolean, { home, policies }: HookFilesOptions): Pick<HookFiles, 'hooks' | 'diagnostics'> {
  const read = readBytes(file)
  if (read === null) return { hooks: [], diagnostics: [] }
  if (read instanceof Error)
    return { hooks: [], diagnostics: [{ severity: 'error', message: read.message, place: { file, line: 1, column: 1 } }] }
  const config = loadConfig(read, { path: file, dialect: 'hooks-toml', scope: 'session' })
  const inert = inertReason(file, read, isProject, { home, policies })
  const hooks = config.hooks.flatMap(hook =>
    hook.state === 'active' && hook.definition !== null ? [{ hook: hook.definition, inert }] : [],
  )
  return { hooks, diagnostics: config.diagnostics }
}

function inertReason(
  file: string,
  bytes: Uint8Array,
  isProject: boolean,
  { home, policies }: Omit<HookFilesOptions, 'root'>,
): string | null {
  const closed = policies.find(({ hooksFrom }) => hooksFrom !== null && !hooksFrom.includes('hooks_toml'))
  if (closed !== undefined) return `${closed.file} takes hooks from ${closed.hooksFrom?.join(', ')} only`
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (!isProject || isTrusted(readTrust(homePaths(home).trust), file, hash)) return null
  return `${file} is not trusted: its hooks do not run until \`belay policy trust\``
}

function readBytes(file: string): Uint8Array | Error | null {
  try {
    return readRegularFile(file)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR') ? null : error
  }
}
