// The commands about policies as code: policy test and its like, beside policy trust.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { examples, given, type Settle, settleInto, withJson } from './program-parts.ts'
import { addPolicyTeamCommands } from './program-policy-team.ts'

export function addPolicyCodeCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = settleInto(outcome)
  const policy = program.command('policy').description('policies as code: test them, publish them to a team, and trust in policy files')
  withJson(policy.command('trust'))
    .description(
      'accept the policy and the hooks.toml of this project as they are now, so that allow rules and hooks take effect; your own files too, where they changed. What was accepted holds until something else is: also when a file is removed, replaced or edited',
    )
    .argument('[file]', 'only this file')
    .option('--none', 'accept that files are gone: what they said no longer holds')
    .option('--restore', 'put back what was trusted last')
    .addHelpText(
      'after',
      examples('belay policy trust', 'belay policy trust .belay/hooks.toml', 'belay policy trust --none', 'belay policy trust --restore'),
    )
    .action(async (file, options) => settle((await import('./policy-trust.ts')).runPolicyTrust({ ...options, ...given({ file }) }, io)))
  addPolicyTest(policy, io, settle)
  addPolicyLint(policy, io, settle)
  addPolicyProve(policy, io, settle)
  addPolicyDiff(policy, io, settle)
  addPolicyTeamCommands(policy, io, settle)
  addReplay(program, io, settle)
  addLearn(program, io, settle)
}

function addPolicyTest(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('test'))
    .description('run the tests beside a policy (*.test.yaml): does it decide what it should? Ends with 0 (all pass), 1 (one fails) or 2')
    .argument('[file...]', 'test files; default: those in the folder of the policy of this project, and in policies/')
    .option('--mutate', 'also break the policy in small ways, and say which faults no test would find')
    .option('--fail-under <percent>', 'with --mutate: how many of these faults must be found', '95')
    .option('--junit <file>', 'write the results to a file, as JUnit XML')
    .option('--github', 'print annotations for GitHub (on by itself in GitHub Actions)')
    .addHelpText(
      'after',
      examples('belay policy test', 'belay policy test policies/strict.test.yaml --mutate', 'belay policy test --junit results.xml'),
    )
    .action(async (files, options) => settle((await import('./policy-test.ts')).runPolicyTest({ ...options, files }, io)))
}

function addReplay(program: Command, io: CommandIo, settle: Settle): void {
  withJson(program.command('replay'))
    .description('what a policy would have decided on what really happened. Ends with 0 (the same), 1 (something changed) or 2')
    .option('--policy <file>', "the policy to try, in the place of this project's own")
    .option('--bundle <file>', "or a bundle of the team's policies, in the place of those that hold (belay policy publish --out makes one)")
    .option('--since <time>', 'only calls since a date (2026-01-31) or an age (15m, 7d)')
    .option('--until <time>', 'only calls until then')
    .option('--session <id>', 'only calls of this session')
    .option('--actor <actor>', 'only calls of this actor; * stands for any text')
    .option('--all-projects', 'calls of every project, not only of this one')
    .option('--fail-on <change...>', 'end with 1 only for these changes, such as "allow->deny" or "*->allow"')
    .option('--html <file>', 'also write the result to a file, as one page')
    .addHelpText(
      'after',
      examples(
        'belay replay --policy draft.key',
        'belay replay --policy .belay/genesis.key --since 7d --fail-on "allow->deny"',
        'belay replay --bundle next.bundle --since 30d',
        'belay replay --policy draft.key --json',
      ),
    )
    .action(async options => settle((await import('./replay.ts')).runReplay(options, io)))
}

function addPolicyLint(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('lint'))
    .description('find rules that do nothing, say two things, or let through more than they look like. Ends with 0 (nothing found) or 1')
    .argument('[file...]', 'policies, or settings of agents with rules in them; default: every policy that holds here')
    .option('--fix', 'fix what is safe to fix, and write the file')
    .option('--no-prove', 'do not look for ways around each deny rule: that takes seconds')
    .addHelpText(
      'after',
      examples('belay policy lint', 'belay policy lint draft.key --fix', 'belay policy lint .claude/settings.json --json'),
    )
    .action(async (files, options) => settle((await import('./policy-lint.ts')).runPolicyLint({ ...options, files }, io)))
}

function addPolicyProve(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('prove'))
    .description(
      'search for a call that the policy lets through and that does what must never happen: none found (0), the shortest one (1)',
    )
    .argument(
      '[property]',
      "such as 'never Write(.env*)', 'never Bash(git push *)', 'never network'; default: the never lines of test files",
    )
    .option('--policy <file>', 'this policy alone; default: every policy that holds here')
    .option('--actor <actor>', 'who calls', 'agent:claude-code')
    .option('--depth <n>', 'how many commands may carry one another (0 to 3)', '2')
    .addHelpText(
      'after',
      examples(
        "belay policy prove 'never Write(.env*)'",
        "belay policy prove 'never Bash(git push *)' --policy draft.key --json",
        'belay policy prove --policy policies/strict.key',
      ),
    )
    .action(async (property, options) =>
      settle((await import('./policy-prove.ts')).runPolicyProve({ ...options, ...(property === undefined ? {} : { property }) }, io)),
    )
}

function addPolicyDiff(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('diff'))
    .description('what is different between two policies, in words and by calls that come out differently: nothing (0), something (1)')
    .argument('<before>', 'a policy')
    .argument('<after>', 'another one')
    .addHelpText('after', examples('belay policy diff .belay/genesis.key draft.key'))
    .action(async (before, after, options) => settle((await import('./policy-diff.ts')).runPolicyDiff({ ...options, before, after }, io)))
}

function addLearn(program: Command, io: CommandIo, settle: Settle): void {
  withJson(program.command('learn'))
    .description(
      'propose rules that allow what was approved and used here, no wider than that; nothing is written without --write and a yes',
    )
    .option('--actor <actor>', 'for whom', 'agent:*')
    .option('--since <time>', 'what happened since a date or an age', '30d')
    .option('--from-transcripts', "read the sessions that Claude Code and Codex keep, instead of Belay's ledger")
    .option('--write', "add the rules to this project's policy, after a question")
    .addHelpText('after', examples('belay learn', 'belay learn --from-transcripts --since 7d', 'belay learn --write'))
    .action(async options => settle((await import('./learn.ts')).runLearn(options, io)))
}
