// The line that agents run for an event, and how it is told from the lines of others.
import type { Agent, AgentId } from '@belay/core/adapter'
import { canonicalEvent } from '@belay/core/adapter'

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
const END: HookTiming = { timeoutMs: 10_000, deadlineMs: 5_000 }
/** Codex gives the end of a session three seconds at most. */
const CODEX_END: HookTiming = { timeoutMs: 3_000, deadlineMs: 1_500 }
/** Agents whose limit cannot be set: what is known or assumed of it. */
const FIXED: HookTiming = { timeoutMs: 30_000, deadlineMs: 15_000 }

export function timingOf(agent: Agent, event: string): HookTiming {
  if (agent.timeUnit === null && agent.onFailure === 'open') return FIXED
  const canonical = canonicalEvent(agent.id, event)
  if (canonical === 'SessionEnd') return agent.id === 'codex' ? CODEX_END : END
  return ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'].includes(canonical) ? GATE : OTHER
}

/**
 * `exec` spares the shell's own process. Agents run a tool whose hook cannot be started, so before a tool the line itself refuses; a shell
 * runs an empty file with success.
 */
export function hookCommand(shim: string, agent: Agent, event: string): string {
  const line = `exec ${quote(shim)} --agent ${agent.id} --event ${event} --deadline-ms ${timingOf(agent, event).deadlineMs}`
  return canonicalEvent(agent.id, event) === 'PreToolUse'
    ? `test -f ${quote(shim)} -a -s ${quote(shim)} -a -x ${quote(shim)} || { echo ${quote(lostClient(agent.id))} >&2; exit 2; }; ${line}`
    : line
}

/** What a call is refused with when the client is gone, or empty: to a shell, and to Node, an empty file is a success. */
export function lostClient(id: AgentId): string {
  return `Tool denied: the hook client of Belay is gone. A person can put it back (belay install ${id}) or take Belay out (belay uninstall ${id}).`
}

const HOOK = new RegExp(`(?:^|[\\s'"/\\\\])${SHIM_NAME}['"]? --agent `)
const SETTING = /^BELAY_HOME='.*' exec '.*' '.*belay\.cjs' (?:statusline|files)$/

/** A hook line, or a command that shows something. */
export function isOurCommand(command: string): boolean {
  return HOOK.test(command) || SETTING.test(command)
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
