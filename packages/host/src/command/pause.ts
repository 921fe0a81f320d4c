// belay pause DURATION | off: a person's switch. Everything is recorded meanwhile, nothing decided.
import type { CommandIo, ExitCode } from '../terminal/io.ts'
import { runVerb } from './state-call.ts'

export async function runPause(
  duration: string,
  options: { readonly reason?: string; readonly json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  if (duration === 'off') return runVerb(io, { method: 'daemon.resume', json: options.json, render: () => 'decisions are made again' })
  return runVerb<{ until: string }>(io, {
    method: 'daemon.pause',
    params: { duration, reason: options.reason },
    json: options.json,
    render: ({ until }) => `nothing is decided until ${until}; everything is recorded (belay pause off ends it)`,
  })
}
