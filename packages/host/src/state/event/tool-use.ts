// Before a tool: the heartbeat counts, the window's fill is looked at. After it: what waits for the model is handed over, once.
import { filePath, isProgress, noteBegun, refreshUsage } from '../call-count.ts'
import { deliverInjections } from '../deliver.ts'
import { discoverDirectives, ownInstructions } from '../directive.ts'
import { useHandOvers } from '../hand-over.ts'
import { changeStatus } from '../status.ts'
import { touchedFolders } from '../touched-folder.ts'
import { keepMessage } from '../window.ts'
import type { WorkParts } from '../work-parts.ts'
import type { SessionRow } from '../work-row.ts'
import { toolOf, type WorkView } from '../work-view.ts'
import { readDialogue } from './dialogue.ts'
import type { EventWork } from './event-work.ts'
import { runOfCall, runSkill } from './skill-run.ts'

/** An agent that takes no text anywhere must not pile it up. */
const MAX_WAITING = 100

export const preToolUse: EventWork = {
  before(parts, view) {
    if (!view.isRepeat) changeStatus(parts, view.agent, 'working')
    const { session, effort } = view
    if (session === null) return undefined
    session.lastHeartbeat = parts.now()
    if (effort !== null) noteBegun(parts, view, session)
    parts.rows.changed(session)
    return effort === null ? undefined : refreshUsage(parts, view, session).then(() => parts.rows.changed(session))
  },
}

export const postToolUse: EventWork = {
  async after(parts, view) {
    if (!view.isRepeat) changeStatus(parts, view.agent, 'working')
    const begun = await runSkill(parts, view, runOfCall(view))
    const { session } = view
    if (session === null) return begun
    view.facts.dialogue = null
    if (view.effort !== null && !view.isRepeat) await noteCall(parts, view, session)
    return [...begun, ...deliverInjections(parts, view)]
  },
}

async function noteCall(parts: WorkParts, view: WorkView, session: SessionRow): Promise<void> {
  const { effort, call } = view
  if (effort === null) return
  const { tool, input } = toolOf(call.event)
  const path = filePath(input, call.event.cwd)
  if (tool === 'Read' && path !== null) session.loadedFiles.add(path)
  if (isProgress(view)) await beat(parts, session)
  const dialogue = tool === 'AskUserQuestion' ? readDialogue(input, call.event.fields.toolResponse) : null
  if (dialogue !== null) {
    view.facts.dialogue = parts.redact(dialogue)
    await keepMessage(parts, session, { role: 'dialogue', content: dialogue, toolName: tool })
  }
  const folders = touchedFolders({ tool, input }, { ...parts, root: call.root, cwd: call.event.cwd })
  for (const each of await windowsToTell(parts, view, session)) {
    const reader = { session: each, own: ownInstructions(each.agentKind) }
    const found = folders.flatMap(folder => discoverDirectives(effort, reader, folder, parts.directives))
    if (found.length > 0) parts.rows.changed(effort)
    each.injections = [...each.injections, ...found].slice(-MAX_WAITING)
    parts.rows.changed(each)
  }
}

/** What a sub-agent comes across holds for the agent that started it too. */
async function windowsToTell({ rows }: WorkParts, { call, effort }: WorkView, session: SessionRow): Promise<readonly SessionRow[]> {
  if (session.subagent === null) return [session]
  const main = await rows.session({ agentKind: call.event.agent, hostSession: call.event.sessionId, subagent: null })
  return main === null || main.effortId !== effort?.id ? [session] : [session, main]
}

/** Progress was reported: the counter starts again. */
export async function beat(parts: WorkParts, session: SessionRow): Promise<void> {
  if (session.receivedFrom !== null) await useHandOver(parts, session)
  session.heartbeat = 0
  session.lastEdited = null
  session.lastHeartbeat = parts.now()
  parts.rows.changed(session)
}

async function useHandOver({ rows, store }: WorkParts, session: SessionRow): Promise<void> {
  await rows.flush()
  await store.transact(tx => useHandOvers(tx, [session.id]))
  session.receivedFrom = null
}
