// The commands about this machine's team.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { wholeNumber } from './whole-number.ts'

const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

export function addTeamCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  program
    .command('join <url> <token>')
    .description("send this machine's ledger to a team's hub, which checks and cosigns it; calls never wait for it (for people)")
    .option('--name <name>', "as the team sees this machine; default: the host's name")
    .option('--label <name=value>', 'what this machine is called by; may be given again', several)
    .option(
      '--upload <mode>',
      'index: who, when, tool, verdict, rule and hashes; bodies: whole entries; none: only how the machine is',
      'index',
    )
    .option('--erase <pointer>', 'with --upload bodies: a JSON pointer whose value is never sent; may be given again', several)
    .option('--no-approvals', 'what waits for a person here is decided here alone, and not shown to the team')
    .option('--no-hand-overs', 'what a session leaves for the next one is not sent, so no other machine gets it')
    .option('--ca <file>', 'where the hub has a certificate of your own: that of its issuer, in PEM')
    .option('--rate <kib>', 'at most so many KiB a second', wholeNumber(1), 1024)
    .option('--json', 'print JSON')
    .action(async (url, token, options) => settle((await import('./team.ts')).runJoin(url, token, options, io)))
  program
    .command('leave')
    .description('send nothing more to the hub, and tell it so (for people)')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./team.ts')).runLeave(options, io)))
  const team = program.command('team').description("this machine and its team's hub")
  team
    .command('status')
    .description('which hub, how much of the ledger it holds and has cosigned, and what is wrong')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./team.ts')).runTeamStatus(options, io)))
  const token = ['--token-file <file>', 'a file with your token at the hub; default: BELAY_HUB_TOKEN'] as const
  team
    .command('approvals')
    .description('what waits for a person on the machines of the team (for people)')
    .option('--all', 'also what was decided')
    .option(...token)
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./team-approvals.ts')).runTeamApprovals(options, io)))
  team
    .command('decide <machine> <id> <decision>')
    .description('allow or deny what waits on a machine of the team, by the hub (for people)')
    .option('--note <text>', 'why, for the agent and the record')
    .option(...token)
    .option('--json', 'print JSON')
    .action(async (machine, id, decision, options) =>
      settle((await import('./team-approvals.ts')).runTeamDecide({ machine, id, decision }, options, io)),
    )
}
