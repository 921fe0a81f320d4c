// This very Belay: where it lives, and the line that starts it from an agent's configuration.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { quote } from './hook-command.ts'

/** The package that this code belongs to, from the sources or from the bundle. */
export function findPackage(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'bin', 'belay.cjs')) && existsSync(join(folder, 'native', 'shim.c'))) return folder
    if (dirname(folder) === folder) throw new Error(`the hook clients' sources are missing beside ${from}: install Belay again`)
  }
}

/** Agents run it in a shell of their own, which may know neither our home nor our folder. */
export function ownCommand(home: string, verb: 'statusline' | 'files'): string {
  return `BELAY_HOME=${quote(home)} exec ${quote(process.execPath)} ${quote(join(findPackage(), 'bin', 'belay.cjs'))} ${verb}`
}
