// input_sanitization: takes characters out of a tool's input or a prompt that people cannot see, and secrets that nobody should send.
// Whatever it changes is a rewrite with a note: what runs is never another command than the one that is recorded and judged.
// config: {strip_control: true, strip_bidi: true, trim: false, redact: false}
import { none } from '../../verdict/verdict.ts'
import { answered, type Builtin, type BuiltinCall, noPort, notApplicable } from './builtin.ts'
import { flagIn } from './config-value.ts'
import { mapTexts } from './map-text.ts'
import { findTarget, toRewrite } from './rewrite-target.ts'

/** C0 without tab, line feed and carriage return, DEL, C1. */
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/g
/** Marks, embeddings, overrides and isolates that make text read in another order than it runs. */
const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

interface Step {
  readonly name: string
  apply(text: string): string
}

export const inputSanitizationBuiltin: Builtin = {
  schema: { strip_control: { type: 'flag' }, strip_bidi: { type: 'flag' }, trim: { type: 'flag' }, redact: { type: 'flag' } },
  run(call) {
    const { config, event, ports } = call
    if (flagIn(config, 'redact', false) && ports.redactText === undefined) return noPort(call, 'a redactor of secrets')
    const found = findTarget(event)
    if (found === null || found.target === 'output') return notApplicable(call, `${event.name} has no input to sanitize`)
    let value = found.value
    const notes: string[] = []
    for (const step of stepsOf(call)) {
      const next = mapTexts(value, text => step.apply(text))
      if (next !== value) notes.push(`${step.name} in the ${found.target}`)
      value = next
    }
    if (notes.length === 0) return answered({ verdict: none() })
    const rewrite = toRewrite(found.target, value)
    if (rewrite === null) return notApplicable(call, `the ${found.target} has the wrong type`)
    return answered({ verdict: none(), rewrite, message: notes.join('; ') }, { notes })
  },
}

function stepsOf({ config, ports }: BuiltinCall): Step[] {
  const steps: Step[] = []
  if (flagIn(config, 'strip_control', true)) steps.push({ name: 'removed control characters', apply: text => text.replace(CONTROL, '') })
  if (flagIn(config, 'strip_bidi', true)) steps.push({ name: 'removed bidirectional controls', apply: text => text.replace(BIDI, '') })
  if (flagIn(config, 'trim', false)) steps.push({ name: 'trimmed white space', apply: text => text.trim() })
  const { redactText } = ports
  if (flagIn(config, 'redact', false) && redactText !== undefined) steps.push({ name: 'redacted secrets', apply: redactText })
  return steps
}
