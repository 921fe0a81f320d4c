// ledger_annotation: a note in the ledger about what just happened. config: {text (with {{pointer}} slots), tags}
import { toWirePayload } from '../../event/wire-payload.ts'
import { none } from '../../verdict/verdict.ts'
import { answered, type Builtin, noPort, notApplicable } from './builtin.ts'
import { problemAt } from './config-schema.ts'
import { textIn, textsIn } from './config-value.ts'
import { badSlots, fillTemplate } from './fill-template.ts'

export const ledgerAnnotationBuiltin: Builtin = {
  schema: { text: { type: 'text' }, tags: { type: 'texts' } },
  check(config) {
    if (textIn(config, 'text', '').trim() === '' && textsIn(config, 'tags').length === 0) {
      return [problemAt([], 'notes nothing', 'give it a text or tags')]
    }
    return badSlots(textIn(config, 'text', ''), false).map(slot =>
      problemAt(['text'], `has {{${slot}}}, which is not a JSON pointer`, 'write {{/tool_name}}'),
    )
  },
  async run(call) {
    const { config, event, ports } = call
    if (ports.annotator === undefined) return noPort(call, 'a ledger')
    const filled = fillTemplate(textIn(config, 'text', ''), toWirePayload(event))
    if (!filled.ok) return notApplicable(call, filled.why)
    const { id } = await ports.annotator.annotate({ text: filled.text, tags: textsIn(config, 'tags'), event })
    return answered({ verdict: none() }, { notes: [`recorded as ${id}`] })
  },
}
