// One file that a call reads or writes, against the path rules and self-protection.
// Deny and ask hold when the lexical or the real path matches; allow only when both do.
import { pathMatches } from '../match/path/path-pattern.ts'
import { type PathView, viewPath } from '../match/path/path-view.ts'
import { type PathAccess, protectPath } from '../match/path/protect-path.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import { allowed, type Bench, describeRule, forbidden, judged, resolveAt, type Subject, uncovered } from './judge-part.ts'
import type { PartJudgement } from './judgement.ts'
import { type PathRule, visitPathRules } from './path-index.ts'
import type { Rule } from './rule.ts'

export interface FileUse {
  /** The rules of which tool decide: `Write` and `Read` for effects of a command. */
  readonly tool: string
  readonly access: PathAccess
  readonly path: string
  /** Where a relative path starts. */
  readonly base: string
  /** False: another allow already covers it; deny, ask and protection still hold. */
  readonly needsAllow: boolean
  /** That the call uses this file as the rules mean it is only likely: a deny rule asks. */
  readonly isGuess?: boolean
  /** Written under the command's own allow (`rm x`): a deny rule about every file asks, one about certain files denies. */
  readonly isOwn?: boolean
  readonly subject: Omit<Subject, 'path' | 'normal'>
}

export function judgeFile(bench: Bench, use: FileUse): PartJudgement {
  const path = resolveAt(bench, use.path, use.base)
  const { what, source, span } = use.subject
  const subject: Subject = { what, source, span, normal: path.lexical, path: { lexical: path.lexical, real: path.real } }
  const view = viewPath(path, bench.places.anchors)
  const denied = findPathRule(bench.compiled.deny, use.tool, view)
  const protection = bench.context.selfProtection ? protectPath(use.access, path, bench.places.protectedPaths) : null
  if (protection !== null && (protection.decision === 'deny' || denied === null)) {
    return judged(subject, { decision: protection.decision, reason: protection.reason })
  }
  if (denied !== null && (use.isGuess === true || (use.isOwn === true && denied.spec === null))) return guessed(subject, denied)
  if (denied !== null) return forbidden(subject, denied, 'must')
  if (path.problem !== undefined) return judged(subject, { decision: path.problem.decision, reason: path.problem.message })
  const asked = findPathRule(bench.compiled.ask, use.tool, view)
  if (asked !== null) return forbidden(subject, asked, 'must')
  if (!use.needsAllow) return judged(subject, { decision: 'neutral', reason: 'covered by what allows the command' })
  const rule = findPathRule(bench.compiled.allow, use.tool, view)
  if (rule === null) return uncovered(subject, `no rule covers ${use.access === 'read' ? 'reading' : 'writing'} ${path.lexical}`)
  if (use.access !== 'read' && bench.context.files.linkCount(path.real ?? path.lexical) > 1) {
    const reason = `${path.lexical} has another name (a hard link), so its path does not say which file it is`
    return judged(subject, { decision: 'ask', reason })
  }
  return allowed(subject, rule)
}

function guessed(subject: Subject, rule: Rule): PartJudgement {
  const reason = `${subject.normal} is a file that ${describeRule(rule)} keeps from change`
  return judged(subject, { decision: 'ask', match: 'may', rule, reason })
}

/** The first rule, in the order of the policy, that holds for the path. */
export function findPathRule(index: EffectIndex, tool: string, path: PathView, of: 'all' | 'certain files' = 'all'): Rule | null {
  let found: PathRule | null = null
  const consider = (candidate: PathRule): void => {
    if (found !== null && found.order <= candidate.order) return
    const { lexical, real } = pathMatches(candidate.pattern(), path)
    if (index.effect === 'allow' ? lexical && real : lexical || real) found = candidate
  }
  for (const rules of rulesFor(index, tool)) {
    if (rules.any !== null && of === 'all') return rules.any
    const { paths } = rules
    if (paths === null) continue
    visitPathRules(paths, path.lexical, path.anchors, consider)
    if (path.real !== null && path.real !== path.lexical) visitPathRules(paths, path.real, path.anchors, consider)
  }
  return ruleOf(found)
}

/** The compiler cannot see that a callback assigns. */
function ruleOf(found: PathRule | null): Rule | null {
  return found?.rule ?? null
}
