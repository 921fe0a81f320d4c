// The files that sub-agents leave behind, as the artifacts guardrail sees them. Links are not followed and nothing outside the root is touched.
// Not from `node:fs/promises`: Node loads that part of itself at the first use of `promises`, and most clients never use it.
import { promises } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { ArtifactFiles } from '@belay/core'
import { compilePathGlob, pathGlobMatches } from '@belay/core/match'

const MAX_ENTRIES = 50_000
const MAX_BYTES = 4 * 1024 * 1024
const SKIPPED = new Set(['.git', 'node_modules'])

export const artifactFiles: ArtifactFiles = {
  async find(root, pattern) {
    const glob = compilePathGlob(pattern.replace(/^\.\//, ''))
    const found = []
    for await (const path of walk(root, literalFolder(pattern))) {
      if (!pathGlobMatches(glob, path)) continue
      const { size, mtimeMs } = await promises.lstat(join(root, path))
      found.push({ path, size, modifiedMs: mtimeMs })
    }
    return found
  },
  async read(root, path) {
    const file = await inside(root, path)
    const { size } = await promises.lstat(file)
    if (size > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES} bytes`)
    return promises.readFile(file, 'utf8')
  },
  async remove(root, path) {
    await promises.rm(await inside(root, path), { force: true })
  },
}

/** The folder before the first wildcard: no need to walk the rest. */
function literalFolder(pattern: string): string {
  const literal = pattern.replace(/^\.\//, '').split(/[*?]/)[0] ?? ''
  return literal.slice(0, literal.lastIndexOf('/') + 1)
}

async function* walk(root: string, start: string): AsyncGenerator<string> {
  const waiting = [start]
  let seen = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readFolder(join(root, folder))) {
      seen += 1
      if (seen > MAX_ENTRIES) return
      const path = `${folder}${entry.name}`
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(`${path}/`)
      else if (entry.isFile()) yield path
    }
  }
}

async function readFolder(folder: string) {
  try {
    return await promises.readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

async function inside(root: string, path: string): Promise<string> {
  const file = await promises.realpath(join(root, path))
  const way = relative(await promises.realpath(root), file)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw new Error(`${path} is outside ${root}`)
  return file
}
