// belay dehydrate [JSON|-]: what the next session needs to know, handed over before this one is full.
import { type CommandIo, type ExitCode, fail, textPieces } from '../terminal/io.ts'
import { parseObject, runVerb } from './state-call.ts'

export async function runDehydrate(given: string | undefined, options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  let text = given ?? '-'
  if (text === '-') {
    text = ''
    for await (const piece of textPieces(io.stdin)) text += piece
  }
  const payload = parseObject(text)
  if (!payload.ok)
    return fail(
      io,
      `the hand-over cannot be read: ${payload.why}`,
      `write it as JSON: {"summary": "", "done": [], "remaining": [], "decisions": [], "files": [], "nextStep": ""}`,
    )
  return runVerb<{ id: number }>(io, {
    method: 'session.dehydrate',
    params: { payload: payload.value },
    json: options.json,
    render: ({ id }) => `kept with session ${id}; the next session of this effort gets it`,
  })
}
