// What a call counts for in its window: the heartbeat, and how full the window is. By the daemon, and by a client that is alone.
import { resolve } from 'node:path'
import { logPath } from './artifact.ts'
import { isEngineCall } from './engine-verb.ts'
import { readTranscriptTail } from './transcript.ts'
import type { WorkParts } from './work-parts.ts'
import type { SessionRow } from './work-row.ts'
import { toolOf, type WorkView } from './work-view.ts'

/** Tokens of a window of which nobody says more. */
export const CONTEXT_WINDOW = 200_000
const HEARTBEAT_INTERVAL = 10
const EDITS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])
const LAUNCHES = new Set(['Task', 'Agent'])

export function intervalOf({ effort }: Pick<WorkView, 'effort'>): number {
  const given = effort?.metadata.heartbeatInterval
  return typeof given === 'number' && given > 0 ? given : HEARTBEAT_INTERVAL
}

/** What the call is free from, and what it counts for. */
export function noteBegun(parts: CallParts, view: WorkView, session: SessionRow): void {
  view.exempt = exemption(parts, view, session)
  if (!view.isRepeat) countCall(view, session)
  view.facts.heartbeat = session.heartbeat
}

/** Whether the call has written the log of its effort. */
export function isProgress({ effort, call }: WorkView): boolean {
  const { tool, input } = toolOf(call.event)
  return effort !== null && EDITS.has(tool) && filePath(input, call.event.cwd) === logPath(effort)
}

export type CallParts = Pick<WorkParts, 'belayHome' | 'userHome'>

function exemption(parts: CallParts, view: WorkView, session: SessionRow): WorkView['exempt'] {
  const { event, root } = view.call
  const call = toolOf(event)
  if (isEngineCall(call, { ...parts, root, cwd: event.cwd })) return 'engine'
  if (LAUNCHES.has(call.tool)) return 'heartbeat'
  const path = filePath(call.input, event.cwd)
  if (path === null) return null
  if (call.tool === 'Read' && session.preloadedFiles.includes(path)) return 'heartbeat'
  // Writing the log is what the heartbeat asks for.
  return EDITS.has(call.tool) && view.effort !== null && path === logPath(view.effort) ? 'heartbeat' : null
}

/** Consecutive edits of one file are one piece of work. */
function countCall(view: WorkView, session: SessionRow): void {
  if (view.exempt !== null) return
  const { tool, input } = toolOf(view.call.event)
  const edited = EDITS.has(tool) ? filePath(input, view.call.event.cwd) : null
  if (edited === null || edited !== session.lastEdited) session.heartbeat += 1
  session.lastEdited = edited
}

/** How full the window is: what the payload says, else the token counts at the end of the transcript. */
export async function refreshUsage(parts: Pick<WorkParts, 'contextWindowOf'>, view: WorkView, session: SessionRow): Promise<void> {
  const { contextUsage } = view.call.event.fields
  if (typeof contextUsage === 'number') {
    session.contextUsage = contextUsage
    return
  }
  // A sub-agent's transcript is its own file, which this event does not name.
  const path = session.subagent === null ? (view.call.event.transcriptPath ?? session.transcriptPath) : null
  if (path === null) return
  session.transcriptPath = path
  const tail = await readTranscriptTail(path)
  if (tail === null || tail.size === session.transcriptOffset) return
  session.transcriptOffset = tail.size
  if (tail.tokens === null) return
  const window = session.contextWindow ?? parts.contextWindowOf(session.agentKind, tail.window)
  session.contextUsage = Math.min(1, tail.tokens / window)
}

/** The file that a call of a tool names, as a whole path. */
export function filePath(input: Readonly<Record<string, unknown>>, cwd: string): string | null {
  const path = input.file_path ?? input.notebook_path
  return typeof path === 'string' && path !== '' ? resolve(cwd, path) : null
}
