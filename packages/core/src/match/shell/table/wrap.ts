// The two kinds of wrapper rows.
import type { Program } from './program.ts'

/** The inner command decides alone. */
export function transparent(options: string, more: Program = {}): Program {
  return { wrapper: 'transparent', operands: 'command', options, ...more }
}

/** An allow rule must name the wrapper; the inner command is checked against deny and ask rules. */
export function gate(options: string, more: Program = {}): Program {
  return { wrapper: 'gate', operands: 'command', options, ...more }
}
