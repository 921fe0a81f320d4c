// How the agent that made a call starts Belay in its own shell: by its PATH, as it says it, or as the process that started the client has it.
import { readEnvironment } from '../approval/process-facts.ts'
import { ownCommand } from '../config/own-command.ts'
import type { HookCall } from './hook-call.ts'

/** `ourPath` stands in where the agent's is not known. */
export function readerCommand({ path, parentPid }: Pick<HookCall, 'path' | 'parentPid'>, ourPath: string | undefined): string {
  return ownCommand(path ?? parentPath(parentPid) ?? ourPath)
}

function parentPath(pid: number | null): string | undefined {
  return pid === null ? undefined : readEnvironment(pid)?.PATH
}
