// Write down what tools did. The hook is async: nobody waits for it, and it decides nothing.
import { createHooks } from '@belay/core'

export interface AuditLine {
  readonly session: string
  readonly tool: string
  readonly result: unknown
}

export function createAuditedHooks(write: (line: AuditLine) => Promise<void>) {
  const hooks = createHooks()
  hooks.on('PostToolUse', context => write({ session: context.sessionId, tool: context.toolName, result: context.toolOutput }), {
    async: true,
    name: 'audit log',
  })
  return hooks
}
