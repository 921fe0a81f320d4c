// The commands about policies as code: policy test and its like, beside policy trust.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'
import { examples, given, type Settle, settleInto, withJson } from './program-parts.ts'

export function addPolicyCodeCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle = settleInto(outcome)
  const policy = program.command('policy').description('policies as code: test them, and trust in policy files')
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
