// The command line of the hub: runs one command and says how it ended.
import { CommanderError } from 'commander'
import { describeFailure } from './command/describe-failure.ts'
import type { HubIo } from './command/open-hub.ts'
import { createProgram } from './command/program.ts'
import { HubProblem } from './database/hub-problem.ts'

const terminal: HubIo = {
  env: process.env,
  out: text => void process.stdout.write(text),
  err: text => void process.stderr.write(text),
}

export async function main(argv: readonly string[], io: HubIo = terminal): Promise<void> {
  // Whoever read our words may be gone: no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  process.exitCode = await run(argv, io)
}

/** 0: done. 1: a check says no. 2: it could not be done. */
export async function run(argv: readonly string[], io: HubIo): Promise<number> {
  const outcome = { code: 0 }
  try {
    await createProgram(io, outcome).parseAsync([...argv], { from: 'user' })
    return outcome.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const said = error instanceof HubProblem ? error.message : describeFailure(error)
    if (said === undefined) throw error
    io.err(`belay-hub: ${said}\n`)
    return 2
  }
}
