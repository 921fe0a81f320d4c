// The line that agents run for an event, and how it is told from the lines of others.
import type { Agent, AgentId } from '@belay/core/adapter'
import { canonicalEvent, gateOf, refusesOnFailure } from '@belay/core/adapter'
import { programCommand } from '../config/own-command.ts'

/** The name of the client's file in `$BELAY_HOME/bin`. */
export const SHIM_NAME = 'belay-hook'

export interface HookTiming {
  /** What the agent waits: written into its configuration. */
  readonly timeoutMs: number
  /** What our client waits for the daemon before it judges alone: well below, because an agent whose hook times out runs the tool. */
  readonly deadlineMs: number
}

const GATE: HookTiming = { timeoutMs: 120_000, deadlineMs: 100_000 }
const OTHER: HookTiming = { timeoutMs: 60_000, deadlineMs: 30_000 }
/** Agents whose limit cannot be set: what is known or assumed of it. */
const FIXED: HookTiming = { timeoutMs: 30_000, deadlineMs: 15_000 }

export function timingOf(agent: Agent, event: string): HookTiming {
  if (agent.timeUnit === null && agent.onFailure === 'open') return FIXED
  const canonical = canonicalEvent(agent.id, event)
  if (canonical === 'SessionEnd') return { timeoutMs: agent.sessionEndMs, deadlineMs: agent.sessionEndMs / 2 }
  const gate = gateOf(canonical)
  return gate === null || gate === 'settings' ? OTHER : GATE
}

/** What goes with this deadline in the line of an earlier version, whatever the event is given now; null: no version wrote such a line. */
export function earlierTimeoutMs(deadlineMs: number): number | null {
  return [GATE, OTHER].find(timing => timing.deadlineMs === deadlineMs)?.timeoutMs ?? null
}

/**
 * What the client adds to its exit code for a line that asks for a proof. A client that is gone, cut short, empty, of another machine, killed,
 * or not ours at all ends with some code, and a shell takes an empty file for a success: with this an answer is told from all of them.
 */
export const PROOF = 90

/** Events at which a failure is a refusal; at every other one it is nothing: a refusal at a stop would make the agent go on. */
export function isGate(id: AgentId, event: string): boolean {
  return refusesOnFailure(canonicalEvent(id, event))
}

/** The client and what it is told. */
export function clientCall(shim: string, agent: Agent, event: string): string {
  return `${quote(shim)} --agent ${agent.id} --event ${event} --deadline-ms ${timingOf(agent, event).deadlineMs} --proof ${PROOF}`
}

/**
 * Where sh is bash, the environment can have it trace what it does to stdout (SHELLOPTS, BASH_XTRACEFD), and an agent then reads no answer
 * there. The shell that stops tracing says so to nobody. Not in the file for Cline, which no settings give an environment: it has to speak
 * where no descriptor is left for this.
 */
export const UNTRACED = '{ set +x; } >/dev/null 2>&1'

/** A shell of the user's comes first, which we do not know and cannot tell to be quiet: its trace is a refusal. */
const traced = `case \${SHELLOPTS-}:\${BASH_XTRACEFD-} in *xtrace*:1) echo ${quote('Tool denied: the shell of the hook traces to stdout. Take SHELLOPTS and BASH_XTRACEFD out of the environment.')} >&2; exit 2;; esac; `

/** Whoever sends the shell of a line one of the signals that end a shell ends no question. Nothing stops `kill -9`. */
const TOLD_TO_END = `trap 'echo "Tool denied: the shell of the hook was told to end." >&2; exit 2' 1 2 3 13 14 15`

/**
 * No `exec`: the shell stays to see how the client ended. The trap holds where the shell itself fails, because it cannot fork, or is told to
 * end. Where an agent may believe what a client printed before it failed, that is held back until the client has proved its answer.
 */
export function hookCommand(shim: string, agent: Agent, event: string, belay = programCommand()): string {
  const call = clientCall(shim, agent, event)
  const [run, pass] = agent.obeysExitCode ? [call, ''] : [`o=$(${call})`, 'printf %s "$o" && ']
  const first = agent.startsUserShell ? traced : ''
  const line = isGate(agent.id, event)
    ? `${UNTRACED}; trap 'exit 2' 0; ${TOLD_TO_END}; ${first}${run}; case $? in ${PROOF}) ${pass}trap - 0 && exit 0;; ${PROOF + 2}) exit 2;; esac; echo ${quote(brokenClient(agent.id, belay))} >&2; exit 2`
    : `${UNTRACED}; trap 'exit 0' 0; ${run}; case $? in ${PROOF}) ${pass}exit 0;; ${PROOF + 2}) trap - 0; exit 2;; esac; exit 0`
  return agent.startsUserShell ? `exec /bin/sh -c ${quote(line)}` : line
}

/** What a call is refused with when the client has not answered. The text stands in a file: the program is named by its place, which works in
 * every shell. */
export function brokenClient(id: AgentId, belay = programCommand()): string {
  return `Tool denied: the hook client of Belay is gone or broken. A person can put it back (${belay} install ${id}) or take Belay out (${belay} uninstall ${id}).`
}

const HOOK = new RegExp(`(?:^|[\\s'"/\\\\])${SHIM_NAME}['"\\\\]* --agent `)
const SETTING = /^(?:NODE_[A-Z_]+= )*BELAY_HOME='.*' exec '.*' '.*belay\.cjs' (?:statusline|files)$/

/** A hook line, or a command that shows something. */
export function isOurCommand(command: string): boolean {
  return HOOK.test(command) || SETTING.test(command)
}

const WRAPPED = /^exec \/bin\/sh -c '(.*)'$/s
const CLIENT = new RegExp(`'((?:[^']|'\\\\'')*/${SHIM_NAME})' --agent `)

/** The client that a line of ours starts; null: it starts none that can be told. */
export function ourClient(command: string): string | null {
  const line = unquote(WRAPPED.exec(command)?.[1]) ?? command
  return unquote(CLIENT.exec(line)?.[1])
}

const NAMED = / can put it back \((.+?) install [a-z-]+\)/

/** How a line of ours calls Belay; null: it does not. */
export function ourProgram(command: string): string | null {
  const line = unquote(WRAPPED.exec(command)?.[1]) ?? command
  return unquote(NAMED.exec(line)?.[1])
}

function unquote(text: string | undefined): string | null {
  return text?.replaceAll(`'\\''`, "'") ?? null
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
