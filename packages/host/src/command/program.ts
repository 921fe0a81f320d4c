// Names, options and help of every command. Each command's own code is loaded when it is called.
import { Command, CommanderError } from 'commander'
import { type CommandIo, fail, failByFile, hint, withNamedErrors } from '../terminal/io.ts'
import { topics, VERSION } from './help.ts'
import { addLedgerCommands } from './ledger/program-ledger.ts'
import { describePeople, refuseCommand } from './person-only.ts'
import { addAccountabilityCommands } from './program-accountability.ts'
import { addAgentCommands } from './program-agents.ts'
import { addDaemonCommands } from './program-daemon.ts'
import { addFleetCommands } from './program-fleet.ts'
import { addPolicyCommands } from './program-policy.ts'
import { addPolicyCodeCommands } from './program-policy-code.ts'
import { addStateCommands } from './program-state.ts'
import { addTeamCommands } from './program-team.ts'
import { addThinkCommands } from './program-think.ts'

/** What a command's action reports; the last one called wins. An ExitCode, but for commands that pass another program's code on. */
export interface Outcome {
  code: number
}

export async function runProgram(argv: readonly string[], given: CommandIo): Promise<number> {
  // What the hook says is the agent's, and was named for it.
  const io = argv[0] === 'hook' ? given : withNamedErrors(given)
  const outcome: Outcome = { code: 0 }
  const program = buildProgram(io, outcome)
  const [first, topic] = argv
  if (first === 'help' && topic !== undefined && !program.commands.some(command => command.name() === topic))
    return fail(io, `there is neither a command nor a topic \`${topic}\`. Topics: ${topics().join(', ')}; belay help lists every command`)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return outcome.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error === REFUSED) return 2
    return failByFile(io, error)
  }
}

/** Why was said on stderr. */
const REFUSED = new Error('the command is for people')

export function buildProgram(io: CommandIo, outcome: Outcome): Command {
  const program = new Command('belay')
    .description('One policy, one daemon, every agent.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: text => io.stdout.write(hint(io, text)), writeErr: text => io.stderr.write(text) })
    .showSuggestionAfterError()
    .showHelpAfterError('(belay COMMAND --help explains it)')
  program.hook('preAction', async (_program, command) => {
    if ((await refuseCommand(io, command)) !== null) throw REFUSED
  })
  addPolicyCommands(program, io, outcome)
  addPolicyCodeCommands(program, io, outcome)
  addDaemonCommands(program, io, outcome)
  addAgentCommands(program, io, outcome)
  addFleetCommands(program, io, outcome)
  addStateCommands(program, io, outcome)
  addThinkCommands(program, io, outcome)
  addLedgerCommands(program, io, outcome)
  addAccountabilityCommands(program, io, outcome)
  addTeamCommands(program, io, outcome)
  describePeople(program)
  return program
}
