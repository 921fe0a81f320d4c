/** One line of the daemon's log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [name: string]: unknown
}
