// The commands about running agents, and those that agents call for their terminal.
import type { Command } from 'commander'
import type { CommandIo } from './io.ts'
import type { Outcome } from './program.ts'

export function addFleetCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  program
    .command('run')
    .description('run an agent under an id; it is started anew when its context window is used up')
    .usage('[--agent-id ID] -- COMMAND...')
    .argument('<command...>', 'the agent and its arguments, behind --')
    .option('--agent-id <id>', 'who it is; default AGENT_ID, else a new one')
    .action(async (command, options) => settle((await import('./run.ts')).runRun({ ...options, command }, io)))
}
