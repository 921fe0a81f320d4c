// Makes a folder of this user and what is missing above it. Node's own way never comes back where a file system says that nothing is there
// while the folder above is, as /proc does: here every step is tried once.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.push(at)
  for (const path of missing.reverse()) {
    try {
      await mkdir(path, { mode: 0o700 })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT') throw new Error(`${path} cannot be made: ${dirname(path)} takes no folders. Choose another place.`)
      // Another process may have been faster.
      if (code !== 'EEXIST') throw error
    }
  }
}
