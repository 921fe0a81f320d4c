// The commands about running agents, and those that agents call for their terminal.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { wholeNumber } from './whole-number.ts'

export function addFleetCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  program
    .command('run')
    .description('run an agent under an id; it is started anew when its context window is used up')
    .usage('[--agent-id ID] [--actor ROLE] -- COMMAND...')
    .argument('<command...>', 'the agent and its arguments, behind --')
    .option('--agent-id <id>', 'who it is; default AGENT_ID, else a new one')
    .option('--actor <role>', 'the role that its calls are judged in, such as reviewer; the daemon must run')
    .action(async (command, options) => settle((await import('./run.ts')).runRun({ ...options, command }, io)))
  const fleet = program
    .command('fleet')
    .description('every agent: status, task, effort, phase, heartbeat, context; what needs a person first')
    .option('--watch', 'live; q quits, Enter marks the selected agent as checked')
    .option('--bell', 'with --watch: ring when an agent wants a person')
    .option('--team', 'agents and efforts of all machines of the team, as its hub knows them')
    .option('--json', 'print JSON')
    .action(async options =>
      settle(
        options.team === true
          ? (await import('./fleet-team.ts')).runFleetTeam(options, io)
          : (await import('./fleet.ts')).runFleet(options, io),
      ),
    )
  fleet
    .command('tmux')
    .description('paint the panes of tmux by the status of the agent in each')
    .option('--watch', 'go on until it is ended; a pane in front of you counts as checked')
    .option('--off', 'take the colours away')
    .option('--json', 'print JSON')
    .action(async (_options, command) => settle((await import('./fleet-tmux.ts')).runFleetTmux(command.optsWithGlobals(), io)))
  program
    .command('statusline')
    .description('a line for the status line of an agent, whose JSON is on stdin; keeps its context usage (called by agents)')
    .option('--agent <agent>', 'which agent', 'claude-code')
    .action(async ({ agent }) => settle((await import('./statusline.ts')).runStatusline(agent, io)))
  program
    .command('files')
    .description('files that fit what was typed, best first (called by agents)')
    .argument('[query]', 'default: {"query", "cwd"} on stdin')
    .option('--limit <n>', 'how many', wholeNumber(1))
    .option('--json', 'print JSON')
    .action(async (query, options) =>
      settle((await import('./files.ts')).runFiles({ ...options, ...(query === undefined ? {} : { query }) }, io)),
    )
}
