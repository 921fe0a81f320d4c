// modify: changes the tool's input, its output or the prompt by JSON pointer. Every change is a rewrite, so it is recorded and the
// permissions judge what came out. config: {target, remove: [pointer], replace: {pointer: value}, set: {pointer: value}, template: {pointer: text}}
import { isDeepStrictEqual } from 'node:util'
import { toWirePayload } from '../../event/wire-payload.ts'
import type { ConfigProblem } from '../../value/config-problem.ts'
import { none } from '../../verdict/verdict.ts'
import { answered, type Builtin, notApplicable } from './builtin.ts'
import { problemAt } from './config-schema.ts'
import { type Config, mapIn, textIn, textsIn } from './config-value.ts'
import { badSlots, fillTemplate } from './fill-template.ts'
import { getAt, type Pointer, parsePointer, removeAt, setAt } from './json-pointer.ts'
import { findTarget, toRewrite } from './rewrite-target.ts'

export const modifyBuiltin: Builtin = {
  schema: {
    target: { type: 'choice', of: ['input', 'output', 'prompt'] },
    remove: { type: 'texts' },
    replace: { type: 'map', values: { type: 'any' } },
    set: { type: 'map', values: { type: 'any' } },
    template: { type: 'map', values: { type: 'text' } },
  },
  check: checkPointers,
  run(call) {
    const { config, event } = call
    const found = findTarget(event, textIn(config, 'target'))
    if (found === null) return notApplicable(call, `${event.name} has no ${textIn(config, 'target', 'value')} that can be rewritten`)
    const changed = applyChanges(found.value, config, toWirePayload(event))
    if (!changed.ok) return notApplicable(call, changed.why)
    if (isDeepStrictEqual(changed.value, found.value)) return answered({ verdict: none() })
    const rewrite = toRewrite(found.target, changed.value)
    if (rewrite === null) return notApplicable(call, `the new ${found.target} would have the wrong type`)
    return answered({ verdict: none(), rewrite })
  },
}

type Changed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/** In this order: remove, replace (only what is there), set, template. */
function applyChanges(original: unknown, config: Config, payload: unknown): Changed {
  let value = original
  for (const text of textsIn(config, 'remove')) value = removeAt(value, pointerOf(text))
  const replacements = Object.entries(mapIn(config, 'replace')).filter(([text]) => getAt(value, pointerOf(text)) !== undefined)
  const templates: [string, string][] = []
  for (const [text, template] of Object.entries(mapIn(config, 'template'))) {
    const filled = fillTemplate(String(template), payload)
    if (!filled.ok) return filled
    templates.push([text, filled.text])
  }
  for (const [text, part] of [...replacements, ...Object.entries(mapIn(config, 'set')), ...templates]) {
    const next = setAt(value, pointerOf(text), part)
    if (next === null) return { ok: false, why: `there is no way to ${text} in the value` }
    value = next.document
  }
  return { ok: true, value }
}

function checkPointers(config: Config): ConfigProblem[] {
  const pointers = ['replace', 'set', 'template'].flatMap(key => Object.keys(mapIn(config, key)).map(text => [key, text] as const))
  const removed = textsIn(config, 'remove').map(text => ['remove', text] as const)
  const problems = [...removed, ...pointers]
    .filter(([, text]) => parsePointer(text) === null)
    .map(([key, text]) => problemAt([key], `has ${JSON.stringify(text)}, which is not a JSON pointer`, 'write /command or /a/0/b'))
  for (const [text, template] of Object.entries(mapIn(config, 'template'))) {
    for (const slot of badSlots(String(template), false)) {
      problems.push(problemAt(['template', text], `has {{${slot}}}, which is not a JSON pointer`, 'write {{/tool_input/command}}'))
    }
  }
  const changes = ['remove', 'replace', 'set', 'template'].some(key => config[key] !== undefined)
  return changes ? problems : [...problems, problemAt([], 'changes nothing', 'give it set, remove, replace or template')]
}

/** Checked when the config was. */
function pointerOf(text: string): Pointer {
  return parsePointer(text) ?? []
}
