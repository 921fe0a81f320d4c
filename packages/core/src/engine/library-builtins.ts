// What built-in hooks have in any process: conditions, files and checks of the project, a redactor, and the host's own way to ask. What needs a
// ledger comes from the host (`createSpoolRecorder`), or the hook is refused when it is registered.
import { randomBytes } from 'node:crypto'
import { gateOf } from '../event/table.ts'
import { missingPort } from '../handler/builtin/missing-port.ts'
import type { ApprovalAnswer, ApprovalQuestion, BuiltinPorts } from '../handler/builtin/ports.ts'
import { createFileValidator } from '../handler/validation/file-validator.ts'
import { BelayError } from '../hook/errors.ts'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { labelHook } from '../hook/label-hook.ts'
import { createRedactor, type Redactor } from '../ledger/redact/redactor.ts'
import { createConditionPort } from '../policy/condition/condition-port.ts'
import { formatPlace } from '../verdict/place.ts'

const KEY_BYTES = 32

export function createLibraryBuiltins() {
  let redactor: Redactor | null = null
  const told = new Set<string>()
  return {
    evaluateCondition: createConditionPort(),
    validator: createFileValidator(),
    approvals: { ask: async (question: ApprovalQuestion) => askHere(question, told) },
    redactText(text: string) {
      redactor ??= createRedactor({ key: randomBytes(KEY_BYTES) })
      return redactor.redactText(text)
    },
  } satisfies BuiltinPorts
}

/** A call is asked about as every other. At a stop it is the commitment that is held, and this process keeps none: said once. */
function askHere({ event, reason }: ApprovalQuestion, told: Set<string>): ApprovalAnswer {
  if (gateOf(event.name) === 'tool') return { state: 'ask-here' }
  if (event.commitment === null) return { state: 'not-needed' }
  const key = `${event.sessionId} ${event.commitment}`
  const isNew = !told.has(key)
  told.add(key)
  return { state: 'rejected', by: 'Belay', reason: `${reason}; ${event.commitment} is kept by the daemon, which was not asked`, isNew }
}

/** Throws on a built-in hook that could only fail, with its place. */
export function checkBuiltins(hooks: Iterable<HookDefinition>, ports: BuiltinPorts): void {
  for (const hook of hooks) {
    const missing = missingPort(hook, ports)
    if (missing === null) continue
    const place = hook.place === undefined ? '' : `${formatPlace(hook.place)}: `
    throw new BelayError(
      'BELAY_HOOK_BUILTIN',
      `${place}the ${hook.event} hook "${labelHook(hook)}" cannot work in this process: ${missing}`,
    )
  }
}
