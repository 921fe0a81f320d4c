// evidence_capture: what a call did becomes evidence. With `ledger: true` it is recorded durably before the hook is done.
// config: {ledger: false, kind: tool_use}
import type { HookDefinition } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import { labelHook } from '../../hook/label-hook.ts'
import { none } from '../../verdict/verdict.ts'
import { answered, type Builtin, noPort } from './builtin.ts'
import { flagIn, textIn } from './config-value.ts'
import type { HookRef } from './ports.ts'

export const evidenceCaptureBuiltin: Builtin = {
  schema: { ledger: { type: 'flag' }, kind: { type: 'text' } },
  async run(call) {
    const { config, event, ports } = call
    const kind = textIn(config, 'kind', 'tool_use')
    // Not in the ledger: it goes with the report of the run and nowhere else.
    if (!flagIn(config, 'ledger', false)) return answered({ verdict: none(), evidence: { kind, data: summarise(event) } })
    if (ports.evidence === undefined) return noPort(call, 'a ledger')
    const { id } = await ports.evidence.capture({ kind, event, hook: sourceOf(call.hook) })
    return answered({ verdict: none() }, { notes: [`recorded as ${id}`] })
  },
}

/** Whether what a call changed will be in the ledger: only then its files are read before it. */
export function recordsEvidence({ handler }: Pick<HookDefinition, 'handler'>): boolean {
  return handler.type === 'builtin' && handler.builtin === 'evidence_capture' && flagIn(handler.config, 'ledger', false)
}

function sourceOf(hook: HookDefinition): HookRef {
  return { name: labelHook(hook), scope: hook.scope, place: hook.place ?? null }
}

const SUMMARY_FIELDS = ['toolName', 'toolUseId', 'durationMs', 'error']

function summarise(event: HookEvent): Record<string, unknown> {
  const known = SUMMARY_FIELDS.filter(name => event.fields[name] !== undefined).map(name => [name, event.fields[name]])
  return { event: event.name, ...Object.fromEntries(known) }
}
