// The commands about the policy of a team.
import type { Command } from 'commander'
import type { CommandIo } from '../terminal/io.ts'
import { examples, type Settle, withJson } from './program-parts.ts'
import { wholeNumber } from './whole-number.ts'

const several = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]
const TOKEN = 'a file with your token at the hub; default: BELAY_HUB_TOKEN'

export function addPolicyTeamCommands(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('key'))
    .description('the key with which you publish policies of the team; made once')
    .action(async options => settle((await import('./policy-team.ts')).runPolicyKey(options, io)))
  addPublish(policy, io, settle)
  withJson(policy.command('rollback'))
    .description('publish an earlier policy of the team again, under a new version, for all its machines')
    .argument('<version>', 'as `belay policy status` and the hub name it', wholeNumber(1))
    .option('--token-file <file>', TOKEN)
    .action(async (version, options) => settle((await import('./policy-team.ts')).runPolicyRollback(version, options, io)))
  withJson(policy.command('pull'))
    .description('fetch the policy of the team now; the daemon does that by itself. Ends with 1 where one was refused')
    .option('--from <file>', 'take a bundle from a file, where there is no network')
    .action(async options => settle((await import('./policy-team.ts')).runPolicyPull(options, io)))
  withJson(policy.command('pin'))
    .description('stay on the policy of the team that is in force here; the hub names machines that do')
    .argument('[version]', 'default: the one in force', wholeNumber(1))
    .option('--off', 'follow the team again')
    .action(async (version, options) => settle((await import('./policy-team.ts')).runPolicyPin(version, options, io)))
  withJson(policy.command('status'))
    .description('which policy of the team is in force here, since when, and what was refused. Ends with 1 where something is wrong')
    .action(async options => settle((await import('./policy-team.ts')).runPolicyStatus(options, io)))
}

function addPublish(policy: Command, io: CommandIo, settle: Settle): void {
  withJson(policy.command('publish [file...]'))
    .description("sign a policy with your key and publish it to the team's machines; default: the policy of this project")
    .option('--observe', 'decide nothing by it: record where it would decide otherwise than what is in force')
    .option('--percentage <n>', 'of the machines, the same first ones each time', wholeNumber(0), 100)
    .option('--label <name=value>', 'only machines with this label; may be given again', several)
    .option('--halt <n>', 'stop by itself above so many calls of 1,000 that it denies and the one before did not', wholeNumber(0))
    .option('--halt-calls <n>', 'with --halt: after so many calls at the earliest', wholeNumber(1), 20)
    .option('--not-before <time>', 'from then on: 2026-01-31T18:00Z, or in 2h')
    .option('--expires <time>', 'until then; afterwards the one before holds again')
    .option('--max-stale <h=mode>', 'what a machine does that has not heard of the hub for so long: 24h=keep, ask-new or deny')
    .option('--note <text>', 'why')
    .option('--from <file>', 'publish the bundle that --out has written, as it is')
    .option('--out <file>', 'write the bundle to a file and publish nothing: for belay replay --bundle, or for a machine without network')
    .option('--token-file <file>', TOKEN)
    .addHelpText(
      'after',
      examples(
        'belay policy publish --observe',
        'belay policy publish --percentage 10 --halt 5',
        'belay policy publish team.key --label site=lab --expires 7d --note "freeze"',
      ),
    )
    .action(async (files, options) => settle((await import('./policy-team.ts')).runPolicyPublish(files, options, io)))
}
