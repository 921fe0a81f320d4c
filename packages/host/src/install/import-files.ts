// The files in which an agent keeps what can be taken over, found from the place where our hooks go.
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { InstallPlace, Target } from '../agent/target.ts'

export interface ImportPlaces {
  /** Where something may stand. */
  readonly looked: readonly string[]
  readonly found: readonly string[]
}

export function findImportFiles(target: Target, place: InstallPlace): ImportPlaces {
  const files = target.files(place)
  const own = files.flatMap(file => (file.kind === 'shared' ? [file.path] : []))
  const folder = dirname(files[0]?.path ?? place.projectRoot)
  const beside = HOST_AGENTS[target.agent].beside.map(path => resolve(folder, path))
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
