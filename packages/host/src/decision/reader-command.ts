// How the agent that made a call starts Belay in its own shell: by its PATH, as it says it, or as the process that started the client has it.
import { readEnvironment } from '../approval/process-facts.ts'
import { ownCommand } from '../config/own-command.ts'
import type { HookCall } from './hook-call.ts'

/** Then the folders are looked through again: somebody may have installed Belay meanwhile. */
const KNOWN_MS = 2000

let known = { path: '', command: '', until: 0 }

/** `ourPath` stands in where the agent's is not known. */
export function readerCommand({ path, parentPid }: Pick<HookCall, 'path' | 'parentPid'>, ourPath: string | undefined): string {
  const found = path ?? parentPath(parentPid) ?? ourPath
  if (found === undefined) return ownCommand(undefined)
  const now = performance.now()
  if (known.path !== found || now > known.until) known = { path: found, command: ownCommand(found), until: now + KNOWN_MS }
  return known.command
}

function parentPath(pid: number | null): string | undefined {
  return pid === null ? undefined : readEnvironment(pid)?.PATH
}
