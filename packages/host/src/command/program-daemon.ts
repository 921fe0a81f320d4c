// The commands about the daemon, and the one that agents call.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { wholeNumber } from './whole-number.ts'

export function addDaemonCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  program
    .command('up')
    .description('start the daemon; up already is fine')
    .option('--detach', 'in the background; returns when it answers')
    .option('--open', 'and the dashboard in your browser')
    .option('--port <n>', 'the loopback port; default 4517 or the next free one', wholeNumber(0, 65_535))
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./up.ts')).runUp(options, io)))
  program
    .command('dashboard')
    .description('open the page that shows every agent and every decision, through a link that works once (for people)')
    .option('--print', 'print the link instead of opening a browser')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./dashboard.ts')).runDashboard(options, io)))
  program
    .command('down')
    .description('stop the daemon; returns when it is gone (for people)')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./down.ts')).runDown(options, io)))
  program
    .command('status')
    .description('whether the daemon runs, and which policy holds here')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./status.ts')).runStatus(options, io)))
  program
    .command('logs')
    .description("the daemon's log")
    .option('-n, --lines <n>', 'how many of the last lines', wholeNumber(0), 50)
    .option('-f, --follow', 'and what comes')
    .action(async options => settle((await import('./logs.ts')).runLogs(options, io)))
  program
    .command('hook')
    .description("one hook call of an agent: payload on stdin, the agent's own answer on stdout (called by agents)")
    .requiredOption('--agent <agent>', 'claude-code, codex, gemini ...')
    .requiredOption('--event <event>', "the agent's own name of the event")
    .option('--deadline-ms <ms>', 'how long the agent waits', wholeNumber(1))
    .option('--event-id <id>', 'of a call that a faster client has begun')
    .option('--direct', 'do not ask the daemon: a faster client has')
    .option('--proof <n>', 'add this to the exit code of an answer, so that the caller can tell it from a crash', wholeNumber(1, 120))
    .action(async ({ deadlineMs, direct, ...options }) =>
      settle((await import('./hook.ts')).runHookCommand({ ...options, deadlineMs: deadlineMs ?? null, direct: direct === true }, io)),
    )
}
