// format_output: tidies what a tool gave before the model reads it. It keeps the shape of the output: only texts inside it change,
// because agents ignore a result that does not fit the tool. config: {strip_ansi, trim, max_length, template, fields: [pointer]}
import { toWirePayload } from '../../event/wire-payload.ts'
import { none } from '../../verdict/verdict.ts'
import { answered, type Builtin, type BuiltinCall, notApplicable } from './builtin.ts'
import { problemAt } from './config-schema.ts'
import { flagIn, numberIn, textIn, textsIn } from './config-value.ts'
import { badSlots, fillTemplate } from './fill-template.ts'
import { getAt, parsePointer, setAt } from './json-pointer.ts'
import { mapTexts } from './map-text.ts'
import { findTarget } from './rewrite-target.ts'

/** CSI, OSC, the other string sequences, and two-character escapes. */
const ANSI = /(?:\x1B\[|\x9B)[0-?]*[ -/]*[@-~]|\x1B\][^\x07\x1B]*(?:\x07|\x1B\\)|\x1B[PX^_][^\x1B]*\x1B\\|\x1B[ -/]*[0-~]/g

export const formatOutputBuiltin: Builtin = {
  schema: {
    strip_ansi: { type: 'flag' },
    trim: { type: 'flag' },
    max_length: { type: 'count' },
    template: { type: 'text' },
    fields: { type: 'texts' },
  },
  check: config => [
    ...textsIn(config, 'fields')
      .filter(text => parsePointer(text) === null)
      .map(text => problemAt(['fields'], `has ${JSON.stringify(text)}, which is not a JSON pointer`, 'write /stdout')),
    ...badSlots(textIn(config, 'template', ''), true).map(slot =>
      problemAt(['template'], `has {{${slot}}}, which is not a JSON pointer`, 'write {{.}} for the text, {{/tool_name}} for a field'),
    ),
  ],
  run(call) {
    const found = findTarget(call.event, 'output')
    if (found === null) return notApplicable(call, `${call.event.name} has no output`)
    const template = textIn(call.config, 'template')
    if (template === undefined)
      return finish(
        found.value,
        formatFields(call, found.value, text => formatText(call, text)),
      )
    const probe = fillTemplate(template, toWirePayload(call.event), '')
    if (!probe.ok) return notApplicable(call, probe.why)
    return finish(
      found.value,
      formatFields(call, found.value, text => fillIn(call, template, formatText(call, text))),
    )
  },
}

function finish(before: unknown, output: unknown) {
  return answered(output === before ? { verdict: none() } : { verdict: none(), rewrite: { output } })
}

/** The named fields, else every text. */
function formatFields(call: BuiltinCall, output: unknown, format: (text: string) => string): unknown {
  const fields = textsIn(call.config, 'fields')
  if (fields.length === 0) return mapTexts(output, format)
  let value = output
  for (const field of fields) {
    const pointer = parsePointer(field) ?? []
    const text = getAt(value, pointer)
    if (typeof text !== 'string' || format(text) === text) continue
    value = setAt(value, pointer, format(text))?.document ?? value
  }
  return value
}

function formatText({ config }: BuiltinCall, original: string): string {
  let text = original
  if (flagIn(config, 'strip_ansi', false)) text = text.replace(ANSI, '')
  if (flagIn(config, 'trim', false)) text = text.trim()
  const longest = numberIn(config, 'max_length')
  return longest === null || text.length <= longest ? text : shorten(text, longest)
}

function shorten(text: string, length: number): string {
  // Not between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}

/** The template was tried before: it only differs by its text. */
function fillIn(call: BuiltinCall, template: string, text: string): string {
  const filled = fillTemplate(template, toWirePayload(call.event), text)
  return filled.ok ? filled.text : text
}
