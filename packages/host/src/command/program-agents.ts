// The commands that put Belay between a person's agents and their tools.
import { type Command, Option } from 'commander'
import type { CommandIo } from './io.ts'
import type { Outcome } from './program.ts'

export function addAgentCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  const scope = () => new Option('--scope <scope>', 'your own settings, or those of this project').choices(['user', 'project'])
  program
    .command('install')
    .description('put Belay into an agent: its hooks call the daemon')
    .argument('<agent>', 'claude-code, codex, gemini ...')
    .addOption(scope())
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action(async (agent, options) => settle((await import('./install.ts')).runInstall({ ...options, agent }, io)))
  program
    .command('uninstall')
    .description('take Belay out of an agent again (for people)')
    .argument('<agent>', 'claude-code, codex, gemini ...')
    .addOption(scope())
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action(async (agent, options) => settle((await import('./uninstall.ts')).runUninstall({ ...options, agent }, io)))
}
