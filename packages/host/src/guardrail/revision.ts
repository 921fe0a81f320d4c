// What a repository stands at: its commit, and whether tags or packed refs changed since. Read from its files, because it is asked before calls.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findRepository } from '../config/repository.ts'
import { statFile } from '../disk/stat-file.ts'

/** Null: there is no repository, or it cannot be told. */
export function readRevision(folder: string): string | null {
  const repository = findRepository(folder)
  if (repository === null) return null
  const { top, common } = repository
  const head = readText(join(ownFolder(top, common), 'HEAD'))
  if (head === null) return null
  const ref = /^ref: (.+)$/.exec(head)?.[1]
  const commit = ref === undefined ? head : (readText(join(common, ref)) ?? packedCommit(common, ref))
  return [head, commit, changedAt(join(common, 'refs', 'tags')), changedAt(join(common, 'packed-refs'))].join(' ')
}

/** Of a worktree: where its own HEAD is. */
function ownFolder(top: string, common: string): string {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readText(join(top, '.git')) ?? '')?.[1]
  return named === undefined ? common : resolve(top, named)
}

function packedCommit(common: string, ref: string): string | null {
  const line = (readText(join(common, 'packed-refs')) ?? '').split('\n').find(each => each.endsWith(` ${ref}`))
  return line?.split(' ')[0] ?? null
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

function changedAt(file: string): number {
  return Number(statFile(file)?.mtimeMs ?? 0)
}
