// How a person starts Belay where this process runs: by name, by the place of a package that lies here, or by npx, which fetches it.
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join } from 'node:path'

export function findBelay(path: string | undefined, from: readonly string[] = [process.cwd(), import.meta.dirname]): string {
  const isNamed = path?.split(delimiter).some(folder => isLasting(folder) && isProgram(join(folder, 'belay'))) === true
  if (isNamed) return 'belay'
  for (const folder of from) {
    const program = findPackage(folder)
    if (program !== null) return /^[\w@%+=:,./-]+$/.test(program) ? program : `'${program.replaceAll("'", `'\\''`)}'`
  }
  return 'npx @belay/host'
}

/** npx and npm scripts put their folder of programs on the PATH of what they start, and of nobody else. */
function isLasting(folder: string): boolean {
  return isAbsolute(folder) && !folder.replace(/\/+$/, '').endsWith('node_modules/.bin')
}

function findPackage(folder: string): string | null {
  try {
    const program = join(createRequire(join(folder, 'x.js')).resolve('@belay/host/package.json'), '..', 'bin', 'belay.cjs')
    return isProgram(program) ? program : null
  } catch {
    // There is no such package above this folder.
    return null
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
