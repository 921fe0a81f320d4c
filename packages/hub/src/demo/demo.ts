// `belay-hub demo`: a team in a minute. A throw-away PostgreSQL, a hub, three machines with agents at work, a policy for all of them, and the
// page. With --once it checks itself and ends. Nothing of it is left behind.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorText } from '@belay/core/value'
import { workUntil } from './agent-calls.ts'
import { checkTeam, type DemoMachine, type DemoTeam } from './check-team.ts'
import { openInBrowser } from './open-in-browser.ts'
import { createPlace, type TeamPlace } from './team-place.ts'
import { startPostgres } from './throw-away-postgres.ts'

export interface DemoOptions {
  readonly once?: boolean
  /** False: only print the link. */
  readonly open?: boolean
  readonly port?: number
}

export interface DemoIo {
  out(text: string): void
  err(text: string): void
}

/** Ends what was begun. */
type Undo = () => Promise<unknown> | undefined

const MACHINES = [
  { name: 'ana-laptop', labels: ['site=home', 'kind=laptop'], agents: ['frontend', 'reviewer'] },
  { name: 'ci-runner', labels: ['site=cloud', 'kind=ci'], agents: ['release'] },
  { name: 'build-box', labels: ['site=lab', 'kind=server'], agents: ['backend', 'nightly'] },
] as const

const PUBLISHER = 'release'

const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Read", "Grep", "Write(src/**)", "Bash(git status)", "Bash(git diff *)", "Bash(git log *)", "Bash(head *)", "Bash(npm test *)", "Bash(ls *)"]
      deny: ["Bash(git push --force *)"]
`

const STEPS = 6
/** Sooner than nobody is taken to look any more. */
const LOOK_MS = 10_000
/** As a shell says it of Ctrl-C. */
const INTERRUPTED = 130

export async function runDemo(options: DemoOptions, io: DemoIo): Promise<number> {
  const stop = listenForStop()
  const undo: Undo[] = []
  try {
    const team = await build(options, io, undo, stop)
    if (team === undefined) return INTERRUPTED
    if (options.once) return await checkTeam(team, io)
    await show(team, options, io, stop)
    return 0
  } catch (error) {
    if (stop.aborted) return INTERRUPTED
    io.err(`belay-hub: ${errorText(error)}\n`)
    return 2
  } finally {
    io.err('putting everything away ...\n')
    for (const step of undo.reverse()) await Promise.resolve(step()).catch(error => io.err(`${errorText(error)}\n`))
  }
}

/** Aborted by Ctrl-C, whenever it comes; a second one does not stop the putting away. */
function listenForStop(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort())
  return controller.signal
}

/** Undefined: somebody has had enough. */
async function build(options: DemoOptions, io: DemoIo, undo: Undo[], stop: AbortSignal): Promise<DemoTeam | undefined> {
  const step = (at: number, what: string): void => io.err(`  ${at}/${STEPS} ${what} ...\n`)
  const folder = mkdtempSync(join(tmpdir(), 'bhd-'))
  undo.push(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  step(1, 'a throw-away PostgreSQL')
  const postgres = await startPostgres()
  undo.push(postgres.close)
  const place = createPlace(folder, await postgres.createDatabase())
  prepareProject(place)
  if (stop.aborted) return undefined
  step(2, 'a team: its keys, its people')
  const tokens = await makeTeam(place)
  if (stop.aborted) return undefined
  step(3, 'the hub')
  const hub = await place.startHub(options.port ?? 0)
  undo.push(() => {
    const gone = new Promise(resolve => hub.process.once('exit', resolve))
    return hub.process.kill('SIGTERM') ? gone : undefined
  })
  const machines: DemoMachine[] = []
  for (const { name, labels, agents } of MACHINES) {
    if (stop.aborted) return undefined
    step(4, `the machine ${name}`)
    machines.push(await startMachine(place, { name, labels, agents, url: hub.url }, undo))
  }
  if (stop.aborted) return undefined
  step(5, 'a policy for all machines')
  await publishPolicy(place, machines[0] as DemoMachine, tokens.pia ?? '')
  return { place, url: hub.url, tokens, machines }
}

function prepareProject({ folder, project }: TeamPlace): void {
  chmodSync(folder, 0o700)
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, 'src'))
  writeFileSync(join(project, 'README.md'), '# A project that agents of three machines work in\n')
  writeFileSync(join(folder, 'team.key'), POLICY)
}

/** The tokens of its people, by name. */
async function makeTeam(place: TeamPlace): Promise<Record<string, string>> {
  const made = JSON.parse(await must(place.hub('init', '--admin', 'ana', '--json'))) as { adminToken: string }
  const tokens: Record<string, string> = { ana: made.adminToken }
  for (const [name, role] of [
    ['abe', 'approver'],
    ['pia', 'publisher'],
    ['vic', 'viewer'],
  ] as const) {
    await must(place.hub('people', 'add', name, '--role', role))
    tokens[name] = (JSON.parse(await must(place.hub('token', 'person', name, '--json'))) as { token: string }).token
  }
  return tokens
}

interface NewMachine {
  readonly name: string
  readonly labels: readonly string[]
  readonly agents: readonly string[]
  readonly url: string
}

async function startMachine(place: TeamPlace, { name, labels, agents, url }: NewMachine, undo: Undo[]): Promise<DemoMachine> {
  const home = join(place.folder, name)
  undo.push(() => place.belay(home, ['down']))
  await must(place.belay(home, ['up', '--detach', '--port', '0']))
  const { token } = JSON.parse(await must(place.hub('token', 'join', '--json'))) as { token: string }
  const named = ['--name', name, ...labels.flatMap(label => ['--label', label]), '--upload', 'bodies', '--json']
  const { machine } = JSON.parse(await must(place.belay(home, ['join', url, token, ...named]))) as { machine: string }
  const { socket } = JSON.parse(await must(place.belay(home, ['status', '--json']))) as { socket: string }
  return { name, home, machine, agents: agents.map(agent => ({ socket, project: place.project, agent, publishes: agent === PUBLISHER })) }
}

async function publishPolicy(place: TeamPlace, { home }: DemoMachine, token: string): Promise<void> {
  const { key } = JSON.parse(await must(place.belay(home, ['policy', 'key', '--json']))) as { key: string }
  await must(place.hub('publisher', 'add', 'pia', key, '--root', join(place.folder, 'belay-root.key')))
  const file = join(place.folder, 'team.key')
  await must(place.belay(home, ['policy', 'publish', file, '--note', 'no force push', '--json'], { BELAY_HUB_TOKEN: token }))
}

/** What it printed; throws where it did not do it. */
async function must(running: Promise<{ readonly code: number; readonly out: string }>): Promise<string> {
  const { code, out } = await running
  if (code !== 0) throw new Error(out.trim())
  return out
}

async function show({ place, url, tokens, machines }: DemoTeam, options: DemoOptions, io: DemoIo, stop: AbortSignal): Promise<void> {
  io.err(`  6/${STEPS} agents at work\n`)
  const link = `${url}/#token=${tokens.ana}`
  io.out(`
Three machines, five agents and a hub. Their page, where you are the administrator ana:

  ${link}

Agents may read and test; a forced push is denied by the policy of the team; npm publish, which ${PUBLISHER} wants, waits for you under Approvals.
Others of the team, to log in as: ${Object.entries(tokens)
    .filter(([name]) => name !== 'ana')
    .map(([name, token]) => `${name} ${token}`)
    .join('   ')}
A machine of it: BELAY_HOME=${join(place.folder, 'ana-laptop')} belay team status

Ctrl-C puts everything away.
`)
  if (options.open !== false) openInBrowser(link)
  const watching = lookForApprovals(url, tokens.ana ?? '')
  const work = machines.flatMap(({ agents }) => agents).map((agent, at) => workUntil(agent, stop, at * 3))
  await untilAborted(stop)
  clearInterval(watching)
  // Those that wait for a person end with their daemon.
  void Promise.allSettled(work)
}

/** Agents are held while somebody who can decide looks; whoever tries this is there, whether the page is open yet or not. */
function lookForApprovals(url: string, token: string): NodeJS.Timeout {
  const look = (): void => {
    fetch(`${url}/v1/approvals?state=pending`, { headers: { authorization: `Bearer ${token}` } })
      .then(answer => answer.arrayBuffer())
      .catch(() => undefined)
  }
  look()
  return setInterval(look, LOOK_MS)
}

function untilAborted(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve()
  return new Promise(resolve => {
    // A listener alone does not keep the process.
    const alive = setInterval(() => undefined, 1 << 30)
    stop.addEventListener('abort', () => {
      clearInterval(alive)
      resolve()
    })
  })
}
