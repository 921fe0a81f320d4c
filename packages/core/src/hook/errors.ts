// The coded errors of the engine: one table, one page (docs/errors.md); a test compares the two.
// Codes are BELAY_AREA_WHAT. A code never changes its meaning; its words may.

interface CodedError {
  /** What happened. */
  readonly message: string
  /** What to do about it. */
  readonly remedy: string
}

export const ERRORS = {
  BELAY_HOOK_ANSWER: {
    message: 'a function hook returned something that is neither a verdict nor a result',
    remedy: 'return allow(), deny(reason), ask(), none(), a result object, or nothing',
  },
  BELAY_HOOK_THREW: {
    message: 'a function hook threw',
    remedy: 'catch the error in the hook and return a verdict; `fail` decides what a throw means',
  },
  BELAY_HOOK_MATCHER: {
    message: 'the matcher of a hook does not parse',
    remedy: 'write *, names joined by a bar, or Tool(spec); in code also a RegExp, a function or null',
  },
  BELAY_HOOK_DEFINITION: {
    message: 'a hook was registered with a wrong event, handler or option',
    remedy: 'call on(event, matcher?, function or handler, options?)',
  },
  BELAY_HOOK_BUILTIN: {
    message: 'a built-in hook was registered in a process that lacks what it needs',
    remedy: 'pass what it needs in `builtins`, or let the daemon decide (`gate: createDaemonGate()`)',
  },
  BELAY_HOOK_GUARDRAIL: {
    message: 'a policy in process switches on a guardrail that cannot work there as it is',
    remedy: 'pass what it needs in `guardrails`, or let the daemon decide (`gate: createDaemonGate()`)',
  },
} as const satisfies Readonly<Record<string, CodedError>>

export type ErrorCode = keyof typeof ERRORS

/** Misuse by the calling program; what hooks do at run time is never thrown. */
export class BelayError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, what: string) {
    super(formatError(code, what))
    this.name = 'BelayError'
    this.code = code
  }
}

export function formatError(code: ErrorCode, what: string): string {
  return `${what}; ${ERRORS[code].remedy} (${code})`
}
