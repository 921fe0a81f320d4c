// One agent as this machine knows it: where it keeps its hooks, how it is started and recognised. Facts of the agent, nothing else; what its
// hooks send and obey stands in the file of the same name in core.
import type { DialectId } from '@belay/core/dialect'
import type { InstallPlace, Target } from './target.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** A setting that switches hooks off. */
export interface Switch {
  /** Members from the outside in. */
  readonly path: readonly string[]
  /** What switches off: this value, a list with our hook in it, or anything at all. */
  readonly off: boolean | 'listed' | 'set'
}

export interface Switches {
  files(place: Omit<InstallPlace, 'shim' | 'scope'>): readonly string[]
  readonly switches: readonly Switch[]
}

/** Where the agent's own hooks stand, so that Belay can run them for other agents. */
export interface SettingsFiles {
  readonly dialect: DialectId
  /** From the user's home, and from the project; a star is every name there. */
  readonly user: readonly string[]
  readonly project: readonly string[]
}

/** A call that never happens. */
export interface Canary {
  readonly session: string
  readonly cwd: string
  readonly command: string
}

/** How it takes a prompt on its command line. */
export interface PromptForm {
  /** Options whose value is the prompt; where none is given it is the last word. */
  readonly promptOptions: readonly string[]
  /** Options that continue an earlier conversation, and whether a value follows. */
  readonly resumeOptions: Readonly<Record<string, boolean>>
  /** Only with this first word does the program take a prompt. */
  readonly subcommand?: string
}

/** How it is run once with another model, so that nothing leads elsewhere. */
export interface Trial {
  args(url: string, prompt: string): readonly string[]
  env(url: string, folder: string): Env
  /** Why it cannot be kept from its own model here; null: it can. */
  obstacle?(folder: string, env: Env): string | null
}

/** Where it runs for a trial: a home and a project of its own, and a model on loopback. */
export interface TrialPlace {
  readonly home: string
  readonly project: string
  readonly url: string
}

/** Text by path. */
export type Files = Readonly<Record<string, string>>

export interface McpServer {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** How it is run to its end without an account and without a person, with nothing of the user's own: for `belay conform`. */
export interface Headless {
  /** Of npm, and the version that the table in docs was made with. */
  readonly package: string
  readonly version: string
  /** The Node that it needs, where the oldest one that Belay runs with is too old; null: that one does. */
  readonly node: string | null
  /** What must stand in its home before our hooks are put there. */
  homeFiles(home: string): Files
  /** What must stand there for one run. */
  runFiles(place: TrialPlace): Files
  env(place: TrialPlace): Env
  args(prompt: string, place: TrialPlace): readonly string[]
  /** Its words where it goes on with the last session of the project; null: nobody has seen that without a person. */
  readonly resume: ((prompt: string, place: TrialPlace) => readonly string[]) | null
  /** How it is run where it asks its own user about commands; null: it never does. */
  readonly asking: ((prompt: string, place: TrialPlace) => { readonly files?: Files; readonly args: readonly string[] }) | null
  /** So many tokens make it compact by itself; null: nobody has seen that without a person. */
  readonly fullAt: number | null
  /** Makes a server known to it; null: it has no MCP. */
  readonly mcp: ((place: TrialPlace, server: McpServer) => { readonly files?: Files; readonly args?: readonly string[] }) | null
  /** Our names of events that it does not send when it runs so. */
  readonly silent: readonly string[]
  /** The type of a sub-agent that it always has. */
  readonly subAgent: string
  /** In a new home it fetches packages from npm. */
  readonly fetches: boolean
  /** How long one run may take. */
  readonly limitMs: number
}

export interface HostAgent {
  /** Its process, by program name or by the package that its script belongs to; null: it has none of its own. */
  readonly process: RegExp | null
  /** The variable that it gives to what it runs. It stays with a process that has lost its parents. */
  readonly mark: RegExp | null
  /** The variable in which it tells its tools the session they run in. */
  readonly sessionVariable: string | null
  readonly target: Target | null
  readonly switches: Switches | null
  readonly settings: SettingsFiles | null
  /** Files with hooks of its own beside the one with ours, from the folder of that one; a star is every name there. */
  readonly beside: readonly string[]
  /** Its hooks run one after the other, and one that stops or changes a call keeps it from those behind it. */
  readonly runsInOrder: boolean
  /** Matchers that leave no tool out. */
  readonly everyTool: readonly unknown[]
  /** Its own name of PreToolUse, where its hook is a program of ours. */
  readonly gateEvent: string
  /** Its name for the shell, in a call that only tries the line. */
  readonly shellTool: string
  /** A payload that its line is tried with; null: it sends Claude's fields. */
  readonly canary: ((canary: Canary) => Readonly<Record<string, unknown>>) | null
  readonly trial: Trial | null
  /** null: nobody has run it so. */
  readonly headless: Headless | null
  readonly prompt: PromptForm | null
}

/** An agent's file states what is known of it. */
export function hostAgent(facts: Partial<HostAgent>): HostAgent {
  return {
    process: null,
    mark: null,
    sessionVariable: null,
    target: null,
    switches: null,
    settings: null,
    beside: [],
    runsInOrder: false,
    everyTool: [undefined, '', '*', '.*'],
    gateEvent: 'PreToolUse',
    shellTool: 'Bash',
    canary: null,
    trial: null,
    headless: null,
    prompt: null,
    ...facts,
  }
}

type HeadlessFacts = Pick<Headless, 'package' | 'version' | 'args'> & Partial<Headless>

const RUN_MS = 120_000

export function headless(facts: HeadlessFacts): Headless {
  return {
    node: null,
    homeFiles: () => ({}),
    runFiles: () => ({}),
    env: () => ({}),
    resume: null,
    asking: null,
    fullAt: null,
    mcp: null,
    silent: [],
    subAgent: 'general-purpose',
    fetches: false,
    limitMs: RUN_MS,
    ...facts,
  }
}

/** A settings file. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A key for the model on loopback. */
export const TRIAL_KEY = 'belay-doctor'

/** The same files in the user's home and in a project. */
export function sameFiles(dialect: DialectId, ...files: readonly string[]): SettingsFiles {
  return { dialect, user: files, project: files }
}
