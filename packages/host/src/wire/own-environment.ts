// What anything of ours is started with. A repository can set the environment of an agent, and so that of our clients: nothing is handed on
// that could load code, move a home, or send a question elsewhere. A list of what is kept, never of what is removed.
import { SECRET_VARIABLE, SENT_VARIABLES } from './hook-variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a person's programs, files and language are. A client keeps them as they were when a person installed it. */
const OF_THE_PERSON = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|XDG_[A-Z_]+)$/

/** Keys for models, values for the headers of webhooks: they come with the call, and decide nothing. */
const VALUES = /^(?:[A-Z][A-Z0-9_]*_API_KEY|HOOK_[A-Z0-9_]+|BELAY_NO_AUTOSTART)$/

/** A line break ends an entry of the list that a client is built with. */
const PLAIN = /^[^\p{Cc}]*$/u

/** What a client is built with, as lines `NAME=value`. */
export function builtInEnvironment(env: Environment): readonly string[] {
  const kept = pick(env, name => OF_THE_PERSON.test(name))
  return Object.entries(kept).flatMap(([name, value]) => (PLAIN.test(value) ? [`${name}=${value}`] : []))
}

/**
 * For the memory of the C library: what a connection's buffers took goes back to the system when they are free, instead of staying behind
 * whatever was taken after them. Node's buffer for one read has 64 KiB.
 */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '16384', MALLOC_TRIM_THRESHOLD_: '131072' }

/** What the daemon is started with: nothing of the call that made it necessary. */
export function daemonEnvironment(env: Environment): Record<string, string> {
  return { ...pick(env, name => name === 'BELAY_HOME' || OF_THE_PERSON.test(name) || VALUES.test(name)), ...MEMORY }
}

/** What a plugin in an agent's process starts the client with. */
export const KEPT_FOR_CLIENT = new RegExp(
  [SENT_VARIABLES, OF_THE_PERSON, VALUES, new RegExp(`^${SECRET_VARIABLE}$`)].map(({ source }) => source).join('|'),
)

function pick(env: Environment, isKept: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined && isKept(name)) kept[name] = value
  return kept
}
