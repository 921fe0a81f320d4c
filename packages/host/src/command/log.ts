// belay log TEXT: a progress entry; the heartbeat starts again.
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'
import { runVerb } from './state-call.ts'

export async function runLog(words: readonly string[], options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const text = words.join(' ').trim()
  if (text === '') return fail(io, 'there is nothing to log', 'say what you did and what comes next: belay log "TEXT"')
  return runVerb<{ file: string }>(io, {
    method: 'effort.log',
    params: { text },
    json: options.json,
    render: ({ file }) => `logged in ${file}`,
  })
}
