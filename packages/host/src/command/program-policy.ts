// The commands about policy: genesis, hooks, explain, allow, ask, deny, policy, config, decide.
import { type Command, Option } from 'commander'
import { type CommandIo, type ExitCode, printLine, textPieces } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { examples, given, type Settle, settleInto, withJson } from './program-parts.ts'

export function addPolicyCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = settleInto(outcome)
  addGenesis(program, io, settle)
  addHooks(program, io, settle)
  addJudging(program, io, settle)
  addRules(program, io, settle)
}

function addGenesis(program: Command, io: CommandIo, settle: Settle): void {
  const genesis = program.command('genesis').description('the policy file')
  withJson(genesis.command('init'))
    .description('write a commented .belay/genesis.key for the stack of this project, and trust it')
    .option('--force', 'overwrite a policy that is there')
    .addHelpText('after', examples('belay genesis init', 'belay genesis init --force'))
    .action(async options => settle((await import('./genesis-init.ts')).runGenesisInit(options, io)))
  withJson(genesis.command('validate'))
    .description('check a policy; without FILE every policy that holds in this directory')
    .argument('[file]', 'the file to check')
    .addHelpText('after', examples('belay genesis validate', 'belay genesis validate /tmp/draft.key', 'belay genesis validate --json'))
    .action(async (file, options) =>
      settle((await import('./genesis-validate.ts')).runGenesisValidate({ ...options, ...given({ file }) }, io)),
    )
  withJson(genesis.command('show'))
    .description('show the policy in force here, from every file that holds')
    .option('--actor <actor>', 'only what holds for this actor, merged over all files')
    .addHelpText('after', examples('belay genesis show', 'belay genesis show --actor agent:executor'))
    .action(async options => settle((await import('./genesis-show.ts')).runGenesisShow(options, io)))
}

function addHooks(program: Command, io: CommandIo, settle: Settle): void {
  const hooks = program.command('hooks').description('hooks of the policy')
  withJson(hooks.command('list'))
    .description('list the hooks in the order they run, with file and line')
    .option('--event <event>', 'only those of one event, such as PreToolUse')
    .addHelpText('after', examples('belay hooks list', 'belay hooks list --event Stop --json'))
    .action(async options => settle((await import('./hooks-list.ts')).runHooksList(options, io)))
  withJson(hooks.command('running'))
    .description('list the hooks that the daemon runs now, with what they tell of themselves')
    .addHelpText('after', examples('belay hooks running', 'belay hooks running --json'))
    .action(async options => settle((await import('./hooks-running.ts')).runHooksRunning(options, io)))
  withJson(hooks.command('cancel'))
    .description('stop a hook that runs now (for people): it counts as failed, and its `fail` decides')
    .argument('<id>', 'as belay hooks running shows it')
    .addHelpText('after', examples('belay hooks cancel run_1f2e3d4c'))
    .action(async (id, options) => settle((await import('./hooks-running.ts')).runHooksCancel(id, options, io)))
  withJson(hooks.command('test-pattern'))
    .description('say whether a pattern matches a call: match (0), no match (1), or what is wrong with the pattern (2)')
    .argument('<pattern>', 'such as "Bash(git *)" or "Write(src/*)"')
    .argument('<tool>', 'the tool called')
    .argument('<argument>', 'its command, path, URL or name')
    .addHelpText(
      'after',
      examples(
        'belay hooks test-pattern "Bash(git *)" Bash "git commit -m test"',
        'belay hooks test-pattern "Write(src/*)" Write src/components/Button.tsx',
        'belay hooks test-pattern "Bash(rm -rf *)" Bash "cd /tmp && rm -fr x"',
      ),
    )
    .action(async (pattern, tool, argument, options) =>
      settle((await import('./hooks-test-pattern.ts')).runTestPattern({ ...options, pattern, tool, argument }, io)),
    )
  withJson(hooks.command('simulate'))
    .description('put a call through the hooks and permissions that hold here, and show what each said')
    .requiredOption('--tool <tool>', 'the tool called')
    .requiredOption('--actor <actor>', 'who calls it, such as agent:executor')
    .addOption(new Option('--args <text>', 'the command, path, URL or name it is called with').conflicts('input'))
    .option('--input <json>', 'the whole tool input')
    .option('--event <event>', 'the event', 'PreToolUse')
    .option('--agent <agent>', 'the agent program', 'claude-code')
    .option('--skill <name...>', 'skills that are in use')
    .option('--run', 'really run command, http, prompt and agent hooks')
    .option('--as-trusted', 'judge a draft: as if the files as they are now were trusted')
    .addHelpText(
      'after',
      examples(
        'belay hooks simulate --tool Bash --args "git status" --actor agent:executor',
        `belay hooks simulate --tool Write --input '{"file_path":".env","content":"x"}' --actor agent:executor --json`,
      ),
    )
    .action(async options => settle((await import('./hooks-simulate.ts')).runSimulate(options, io)))
}

function addJudging(program: Command, io: CommandIo, settle: Settle): void {
  withJson(program.command('explain'))
    .description('show how a shell command is taken apart and which rule decides each piece')
    .argument('<command...>', 'the command, after --')
    .option('--actor <actor>', 'who runs it', 'agent:claude-code')
    .option('--agent <agent>', 'in which agent', 'claude-code')
    .option('--as-trusted', 'as if the policy were trusted')
    .addHelpText('after', examples("belay explain -- 'git add . && git push --force'", 'belay explain --actor agent:architect -- npm test'))
    .action(async (words, options) => settle((await import('./explain.ts')).runExplain({ ...options, words }, io)))
  program
    .command('decide')
    .description('judge calls given as one JSON object a line on stdin; one line out for each')
    .requiredOption('--batch', 'read lines until stdin ends')
    .addHelpText('after', examples(`echo '{"id":1,"tool":"Bash","input":{"command":"ls"},"allow":["Bash(ls *)"]}' | belay decide --batch`))
    .action(async () => settle(decideBatch(io)))
  const config = program.command('config').description('hook configurations of agents')
  withJson(config.command('inspect'))
    .description('say what a hook configuration of any agent holds, what its agent would run, and what is wrong with it')
    .argument('<file>', 'settings.json, hooks.json, hooks.toml, SKILL.md, genesis.key, ...')
    .option('--dialect <dialect>', 'read it as this dialect instead of finding out')
    .addHelpText('after', examples('belay config inspect .claude/settings.json', 'belay config inspect hooks.toml --json'))
    .action(async (file, options) => settle((await import('./config-inspect.ts')).runConfigInspect({ ...options, file }, io)))
}

function addRules(program: Command, io: CommandIo, settle: Settle): void {
  for (const effect of ['allow', 'ask', 'deny'] as const) {
    withJson(program.command(effect))
      .description(`add a rule that ${RULE_MEANING[effect]}`)
      .argument('<pattern>', 'such as "Bash(git push *)"')
      .option('--actor <actor>', 'for whom', 'agent:*')
      .addOption(new Option('--project', "in the project's policy").conflicts('user'))
      .option('--user', 'in your own policy, for every project')
      .addHelpText(
        'after',
        examples(`belay ${effect} "Bash(npm publish *)"`, `belay ${effect} "Write(docs/*)" --actor agent:executor --user`),
      )
      .action(async (pattern, options) => settle((await import('./add-rule.ts')).runAddRule({ ...options, effect, pattern }, io)))
  }
}

async function decideBatch(io: CommandIo): Promise<ExitCode> {
  const { runDecideBatch } = await import('./decide.ts')
  await runDecideBatch(textPieces(io.stdin), line => printLine(io.stdout, line))
  return 0
}

const RULE_MEANING = {
  allow: 'lets matching calls through, unless a deny or ask rule speaks',
  ask: 'asks a person about matching calls',
  deny: 'refuses matching calls, whatever else allows them',
} as const
