// What goes wrong outside of the hub's own code, where it went wrong, and what to do about it: the database, the port, the files it was given.
import { errorText, isObject } from '@belay/core/value'

const DATABASE = 'database_url (BELAY_HUB_DATABASE_URL)'

/** By PostgreSQL's codes. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': `the user or the password in ${DATABASE} is another one`,
  '28000': `the database lets the user in ${DATABASE} not in: see its pg_hba.conf`,
  '3D000': `make it first, with CREATE DATABASE, or give another in ${DATABASE}`,
  '42501': `the user in ${DATABASE} needs a database of its own: CREATE DATABASE hub OWNER that_user`,
  '53300': 'give PostgreSQL more connections, or put a pooler between',
  '25006': `${DATABASE} leads to a copy that only reads; give the one that is written to`,
}

/** Undefined: it is a fault of ours, and its stack says where. */
export function describeFailure(error: unknown): string | undefined {
  // Where a name leads to several addresses there is one error for each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { code, syscall, path, address, port } = (isObject(first) ? first : {}) as Partial<Record<string, unknown>>
  if (syscall === 'listen')
    return `nobody can answer at ${address}, port ${port} (${code}): give another with --port, or host and port in belay-hub.toml`
  if (typeof path === 'string') return `${path}: ${errorText(first)}`
  if (syscall === 'connect' || syscall === 'getaddrinfo') return notAnswering(first)
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) {
    // A pooler hands on what the server said under a code of its own.
    const remedy = REMEDIES[/^database ".*" does not exist$/.test(errorText(first)) ? '3D000' : code]
    return `the database refuses: ${errorText(first)}${remedy === undefined ? '' : `; ${remedy}`}`
  }
  return /connect|connection/i.test(errorText(first)) ? notAnswering(first) : undefined
}

function notAnswering(error: unknown): string {
  return `the database does not answer: ${errorText(error)}; see that PostgreSQL runs where ${DATABASE} says`
}
