// The commands that put Belay between a person's agents and their tools.
import { type Command, Option } from 'commander'
import { type CommandIo, fail } from '../terminal/io.ts'
import type { Outcome } from './program.ts'

export function addAgentCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = async (code: number | Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  const scope = () => new Option('--scope <scope>', 'your own settings, or those of this project').choices(['user', 'project'])
  program
    .command('init')
    .description('guard this project: a policy, the agents found here, the daemon')
    .option('--undo', 'take back what init did here; what other projects need stays')
    .option('--dry-run', 'only show what would change')
    .option('--checkpoints <place>', 'also keep signed checkpoints of the record there: a file, git:REPOSITORY, or a URL')
    .option('--json', 'print JSON')
    .action(async options => settle((await import('./init.ts')).runInit(options, io)))
  program
    .command('install')
    .description('put Belay into an agent: its hooks call the daemon')
    .argument('[agent]', 'claude-code, codex, gemini ...')
    .addOption(scope())
    .option('--renew', 'after an update: write again what every agent has of ours, the client, and bring the database forward')
    .option('--no-status-line', 'Claude Code: leave its status line alone')
    .option('--file-suggestion', 'Claude Code: let Belay suggest files as well')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action(async (agent: string | undefined, { renew, ...options }) => {
      if (renew === true) return settle((await import('./renew.ts')).runRenew(options, io))
      if (agent === undefined)
        return settle(fail(io, 'which agent?', 'belay install claude-code, for one; after an update: belay install --renew'))
      return settle((await import('./install.ts')).runInstall({ ...options, agent }, io))
    })
  program
    .command('uninstall')
    .description('take Belay out of an agent again (for people)')
    .argument('<agent>', 'claude-code, codex, gemini ...')
    .addOption(scope())
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action(async (agent, options) => settle((await import('./uninstall.ts')).runUninstall({ ...options, agent }, io)))
  program
    .command('import')
    .description("take an agent's own permission rules and hooks over into the policy")
    .argument('<agent>', 'claude-code, codex, gemini ...')
    .addOption(scope())
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action(async (agent, options) => settle((await import('./import.ts')).runImport({ ...options, agent }, io)))
  program
    .command('doctor')
    .description('prove that the guard works: daemon, policy, wiring, a live call, the agent itself; with a remedy for each failure')
    .argument('[agent]', 'only this agent')
    .option('--transcript <file>', 'a session of the agent: name the calls in it that Belay never saw')
    .option('--no-live', 'do not start the agents themselves (with a model of ours on this machine, and one harmless command)')
    .option('--json', 'print JSON')
    .action(async (agent, options) =>
      settle((await import('./doctor.ts')).runDoctor({ ...options, ...(agent === undefined ? {} : { agent }) }, io)),
    )
  program
    .command('conform')
    .description('try what the agent that is installed here does with our answers: deny, ask, rewrite, crash and the rest')
    .argument('[agent]', 'claude-code, codex, gemini ...; without one: which can be tried')
    .option('--program <file>', 'the agent to try; default: the one on the path')
    .option('--against <file>', 'show what differs from this row; default: the last one that was kept')
    .option('--only <text>', 'only the scenes with this case, or with this in their title; nothing is kept')
    .option('--verify <file>', 'whether a row is as it was signed, and by whom')
    .option('--md', 'print a table in Markdown')
    .option('--json', 'print the signed row')
    .addHelpText('after', CONFORM_HELP)
    .action(async (agent: string | undefined, options) =>
      settle((await import('./conform.ts')).runConformCommand({ ...options, ...(agent === undefined ? {} : { agent }) }, io)),
    )
  program
    .command('completion')
    .description('what the Tab key offers after `belay`, as a script for your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string) => settle((await import('./completion.ts')).runCompletion(shell, program, io)))
}

const CONFORM_HELP = `
The agent runs in a home of its own, with a model on this machine and a Belay of its own: no account, and nothing of yours is touched.
For each case:
  obeyed       the agent did what it was told
  degraded     it cannot do that, and what Belay put in its place held
  ignored      it did something else
  unsupported  its contract has no such thing
  untried      it could not be seen, and why

Exit code 0: all that its contract allows is obeyed; 1: it is not; 2: the agent could not be tried.

Examples:
  belay conform claude-code            after an update of Claude Code
  belay conform codex --md > codex.md
  belay conform --verify row.json`

const COMPLETION_HELP = `
Examples:
  belay completion bash >> ~/.bashrc
  belay completion zsh > "\${fpath[1]}/_belay"
  belay completion fish > ~/.config/fish/completions/belay.fish`
