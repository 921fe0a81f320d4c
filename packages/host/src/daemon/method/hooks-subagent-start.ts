// hooks.subagentStart: the sub-agent's own window, and what it shares with the agent that started it.
import { logPath } from '../../state/artifact.ts'
import type { SkillBook } from '../../state/skill.ts'
import { describeState, type HookOutcome } from './hook-method.ts'

export function answerSubagentStart({ view }: HookOutcome, skills: SkillBook) {
  const { effort } = view
  const skill = effort === null ? null : skills.find(effort.projectRoot, effort.skill)
  return {
    ...describeState(view),
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    logFile: effort === null ? null : logPath(effort),
    logTemplate: skill?.templates.log ?? skill?.templates.LOG ?? null,
    directives: skill?.directives ?? [],
    metadata: effort?.metadata ?? null,
  }
}
