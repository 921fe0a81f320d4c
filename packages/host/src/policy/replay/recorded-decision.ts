// What the rules decided about a recorded call, as its entry tells; or why that cannot be told.
import { type Fields, fieldsIn, listIn, numberIn, textIn } from '../../statistic/read-fields.ts'

export type Decision = 'allow' | 'ask' | 'deny' | 'none'

export type RecordedDecision = { readonly ok: true; readonly decision: Decision } | { readonly ok: false; readonly why: 'paused' | 'hook' }

export function recordedDecision(body: Fields): RecordedDecision {
  if (body.paused === true) return { ok: false, why: 'paused' }
  const hooks = listIn(body.hooks).filter(({ verdict }) => verdict !== 'none' && verdict !== undefined)
  if (hooks.some(hook => !asksRules(hook))) return { ok: false, why: 'hook' }
  // A person was asked, whatever the answer was.
  if (numberIn(fieldsIn(body.timing)?.approvalMs) !== null) return { ok: true, decision: 'ask' }
  const { decidedBy } = body
  const part = typeof decidedBy === 'number' ? listIn(body.parts)[decidedBy] : fieldsIn(decidedBy)
  const decided = decisionIn(part?.decision)
  return { ok: true, decision: decided ?? decisionIn(body.verdict) ?? 'none' }
}

/** The hook that asks the rules says what they say. */
function asksRules({ handler, hook }: Fields): boolean {
  return handler === 'builtin' && hook === 'genesis_enforcement'
}

function decisionIn(value: unknown): Decision | null {
  const text = textIn(value)
  return text === 'allow' || text === 'ask' || text === 'deny' || text === 'none' ? text : null
}

/** What the recorded parts said of the disk: a path as written to the file that it led to. */
export function recordedPaths(body: Fields): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const { path } of listIn(body.parts)) {
    const found = fieldsIn(path)
    const lexical = textIn(found?.lexical)
    if (lexical !== null) paths.set(lexical, found?.real === null ? '' : (textIn(found?.real) ?? lexical))
  }
  return paths
}
