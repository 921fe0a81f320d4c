// What tests and scripts use of the sources of `belay conform`: the scripted model, the agents as they are run headless, rows and their table.
// Bundled on the spot: the command itself loads it only when it is called, and ships nothing of it twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { root } from './ensure.mjs'

export const KIT = await loadKit()

async function loadKit() {
  const folder = mkdtempSync(join(tmpdir(), 'belay-kit-'))
  try {
    const bundle = await rolldown({
      cwd: root,
      input: 'packages/host/src/conform/kit.ts',
      platform: 'node',
      external: [/^libsql($|\/)/, /^@libsql\//],
      resolve: { conditionNames: ['node', 'import', 'default'], mainFields: ['module', 'main'] },
    })
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'kit.mjs' })
    await bundle.close()
    return await import(pathToFileURL(join(folder, 'kit.mjs')).href)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
