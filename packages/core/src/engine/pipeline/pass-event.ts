// Takes one event through the gate, tells who listens which hooks ran, and has it recorded. Never rejects.

import { gateOf } from '../../event/table.ts'
import { errorText } from '../../value/error-text.ts'
import { deny } from '../../verdict/verdict.ts'
import type { GuardedCall } from '../guard-call.ts'
import { makeEvent } from '../make-event.ts'
import { type CallOptions, fireOptions, type PipelineParts } from './pipeline-parts.ts'

export async function passEvent(parts: PipelineParts, name: string, payload: object, options: CallOptions): Promise<GuardedCall> {
  const event = makeEvent(name, payload, parts.caller, options)
  const guarded = await parts.gate.pass(event, fireOptions(parts, options))
  if (parts.onHook !== null) tellHooks(parts, guarded)
  return parts.record === null ? guarded : keep(parts, guarded)
}

function tellHooks({ onHook }: PipelineParts, { fired }: GuardedCall): void {
  const { name, fields } = fired.event
  const toolUseId = typeof fields.toolUseId === 'string' ? fields.toolUseId : null
  for (const run of fired.report.runs) onHook?.({ event: name, toolUseId, run })
  for (const end of fired.background) void end.then(run => onHook?.({ event: name, toolUseId, run }))
}

/** What cannot be recorded must not happen; what has happened already is only told. */
async function keep({ record, gate }: PipelineParts, guarded: GuardedCall): Promise<GuardedCall> {
  try {
    await record?.(guarded, gate)
    return guarded
  } catch (error) {
    const why = `it could not be recorded: ${errorText(error)}`
    if (gateOf(guarded.fired.event.name) === 'tool') return { ...guarded, verdict: deny(why) }
    return { ...guarded, fired: { ...guarded.fired, messages: [...guarded.fired.messages, why] } }
  }
}
