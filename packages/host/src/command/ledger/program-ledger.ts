// Names, options and help of the ledger's commands.
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { CommandIo, ExitCode } from '../../terminal/io.ts'

type Settle = (code: ExitCode | Promise<ExitCode>) => Promise<void>

export function addLedgerCommands(program: Command, io: CommandIo, outcome: { code: number }): void {
  const settle: Settle = async code => {
    outcome.code = await code
  }
  const ledger = program.command('ledger').description('the record of everything, and its proof')
  addReading(ledger, io, settle)
  addProving(ledger, io, settle)
  addMaintenance(ledger, io, settle)
  withJson(program.command('key').description('keys that sign the ledger').command('rotate'))
    .description('sign with a new key from now on; the old one vouches for it (for people)')
    .action(async options => settle((await import('./maintain.ts')).runKeyRotate(options, io)))
  withJson(program.command('backup').argument('<file>', 'a new file'))
    .description('the whole store in one file, while it is in use; keys stay here')
    .action(async (file, options) => settle((await import('./maintain.ts')).runBackup({ ...options, file }, io)))
  withJson(program.command('restore').argument('<file>', 'a backup'))
    .description('check a backup and put it in place; what was there is kept aside (for people)')
    .action(async (file, options) => settle((await import('./maintain.ts')).runRestore({ ...options, file }, io)))
}

function addReading(ledger: Command, io: CommandIo, settle: Settle): void {
  withFilter(withJson(ledger.command('tail')))
    .description('the last entries')
    .option('-n, --lines <n>', 'how many', parseCount, 20)
    .option('-f, --follow', 'and those to come')
    .action(async options => settle((await import('./query.ts')).runLedgerTail({ ...options, signal: untilInterrupted() }, io)))
  withFilter(withJson(ledger.command('query')))
    .description('entries that match, newest first')
    .option('-n, --limit <n>', 'at most so many', parseCount, 100)
    .action(async options => settle((await import('./query.ts')).runLedgerQuery(options, io)))
  withJson(ledger.command('show').argument('<id>', 'seq, id, or the beginning of an id'))
    .description('one entry with everything it holds')
    .action(async (id, options) => settle((await import('./show.ts')).runLedgerShow({ ...options, id }, io)))
  withFilter(ledger.command('export'))
    .description('entries as text, one a line')
    .option('--format <format>', 'jsonl or csv', 'jsonl')
    .option('-o, --out <file>', 'to a file; the last checkpoint goes to FILE.note')
    .action(async options => settle((await import('./export.ts')).runLedgerExport(options, io)))
}

function addProving(ledger: Command, io: CommandIo, settle: Settle): void {
  withJson(ledger.command('verify').argument('[file]', 'a copy of the database or a JSONL export; default: the live store'))
    .description('check every row, hash, checkpoint and signature: good (0), or the first bad row (1)')
    .option('--checkpoint <file...>', 'checkpoints that were kept elsewhere')
    .option('--key <key...>', 'public keys to trust: a file, or name+id+base64')
    .action(async (file, options) =>
      settle((await import('./verify.ts')).runLedgerVerify({ ...options, ...(file !== undefined && { file }) }, io)),
    )
  withJson(ledger.command('prove').argument('<id>', 'seq, id, or the beginning of an id'))
    .description('a proof, as JSON, that an entry is in the ledger; docs/verify-proof.mjs checks it without Belay')
    .option('-o, --out <file>', 'to a file')
    .action(async (id, options) => settle((await import('./show.ts')).runLedgerProve({ ...options, id }, io)))
}

function addMaintenance(ledger: Command, io: CommandIo, settle: Settle): void {
  withJson(ledger.command('checkpoint'))
    .description('seal what is there, and print the signed checkpoint')
    .option('--to <place...>', 'also to a file, git:REPOSITORY, or a URL')
    .action(async options => settle((await import('./maintain.ts')).runLedgerCheckpoint(options, io)))
  withJson(ledger.command('gc'))
    .description('trim what is past the retention of config.toml: large values, whole entries; proofs stay (for people)')
    .option('--dry-run', 'only say what would go')
    .action(async options => settle((await import('./maintain.ts')).runLedgerGc(options, io)))
}

function withJson(command: Command): Command {
  return command.option('--json', 'print JSON')
}

function withFilter(command: Command): Command {
  return command
    .option('--actor <actor>', 'such as agent:executor, or agent:*')
    .option('--kind <kind>', 'of entry')
    .option('--tool <tool>', 'such as Bash')
    .option('--verdict <verdict>', 'allow, ask, deny or none')
    .option('--session <id>', 'of one session')
    .option('--commitment <id>', 'of one commitment')
    .option('--since <time>', 'a date, or an age such as 2h')
    .option('--until <time>', 'a date, or an age such as 2h')
    .option('--text <text>', 'somewhere in the body')
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('a whole number, please.')
  return count
}

/** Ctrl-C ends a follow as it should end: with 0. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}
