// What the daemon, or the way to it, answered instead of a result. `code` is the JSON-RPC code, an HTTP status, or 0 where nobody answered.

export const NOBODY_ANSWERED = 0
export const SESSION_ENDED = 401

export class DaemonError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(message: string, code: number, data: unknown = null) {
    super(message)
    this.name = 'DaemonError'
    this.code = code
    this.data = data
  }
}
