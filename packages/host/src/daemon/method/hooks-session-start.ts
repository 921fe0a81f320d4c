// hooks.sessionStart: the effort this agent continues, and what its new window needs.
import type { SkillBook } from '../../state/skill.ts'
import type { HookOutcome } from './hook-method.ts'

export function answerSessionStart({ view }: HookOutcome, skills: SkillBook) {
  const { effort, session, facts } = view
  return {
    found: effort !== null,
    effortId: effort?.id ?? null,
    sessionId: session?.id ?? null,
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    filesToPreload: facts.filesToPreload ?? [],
    dehydratedContext: facts.dehydrated ?? null,
    skillConfig: effort === null ? null : skills.find(effort.projectRoot, effort.skill),
  }
}
