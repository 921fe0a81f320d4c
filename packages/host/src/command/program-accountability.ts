// The commands about who answers for what: commitments, approvals, and why a call was decided as it was.
import type { Command } from 'commander'
import type { OperationName } from '../commitment/operation.ts'
import type { CommandIo } from '../terminal/io.ts'
import type { Outcome } from './program.ts'

type Settle = (code: number | Promise<number>) => Promise<void>

export function addAccountabilityCommands(program: Command, io: CommandIo, outcome: Outcome): void {
  const settle: Settle = async code => {
    outcome.code = await code
  }
  addMaking(program, io, settle)
  addChanging(program, io, settle)
  addReviewing(program, io, settle)
  addCommitments(program, io, settle)
  addApprovals(program, io, settle)
  json(
    program
      .command('why')
      .description('explain a decision from its record; default: the last denial in this project')
      .argument('[id]', 'of an entry or a call')
      .option('--all', 'the last denial of any project'),
  ).action(async (id, options) => settle((await import('./why.ts')).runWhy({ ...options, ...(id === undefined ? {} : { id }) }, io)))
}

function addMaking(program: Command, io: CommandIo, settle: Settle): void {
  json(tags(program.command('capture').description('note something worth keeping').argument('<text...>'))).action(async (words, options) =>
    settle(operate('capture', { words, ...options }, io)),
  )
  json(
    tags(
      program
        .command('commit')
        .description('promise a piece of work')
        .argument('<text...>')
        .option('--source <id>', 'the memory it comes from')
        .option('--tier <tier>', 't1 closes by itself, t2 too but can be reopened for a day, t3 is reviewed')
        .option('--review', 'somebody else has to approve it'),
    ),
  ).action(async (words, options) => settle(operate('commit', { words, ...options }, io)))
}

function addChanging(program: Command, io: CommandIo, settle: Settle): void {
  const verbs: readonly (readonly [OperationName, string])[] = [
    ['claim', 'take a commitment on'],
    ['release', 'give it back'],
    ['annotate', 'say something about it'],
    ['submit', 'hand it in'],
    ['close', 'finish it, where no review is needed'],
    ['dismiss', 'drop it, with a reason'],
    ['reopen', 'open it again, with a reason'],
  ]
  for (const [name, description] of verbs) {
    json(program.command(name).description(description).argument('<id>').argument('[text...]')).action(async (target, words, options) =>
      settle(operate(name, { target, words, ...options }, io)),
    )
  }
  json(
    program
      .command('evidence')
      .description('attach proof to a commitment')
      .argument('<id>')
      .argument('[summary...]')
      .option('--kind <kind>', 'build, test, pr, review, screenshot or custom')
      .option('--status <status>', 'such as passed or failed')
      .option('--url <url>', 'where it can be seen')
      .option('--log <text>', 'what was printed'),
  ).action(async (target, words, options) => settle(operate('evidence', { target, words, ...options }, io)))
}

function addReviewing(program: Command, io: CommandIo, settle: Settle): void {
  for (const [name, description] of [
    ['approve', 'accept what somebody else handed in'],
    ['reject', 'send it back, with a reason'],
  ] as const) {
    json(program.command(name).description(description).argument('<id>').argument('[text...]')).action(async (target, words, options) =>
      settle(operate(name, { target, words, ...options }, io)),
    )
  }
  json(
    program
      .command('link')
      .description('say that two belong together')
      .argument('<source>')
      .argument('<target>')
      .option('--as <relation>', 'such as blocks, duplicates, relates_to'),
  ).action(async (source, target, { as, ...options }) =>
    settle(operate('link', { source, target, ...(as === undefined ? {} : { relation: as }), ...options }, io)),
  )
  json(
    tags(
      program
        .command('triage')
        .description('set tier, review and tags')
        .argument('<id>')
        .argument('[note...]')
        .option('--tier <tier>', 't1, t2 or t3')
        .option('--review', 'somebody else has to approve it')
        .option('--no-review', 'nobody has to'),
    ),
  ).action(async (target, words, options) => settle(operate('triage', { target, words, ...options }, io)))
}

function addCommitments(program: Command, io: CommandIo, settle: Settle): void {
  const commitments = program.command('commitments').description('what was promised, and how it stands')
  json(
    commitments
      .command('list', { isDefault: true })
      .description('the commitments of this project')
      .option('--state <state>', 'open, claimed, in_review or closed')
      .option('--claimed-by <actor>', 'who holds it')
      .option('--tag <tag>')
      .option('--all', 'of every project'),
  ).action(async options => settle((await import('./commitments.ts')).runCommitments(options, io)))
  json(commitments.command('show').description('one of them with its history').argument('<id>')).action(async (id, options) =>
    settle((await import('./commitments.ts')).runCommitmentShow(id, options, io)),
  )
  json(commitments.command('import').description('a JSONL ledger of envelopes (for people)').argument('<file>')).action(
    async (file, options) => settle((await import('./commitments.ts')).runCommitmentImport(file, options, io)),
  )
  commitments
    .command('export')
    .description('as JSONL envelopes')
    .action(async () => settle((await import('./commitments.ts')).runCommitmentExport(io)))
}

function addApprovals(program: Command, io: CommandIo, settle: Settle): void {
  const approvals = program.command('approvals').description('calls that wait for a person')
  json(
    approvals
      .command('list', { isDefault: true })
      .description('what waits')
      .option('--watch', 'stay, and decide what comes with one key (a, d, A); agents are held meanwhile')
      .option('--all', 'also what is over'),
  ).action(async options => settle((await import('./approvals.ts')).runApprovals(options, io)))
  const decide = (name: 'allow' | 'deny', description: string): Command =>
    json(approvals.command(name).description(description).argument('<id...>').option('--note <text>', 'why; the agent reads it'))
  decide('allow', 'let exactly this call through, once (for people, at a terminal)')
    .option('--always <pattern>', 'and add an allow rule to the policy')
    .action(async (ids, options) =>
      settle((await import('./approvals-decide.ts')).runApprovalsDecide({ decision: 'allow', ids, ...options }, io)),
    )
  decide('deny', 'refuse it (for people, at a terminal)').action(async (ids, options) =>
    settle((await import('./approvals-decide.ts')).runApprovalsDecide({ decision: 'deny', ids, ...options }, io)),
  )
}

async function operate(
  name: OperationName,
  options: Parameters<typeof import('./commit-operation.ts').runOperation>[1],
  io: CommandIo,
): Promise<number> {
  return (await import('./commit-operation.ts')).runOperation(name, options, io)
}

function json(command: Command): Command {
  return command.option('--json', 'print JSON')
}

function tags(command: Command): Command {
  return command.option('--tag <tag>', 'may be given several times', (tag: string, all: readonly string[]) => [...all, tag], [])
}
