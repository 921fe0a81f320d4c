// The file that a thread is started from.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `name` is its path in the sources, without ending; `from` the URL of whoever asks, which stands beside it as compiled file by file, and in
 * the bundle at its root or in a folder of chunks. From the sources there is none.
 */
export function findWorker(from: string, name: string): string | undefined {
  const places = [`./${basename(name)}.js`, `./${name}.cjs`, `../${name}.cjs`]
  return places.map(place => fileURLToPath(new URL(place, from))).find(file => existsSync(file))
}
