// A person spoke: the agent works, and is told where it stands.
import { logPath } from '../artifact.ts'
import { deliverInjections } from '../deliver.ts'
import { timeText } from '../state.ts'
import { changeStatus } from '../status.ts'
import { keepMessage } from '../window.ts'
import type { WorkView } from '../work-view.ts'
import type { EventWork } from './event-work.ts'
import { runOfPrompt, runSkill } from './skill-run.ts'

export const userPrompt: EventWork = {
  async before(parts, view) {
    if (!view.isRepeat) changeStatus(parts, view.agent, 'working')
    view.facts.sessionContext = describeSession(view, timeText(parts.now()))
    const { prompt } = view.call.event.fields
    if (view.session === null || view.effort === null || view.isRepeat || typeof prompt !== 'string') return
    await keepMessage(parts, view.session, { role: 'user', content: prompt })
  },
  async after(parts, view, { verdict }) {
    const begun = verdict.decision === 'deny' ? [] : await runSkill(parts, view, runOfPrompt(view.call.event.fields.prompt))
    if (begun.length > 0) view.facts.sessionContext = describeSession(view, timeText(parts.now()))
    const { sessionContext } = view.facts
    const texts = [...begun, ...deliverInjections(parts, view)]
    return view.effort === null || sessionContext === undefined ? texts : [sessionContext, ...texts]
  },
}

function describeSession({ session, effort }: WorkView, time: string): string {
  const parts = [
    `time ${time}`,
    ...(session === null ? [] : [`session ${session.id}`]),
    ...(effort === null
      ? []
      : [
          `skill ${effort.skill}${effort.mode === null ? '' : ` (${effort.mode})`}`,
          `phase ${effort.phase ?? 'none'}`,
          `heartbeat ${session?.heartbeat ?? 0}/${session?.interval ?? 0}`,
          `log ${logPath(effort)}`,
        ]),
  ]
  return `[Session context: ${parts.join(' | ')}]`
}
