// Every command is held to the table of verbs before it begins: what is for people is refused where an agent, or nobody, is behind it.
// AGENT_ID says nothing here: people set it in the shells they start agents from.
import { userInfo } from 'node:os'
import { ownCommand } from '@belay/core/match'
import type { Command } from 'commander'
import { findHome } from '../config/home.ts'
import { type CommandIo, fail } from '../terminal/io.ts'
import { runPaths } from '../wire/run-paths.ts'

/** null: it may begin. */
export async function refuseCommand(io: CommandIo, command: Command): Promise<2 | null> {
  const name = nameOf(command)
  const { user, personOptions } = ownCommand(name)
  const given = command.options.find(
    option =>
      [option.short, option.long].some(each => each != null && personOptions.includes(each)) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (user !== 'person' && given === undefined) return null
  return refuseOthers(io, `belay ${name}${given === undefined ? '' : ` ${given.long ?? given.short}`}`)
}

/** null: a person is there. What this process sees may have been arranged for it (a namespace of its own): a daemon that runs looks too. */
async function refuseOthers(io: CommandIo, what: string): Promise<2 | null> {
  const [{ findScript, findStanding, refusalOf }, { callDaemon }] = await Promise.all([
    import('../approval/standing.ts'),
    import('./daemon-status.ts'),
  ])
  const home = findHome(io.env)
  const seen = findStanding(process.pid)
  const why = refusalOf(seen.kind === 'nobody' ? await findScript(seen, since => firstCallOf(io, since)) : seen, what)
  if (why !== null) return fail(io, why)
  const answer = await callDaemon(runPaths(home, io.env).socket, 'daemon.person', { what })
  // One of another version has no such method, and is replaced by the next `belay up`.
  return answer.kind === 'refused' && !answer.why.startsWith('There is no method') ? fail(io, answer.why) : null
}

/** In this home and in the user's own: another home is no way around what agents did in that one. */
async function firstCallOf(io: CommandIo, since: number): Promise<number | null> {
  const { readFirstCall } = await import('../ledger/first-call.ts')
  const homes = new Set([findHome(io.env), findHome({ HOME: userInfo().homedir })])
  const times = await Promise.all([...homes].map(home => readFirstCall(home, since)))
  const found = times.filter(time => time !== null)
  return found.length === 0 ? null : Math.min(...found)
}

/** Says in the help what the table says. */
export function describePeople(command: Command): void {
  const { user, personOptions } = ownCommand(nameOf(command))
  for (const option of command.options) {
    if ([option.short, option.long].some(each => each != null && personOptions.includes(each))) option.description += FOR_PEOPLE
  }
  if (user === 'person' && command.parent !== null && !command.description().includes('for people')) {
    command.description(`${command.description()}${FOR_PEOPLE}`)
  }
  for (const each of command.commands) describePeople(each)
}

const FOR_PEOPLE = ' (for people)'

/** `ledger gc`: its name and those of the groups it stands in. */
export function nameOf(command: Command): string {
  const names: string[] = []
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name())
  return names.join(' ')
}
