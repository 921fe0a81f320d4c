// Who is behind a process: a person, an agent, or nobody. Read from the system, never from what the process says. A person came through a door
// for people (login, sshd, a terminal, an editor's terminal, a multiplexer with somebody attached) or from the edge of this container, with no
// agent in between and no mark of one. A process that lost its parents (setsid -f, a double fork, at, systemd-run) leads to no door: nobody. Scripts of the
// machine's owner lead to none either (a CI job, a service, a provisioning tool): one that was there before any agent called is a script.
import { readlinkSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { HOST_AGENTS } from '../agent/agents.ts'
import { isMarked, whyMarksFail } from './agent-mark.ts'
import { findAgent, listChain } from './process-ancestry.ts'
import { baseName, listProcesses, type ProcessFacts, readBootTime, readEnvironment, readProcess, readStartTime } from './process-facts.ts'

export type Standing =
  | { readonly kind: 'person'; readonly place: string; readonly hasTerminal: boolean }
  | { readonly kind: 'agent'; readonly agent: string; readonly pid: number }
  /** `since`: when the first process of the chain began; null: that is not known. */
  | { readonly kind: 'nobody'; readonly why: string; readonly since: number | null }
  /** It was there before any agent called, so none can have started it. It may do what people may, but for what is decided at a terminal. */
  | { readonly kind: 'script'; readonly place: string }

/** When the first agent called, of all calls since a time; null: none has. */
export type FirstCall = (since: number) => Promise<number | null>

/** What is looked at; tests bring their own. */
export interface ProcessView {
  read(pid: number): ProcessFacts | null
  environment(pid: number): Readonly<Record<string, string>> | null
  list(): readonly number[]
  /** Only the system's owner can have put it there. */
  isInstalled(program: string): boolean
  /** Of this machine. */
  addresses(): readonly string[]
  /** What it reads is typed at a terminal. */
  readsTerminal(pid: number): boolean
  /** Milliseconds of the wall clock; null: not known. */
  startedAt(facts: ProcessFacts): number | null
  /** When this machine started; 0: not known. */
  bootedAt(): number
  /** An agent started it, or it is one: see agent-mark.ts. */
  isMarked(pid: number): boolean
  /** It has the mark, and is not of the daemon that looks, which an agent may have started. */
  isLeftBehind(pid: number): boolean
  /** Why one without a mark may be an agent's all the same; null: it is not one's. */
  whyMarksFail(): string | null
}

export const systemProcesses: ProcessView = {
  read: readProcess,
  environment: readEnvironment,
  list: listProcesses,
  isInstalled,
  addresses: () => Object.values(networkInterfaces()).flatMap(each => (each ?? []).map(({ address }) => address)),
  readsTerminal,
  startedAt: readStartTime,
  bootedAt: readBootTime,
  isMarked,
  // Only the daemon knows which processes are its own.
  isLeftBehind: () => false,
  whyMarksFail,
}

/** As the daemon sees it. */
export const daemonProcesses: ProcessView = {
  ...systemProcesses,
  isLeftBehind: pid => isMarked(pid) && listChain(pid, readProcess).every(each => each.pid !== process.pid),
}

export function findStanding(pid: number, view: ProcessView = systemProcesses): Standing {
  return standingOf(pid, view, true)
}

/** Nobody is a script if its first process began before the first call of an agent: what an agent leaves behind began after that. */
export async function findScript(standing: Standing, firstCall: FirstCall, view: ProcessView = systemProcesses): Promise<Standing> {
  if (standing.kind !== 'nobody' || standing.since === null) return standing
  const called = await firstCall(view.bootedAt())
  return called !== null && standing.since >= called - CLOCK_MS
    ? standing
    : { kind: 'script', place: 'a script from before any agent called' }
}

/** Start times of processes are this coarse. */
const CLOCK_MS = 1500

/** What to say to whoever may not; null: it may. */
export function refusalOf(standing: Standing, what: string): string | null {
  if (standing.kind === 'person' || standing.kind === 'script') return null
  const who =
    standing.kind === 'agent'
      ? `this was started by an agent (${standing.agent}, process ${standing.pid})`
      : `nobody can be seen behind this process (${standing.why})`
  return `${what} is for people, and ${who}; run it in a terminal of your own, or use the dashboard`
}

/** Variables that agents give to what they run. They stay with a process that has lost its parents. */
const MARKS: readonly (readonly [agent: string, variable: RegExp])[] = [
  ...Object.entries(HOST_AGENTS).flatMap(([agent, { mark }]) => (mark === null ? [] : [[agent, mark] as const])),
  ['an agent', /^AI_AGENT$/],
]

function standingOf(pid: number, view: ProcessView, mayBeMultiplexed: boolean): Standing {
  const chain = listChain(pid, view.read)
  const [self] = chain
  if (self === undefined) return { kind: 'nobody', why: `process ${pid} cannot be seen`, since: null }
  const agent = findAgent(chain.slice(1))
  if (agent !== null) return { kind: 'agent', agent: agent.agent, pid: agent.process.pid }
  for (const each of chain) {
    const marked = markOf(view.environment(each.pid))
    if (marked !== null) return { kind: 'agent', agent: marked, pid: each.pid }
    if (view.isMarked(each.pid)) return { kind: 'agent', agent: 'by the mark that agents are given', pid: each.pid }
  }
  const person = (place: string): Standing => ({ kind: 'person', place, hasTerminal: self.hasTerminal })
  for (const [at, each] of chain.entries()) {
    // Nobody comes in through itself.
    const below = at === 0 ? null : chain[at - 1]
    const door = below == null ? null : doorOf(each)
    if (below == null || door === null) continue
    const why = whyShut(door, each, { view, below, above: chain[at + 1] ?? null, mayBeMultiplexed })
    // A door that is shut hides who came: its time says nothing.
    return why === null ? person(door.place) : { kind: 'nobody', why, since: null }
  }
  const why = isFromEdge(chain) ? whyAdopted(chain, view) : describeEnd(chain)
  return why === null ? person('the start of this container') : { kind: 'nobody', why, since: beginning(chain, view) }
}

/** The first process takes over orphans of its own session too, and then nothing but a mark tells whose they were. */
function whyAdopted(chain: readonly ProcessFacts[], view: ProcessView): string | null {
  if (chain.length < 2 || chain.at(-1)?.pid !== 1) return null
  const doubt = view.whyMarksFail()
  return doubt === null
    ? null
    : `${describeEnd(chain)}; an agent may have left it behind: ${doubt}. Come in from outside, as with docker exec -it`
}

/** These take over processes that lost their parents, or start what anybody asks them to: the chain begins below them. */
const TAKES_OVER =
  /^(?:systemd|init|launchd|upstart|tini|dumb-init|catatonit|docker-init|conmon|containerd-shim\S*|atd|crond?|anacron|dbus-(?:daemon|broker)\S*|runsvdir|runsv|s6-\S+|supervisord)$/

export function belowKeepers(chain: readonly ProcessFacts[]): readonly ProcessFacts[] {
  const end = chain.findIndex(({ pid, name }) => pid === 1 || TAKES_OVER.test(name))
  return end === -1 ? chain : chain.slice(0, end)
}

function beginning(chain: readonly ProcessFacts[], view: ProcessView): number | null {
  const below = belowKeepers(chain)
  const first = below.at(-1)
  // One that was replaced under us, or that begins outside of what is shown.
  if (first === undefined || (below.length === chain.length && first.parent !== 0)) return null
  return view.startedAt(first)
}

function markOf(environment: Readonly<Record<string, string>> | null): string | null {
  const names = environment === null ? [] : Object.keys(environment)
  return MARKS.find(([, variable]) => names.some(name => variable.test(name)))?.[0] ?? null
}

interface Door {
  readonly kind: 'system' | 'ssh' | 'terminal' | 'multiplexer'
  readonly place: string
}

const DOORS: readonly (readonly [kind: Door['kind'], names: RegExp])[] = [
  ['system', /^login$/],
  ['ssh', /^sshd(?:-session)?$/],
  ['multiplexer', /^(?:tmux(?:: server)?|screen|zellij|dtach|abduco)$/i],
  [
    'terminal',
    /^(?:xterm|uxterm|u?rxvt\w*|kitty|alacritty|foot(?:client)?|wezterm(?:-gui)?|ghostty|konsole|yakuake|gnome-terminal\S*|kgx|ptyxis\S*|xfce4-terminal|mate-terminal|lxterminal|qterminal|tilix|st|Terminal|iTerm2?|iTermServer\S*|Hyper|Warp|code|code-insiders|codium|zed(?:-editor)?|idea|pycharm|webstorm|goland|clion|rider)$/i,
  ],
]

/** By the program where it is shown: a process can give itself any name. */
function doorOf({ name, program }: ProcessFacts): Door | null {
  const found = DOORS.find(([, pattern]) => pattern.test(program === null ? name : baseName(program)))
  return found === undefined ? null : { kind: found[0], place: name }
}

interface Around {
  readonly view: ProcessView
  /** The process on the near side of the door. */
  readonly below: ProcessFacts
  /** The process that started the door; null: none is shown. */
  readonly above: ProcessFacts | null
  readonly mayBeMultiplexed: boolean
}

/** Anybody can give a program such a name: only the system's own counts. null: it is a door. */
function whyShut({ kind, place }: Door, at: ProcessFacts, { view, below, above, mayBeMultiplexed }: Around): string | null {
  const isReal = at.program === null ? at.uid === 0 : view.isInstalled(at.program)
  if (!isReal || ((kind === 'system' || kind === 'ssh') && at.uid !== 0 && at.program !== null)) {
    return `${place} (process ${at.pid}) is not the system's own program`
  }
  if (kind === 'ssh') return whyNoVisitor(below, view)
  if (kind === 'system') return whyNoConsole(at, above)
  if (kind !== 'multiplexer') return null
  if (!mayBeMultiplexed) return `${place} runs inside another one`
  return hasSomebodyAttached(at, view) ? whyTyped(at, place, view) : `nobody is attached to ${place} (process ${at.pid})`
}

/** `login -f root` on a terminal that a program made: its parent is that program, or it has lost it. */
function whyNoConsole(at: ProcessFacts, above: ProcessFacts | null): string | null {
  if (!at.isPseudo || (above !== null && doorOf(above) !== null)) return null
  return `${at.name} (process ${at.pid}) is on a terminal that a program made`
}

/** Whatever runs as this user can type into a multiplexer (`tmux send-keys`), and nothing tells its keys from a person's. */
function whyTyped({ uid }: ProcessFacts, place: string, view: ProcessView): string | null {
  for (const pid of view.list()) {
    const facts = view.read(pid)
    if (facts === null || facts.uid !== uid) continue
    const agent = findAgent([facts])?.agent ?? (view.isLeftBehind(pid) ? 'an agent' : null)
    if (agent !== null) return `${agent} (process ${pid}) is at work, and can type into ${place}: use a terminal outside of it`
  }
  return null
}

/** Whoever comes from this very machine may be its own agent: `ssh localhost`. */
function whyNoVisitor(below: ProcessFacts, view: ProcessView): string | null {
  const [from, , to] = view.environment(below.pid)?.SSH_CONNECTION?.split(' ') ?? []
  if (from === undefined) return 'where the ssh connection comes from cannot be seen'
  return from === to || isOfThisMachine(from, view) ? 'the ssh connection comes from this machine itself' : null
}

export function isOfThisMachine(address: string, view: Pick<ProcessView, 'addresses'>): boolean {
  return /^(?:127\.|::1$|::ffff:127\.)/.test(address) || view.addresses().includes(address)
}

/** Another process of the same program, on a terminal that a person came to. */
function hasSomebodyAttached(server: ProcessFacts, view: ProcessView): boolean {
  return view.list().some(pid => {
    const client = pid === server.pid ? null : view.read(pid)
    if (client?.hasTerminal !== true || client.uid !== server.uid || client.program !== server.program) return false
    return standingOf(pid, view, false).kind === 'person'
  })
}

/** Unbroken up to what started this container or machine: the first process, its own session, or what came in from outside. */
function isFromEdge(chain: readonly ProcessFacts[]): boolean {
  const last = chain.at(-1)
  if (last === undefined || last.parent !== 0) return false
  const next = chain.at(-2)
  return last.pid !== 1 || next === undefined || (next.session !== null && next.session === last.session)
}

function describeEnd(chain: readonly ProcessFacts[]): string {
  const top = chain.findLast(each => each.pid !== 1)
  return top === undefined ? 'it has no parents' : `its parents end at ${top.name}, process ${top.pid}, which no login or terminal started`
}

const INSTALLED = /^\/(?:usr|bin|sbin|opt|snap|nix\/store|gnu\/store|app|var\/lib\/flatpak|System|Applications|Library)\//
const WRITABLE_BY_OTHERS = 0o022

function isInstalled(program: string): boolean {
  if (!INSTALLED.test(program)) return false
  // Applications of a Mac belong to whoever dragged them there.
  if (process.platform === 'darwin') return true
  try {
    const { uid, mode } = statSync(program)
    return uid === 0 && (mode & WRITABLE_BY_OTHERS) === 0
  } catch {
    return false
  }
}

function readsTerminal(pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    return /^\/dev\/(?:pts\/\d+|tty\w*|console)$/.test(readlinkSync(`/proc/${pid}/fd/0`))
  } catch {
    return false
  }
}
