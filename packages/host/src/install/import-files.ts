// The files in which an agent keeps what can be taken over, found from the place where our hooks go.
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import type { InstallPlace, Target } from './target.ts'

/** What the agent reads beside the file with our hooks, from its folder; a star is every name there. */
const BESIDE: Readonly<Partial<Record<AgentId, readonly string[]>>> = {
  'claude-code': ['settings.local.json'],
  codex: ['config.toml'],
  continue: ['settings.local.json'],
  copilot: ['*.json'],
  cursor: ['cli.json', 'cli-config.json'],
  droid: ['hooks.json', 'settings.json'],
  goose: ['../../*/hooks/hooks.json'],
  kiro: ['*.json', '../agents/*.json'],
  opencode: ['../opencode.json', '../opencode.jsonc', '../../opencode.json', '../../opencode.jsonc'],
}

export interface ImportPlaces {
  /** Where something may stand. */
  readonly looked: readonly string[]
  readonly found: readonly string[]
}

export function findImportFiles(target: Target, place: InstallPlace): ImportPlaces {
  const files = target.files(place)
  const own = files.flatMap(file => (file.kind === 'shared' ? [file.path] : []))
  const folder = dirname(files[0]?.path ?? place.projectRoot)
  const beside = (BESIDE[target.agent] ?? []).map(path => resolve(folder, path))
  const looked = [...new Set([...own, ...beside])]
  return { looked, found: [...new Set(looked.flatMap(expand))] }
}

function expand(path: string): readonly string[] {
  const folder = dirname(path)
  if (basename(path) === '*.json') return namesIn(folder, '.json').map(name => join(folder, name))
  const [above, below] = path.split('/*/')
  if (above !== undefined && below !== undefined) return namesIn(above, '').flatMap(name => expand(join(above, name, below)))
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? [path] : []
}

function namesIn(folder: string, ending: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(folder)
    .filter(name => name.endsWith(ending))
    .sort()
}
