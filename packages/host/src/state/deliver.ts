// Hands over what waits for the model, once: after a tool, or with the next prompt where the agent takes no text after tools.
import { type Agent, findAgent } from '@belay/core/adapter'
import { fitInjections } from './injection.ts'
import type { WorkParts } from './work-parts.ts'
import { type Injection, readInjections } from './work-row.ts'
import type { WorkView } from './work-view.ts'

/** What waits in the session and in the effort goes out with this answer and waits no more; where the agent cannot take it, it stays. */
export function deliverInjections(parts: WorkParts, view: WorkView): readonly string[] {
  view.facts.injections = []
  const { session } = view
  const agent = findAgent(view.call.event.agent)
  if (view.call.isReplayed === true) return []
  if (session === null || agent === null || placeOf(agent) !== view.call.event.name) return []
  const waiting: readonly Injection[] = [...takeFromEffort(parts, view), ...session.injections.filter(({ kind }) => kind !== 'taken')]
  if (waiting.length === 0) return []
  session.injections = session.injections.filter(({ kind }) => kind === 'taken')
  parts.rows.changed(session)
  view.facts.injections = waiting
  return [fitInjections(waiting, agent.contextLimit)]
}

function placeOf({ can }: Agent): string | undefined {
  return ['PostToolUse', 'UserPromptSubmit'].find(event => can.injectOn.includes(event))
}

function takeFromEffort(parts: WorkParts, { effort }: WorkView): readonly Injection[] {
  if (effort === null || effort.metadata.injections === undefined) return []
  const { injections, ...metadata } = effort.metadata
  effort.metadata = metadata
  parts.rows.changed(effort)
  return readInjections(JSON.stringify(injections))
}
