// The line that starts this very Belay from an agent's configuration.
import { join } from 'node:path'
import { findPackage } from '../config/own-files.ts'
import { quote } from './hook-command.ts'

/** What would load code into Node; a repository can set it. */
const NO_CODE = 'NODE_OPTIONS= NODE_COMPILE_CACHE='

/** Agents run it in a shell of their own, which may know neither our home nor our folder. */
export function ownCommand(home: string, verb: 'statusline' | 'files'): string {
  return `${NO_CODE} BELAY_HOME=${quote(home)} exec ${quote(process.execPath)} ${quote(join(findPackage(), 'bin', 'belay.cjs'))} ${verb}`
}
