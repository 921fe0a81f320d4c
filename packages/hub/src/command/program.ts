// The commands of belay-hub.
import { Command, InvalidArgumentError } from 'commander'
import { LIMITS } from '../config/hub-config.ts'
import { VERSION } from '../config/version.ts'
import { runDemo } from '../demo/demo.ts'
import { runInit } from './init.ts'
import { runMachinesRevoke } from './machines.ts'
import { runMigrate } from './migrate.ts'
import type { HubIo } from './open-hub.ts'
import { runPeopleAdd, runPeopleList, runPeopleRemove, runPeopleRole } from './people.ts'
import { runPrune } from './prune.ts'
import { runPublisherAdd, runPublisherEndorse, runPublisherList, runPublisherRevoke } from './publisher.ts'
import { runStatus } from './status.ts'
import { runTokenJoin, runTokenList, runTokenPerson, runTokenRevoke } from './token.ts'
import { runUp } from './up.ts'
import { runVerify } from './verify.ts'

export interface Outcome {
  code: number
}

export function createProgram(io: HubIo, outcome: Outcome): Command {
  const settle = async (code: Promise<number>): Promise<void> => {
    outcome.code = await code
  }
  const program = new Command('belay-hub')
    .description('Evidence of many machines on one PostgreSQL: every entry checked, every ledger cosigned.')
    .version(VERSION)
    .configureOutput({ writeOut: text => io.out(text), writeErr: text => io.err(text) })
    .exitOverride()
  const add = (parent: Command, usage: string, description: string): Command =>
    parent
      .command(usage)
      .description(description)
      .option('--config <file>', 'default belay-hub.toml, or $BELAY_HUB_CONFIG')
      .option('--json', 'print JSON')
  add(program, 'init', 'make the schema, the keys, the first administrator and a token for the first machine')
    .option('--admin <name>', 'the first administrator', 'admin')
    .action(options => settle(runInit(options, io)))
  add(program, 'up', 'answer machines and people, in the foreground; any number of processes on one database')
    .option('--port <n>', 'instead of the configured one', portNumber)
    .action(options => settle(runUp(options, io)))
  add(program, 'migrate', 'bring the schema to this version').action(options => settle(runMigrate(options, io)))
  add(program, 'status', 'the machines: last heard of, entries, lag, findings').action(options => settle(runStatus(options, io)))
  add(program, 'verify', 'check every chain, row, checkpoint and signature; ends with 1 on a finding').action(options =>
    settle(runVerify(options, io)),
  )
  add(program, 'prune', 'drop entries of days past the retention; hashes and proofs stay')
    .option('--days <n>', 'instead of retention_days', wholeNumber)
    .option('--dry-run', 'only say what would go')
    .action(options => settle(runPrune(options, io)))
  program
    .command('demo')
    .description(
      'show a team: a throw-away PostgreSQL, a hub, three machines with agents at work, and the page; Ctrl-C puts all of it away',
    )
    .option('--once', 'check it and end: 0 where all is well')
    .option('--no-open', 'only print the link')
    .option('--port <n>', 'of the page; default: any that is free', portNumber)
    .action(options => settle(runDemo(options, io)))
  const token = program.command('token').description('tokens: made once, kept as a hash')
  add(token, 'join', 'for one machine to join')
    .option('--hours <n>', 'good for', wholeNumber, 24)
    .action(options => settle(runTokenJoin(options, io)))
  add(token, 'person <name>', 'for a person')
    .option('--days <n>', 'good for', wholeNumber, 90)
    .action((name, options) => settle(runTokenPerson(name, options, io)))
  add(token, 'list', 'those that were made').action(options => settle(runTokenList(options, io)))
  add(token, 'revoke <id>', 'end one').action((id, options) => settle(runTokenRevoke(id, options, io)))
  const people = program.command('people').description('who is of the team, and in which role')
  add(people, 'list', 'everybody').action(options => settle(runPeopleList(options, io)))
  add(people, 'add <name>', 'add somebody')
    .requiredOption('--role <role>', 'viewer, approver, publisher or admin')
    .action((name, options) => settle(runPeopleAdd(name, options, io)))
  add(people, 'role <name> <role>', 'change a role').action((name, role, options) => settle(runPeopleRole(name, role, options, io)))
  add(people, 'remove <name>', 'remove somebody, and their tokens').action((name, options) => settle(runPeopleRemove(name, options, io)))
  addPublisherCommands({ program, add, settle, io })
  const machines = program.command('machines').description('machines of the team')
  add(machines, 'revoke <id>', 'let it send nothing more').action((id, options) => settle(runMachinesRevoke(id, options, io)))
  return program
}

interface Parts {
  readonly program: Command
  add(parent: Command, usage: string, description: string): Command
  settle(code: Promise<number>): Promise<void>
  readonly io: HubIo
}

function addPublisherCommands({ program, add, settle, io }: Parts): void {
  const publisher = program.command('publisher').description("whose policies machines take: keys that the team's root has endorsed")
  add(publisher, 'add <person> [key]', 'let a person publish with the key that `belay policy key` printed')
    .option('--root <file>', "the team's root key; default: belay-root.key beside the hub's key")
    .option('--endorsement <file>', 'what `publisher endorse` printed where the root key is')
    .option('--days <n>', 'good for', wholeNumber, 365)
    .action((person, key, options) => settle(runPublisherAdd(person, key, options, io)))
  add(publisher, 'endorse <person> <key>', "print the root's endorsement of a key; needs no database")
    .option('--root <file>', "the team's root key")
    .option('--days <n>', 'good for', wholeNumber, 365)
    .action((person, key, options) => settle(runPublisherEndorse(person, key, options, io)))
  add(publisher, 'list', 'their keys').action(options => settle(runPublisherList(options, io)))
  add(publisher, 'revoke <key>', 'take nothing more that this key signs').action((key, options) =>
    settle(runPublisherRevoke(key, options, io)),
  )
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('a whole number')
  return Number(text)
}

function portNumber(text: string): number {
  if (wholeNumber(text) > LIMITS.port.most) throw new InvalidArgumentError(`a port, at most ${LIMITS.port.most}`)
  return Number(text)
}
