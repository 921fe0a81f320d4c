// hooks.userPrompt: where the agent stands, as a line for the model and as fields.
import type { HookOutcome } from './hook-method.ts'

export function answerUserPrompt({ view }: HookOutcome) {
  const { session, effort, facts } = view
  return {
    sessionContext: facts.sessionContext ?? null,
    effortId: effort?.id ?? null,
    sessionId: session?.id ?? null,
    taskDir: effort?.taskDir ?? null,
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    heartbeat: effort === null ? null : (session?.heartbeat ?? null),
  }
}
