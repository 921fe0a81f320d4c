// Hosts whose hook is code we generate or own (opencode, pi, the MCP proxy): the whole answer, in our own words.
import { reasonOf, type Sayable, type Spelled, spellJson } from '../sayable.ts'

export function encodePlugin(say: Sayable): Spelled {
  return spellJson({
    decision: say.verdict.decision,
    reason: reasonOf(say.verdict),
    input: say.input,
    prompt: say.prompt,
    output: say.output?.value,
    context: say.context,
    message: say.message,
    stop: say.stop,
  })
}
