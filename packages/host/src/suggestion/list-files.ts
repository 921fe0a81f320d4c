// The files somebody may mean: what git tracks or would track, else what a bounded walk finds. Paths are relative to the directory.
import { spawn } from 'node:child_process'
import { opendirSync } from 'node:fs'
import { join } from 'node:path'

const MAX_FILES = 200_000
const WALK_MS = 1000
const GIT_MS = 4000
/** Never what is meant, and often most of what is there. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv', 'target', 'dist', '.cache'])

export async function listFiles(directory: string): Promise<readonly string[]> {
  return (await listByGit(directory)) ?? walkFiles(directory, WALK_MS)
}

/** null: not a work tree, or git is not there. */
function listByGit(directory: string): Promise<readonly string[] | null> {
  return new Promise(resolve => {
    const pieces: Buffer[] = []
    const child = spawn('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', '-z'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: GIT_MS,
    })
    child.stdout.on('data', piece => pieces.push(piece))
    child.on('error', () => resolve(null))
    child.on('close', code =>
      resolve(
        code === 0
          ? Buffer.concat(pieces)
              .toString()
              .split('\0')
              .filter(path => path !== '')
          : null,
      ),
    )
  })
}

/** Breadth first, so that what is near comes before the limits are reached. */
export function walkFiles(directory: string, limitMs: number): readonly string[] {
  const until = performance.now() + limitMs
  const files: string[] = []
  const folders = ['']
  for (let next = 0; next < folders.length && files.length < MAX_FILES && performance.now() < until; next++) {
    const folder = folders[next] ?? ''
    for (const entry of readFolder(join(directory, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFolder) folders.push(path)
      else files.push(path)
    }
  }
  return files
}

/** A folder that cannot be read holds nothing; links are not followed. */
function readFolder(path: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  const entries = []
  try {
    const folder = opendirSync(path)
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (entry.isDirectory() ? !SKIPPED.has(entry.name) : entry.isFile())
          entries.push({ name: entry.name, isFolder: entry.isDirectory() })
      }
    } finally {
      folder.closeSync()
    }
  } catch {
    return entries
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
