// Let harmless tools through without a question. An allow never softens a deny, nor a question that a rule or another hook asks.
import { allow, createHooks } from '@belay/core'

export const hooks = createHooks()

hooks.on('PreToolUse', 'Read|Glob|Grep', () => allow())
