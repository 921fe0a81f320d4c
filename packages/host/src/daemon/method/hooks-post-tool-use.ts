// hooks.postToolUse: what waits for the model goes out with this answer, once.
import type { HookOutcome } from './hook-method.ts'

export function answerPostToolUse({ view }: HookOutcome) {
  const { session, effort, facts } = view
  return {
    heartbeatCount: effort === null ? null : (session?.heartbeat ?? null),
    pendingInjections: facts.injections ?? [],
    dialogueEntry: facts.dialogue ?? null,
  }
}
