// What a hook or a rule may say about a call, and how several answers become one.
// Invariant: the fold is a maximum over a total order, so it never depends on the order of the answers and a deny is never lost.

/** Where an `ask` came from. Only an ask that stands in for "no rule matched" gives way to a hook's allow. */
export type AskOrigin = 'default' | 'rule' | 'hook' | 'may-match'

export type Verdict =
  | { readonly decision: 'none' }
  | { readonly decision: 'allow'; readonly reason?: string }
  | { readonly decision: 'ask'; readonly reason?: string; readonly origin: AskOrigin }
  | { readonly decision: 'deny'; readonly reason: string }

export type Decision = Verdict['decision']

const NONE: Verdict = Object.freeze({ decision: 'none' })
const ALLOW: Verdict = Object.freeze({ decision: 'allow' })

export function none(): Verdict {
  return NONE
}

export function allow(given?: unknown): Verdict {
  const reason = textOf(given)
  return reason === undefined ? ALLOW : { decision: 'allow', reason }
}

export function ask(given?: unknown, origin: AskOrigin = 'hook'): Verdict {
  const reason = textOf(given)
  return reason === undefined ? { decision: 'ask', origin } : { decision: 'ask', reason, origin }
}

/** An error may be given as it was caught. */
export function deny(reason?: unknown): Verdict {
  return { decision: 'deny', reason: textOf(reason) ?? 'no reason given' }
}

/** A reason that is missing or no text must not cost the verdict. */
function textOf(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason.trim() === '' ? undefined : reason
  if (reason === undefined || reason === null) return undefined
  if (reason instanceof Error) return textOf(reason.message) ?? reason.name
  return textOf(writeOut(reason))
}

function writeOut(value: unknown): string {
  if (typeof value !== 'object') return String(value)
  try {
    return JSON.stringify(value) ?? Object.prototype.toString.call(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** The stricter of two verdicts; of two equally strict ones the first, so that its reason is the one shown. */
export function stricter(first: Verdict, second: Verdict): Verdict {
  return rank(second) > rank(first) ? second : first
}

export function fold(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = NONE
  for (const verdict of verdicts) result = stricter(result, verdict)
  return result
}

function rank(verdict: Verdict): number {
  switch (verdict.decision) {
    case 'none':
      return 0
    case 'allow':
      return 2
    case 'ask':
      return verdict.origin === 'default' ? 1 : 3
    case 'deny':
      return 4
  }
}
