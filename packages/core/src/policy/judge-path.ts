// One file that a call reads or writes, against the path rules and self-protection.
// Deny and ask hold when the lexical or the real path matches; allow only when both do.
import { pathMatches } from '../match/path/path-pattern.ts'
import { type PathView, viewPath } from '../match/path/path-view.ts'
import { type PathAccess, protectPath } from '../match/path/protect-path.ts'
import type { ResolvedPath } from '../match/path/resolve-path.ts'
import { FILE_WORK, spend } from '../match/shell/meter.ts'
import { type EffectIndex, rulesFor } from './compile-rules.ts'
import { allowed, describeRule, forbidden, type JudgedPart, type JudgeInput, judged, resolveAt, uncovered } from './judge-part.ts'
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
  readonly part: Omit<JudgedPart, 'path' | 'normal'>
}

export function judgeFile(input: JudgeInput, use: FileUse): PartJudgement {
  const path = resolveAt(input, use.path, use.base)
  const { what, source, span } = use.part
  const part: JudgedPart = { what, source, span, normal: path.lexical, path: { lexical: path.lexical, real: path.real } }
  const view = viewPath(path, input.places.anchors)
  const denied = findPathRule(input.compiled.deny, use.tool, view)
  const protection = input.context.selfProtection ? protectPath(use.access, path, input.places.protectedPaths) : null
  if (protection !== null && (protection.decision === 'deny' || denied === null)) {
    return judged(part, { decision: protection.decision, reason: protection.reason })
  }
  if (denied !== null && (use.isGuess === true || (use.isOwn === true && denied.spec === null))) return guessed(part, denied)
  if (denied !== null) return forbidden(part, denied, 'must')
  if (path.problem !== undefined) return judged(part, { decision: path.problem.decision, reason: path.problem.message })
  const asked = findPathRule(input.compiled.ask, use.tool, view)
  if (asked !== null) return forbidden(part, asked, 'must')
  if (mayBeKept(input, use, path)) {
    const reason = `${path.lexical} has another name (a hard link), so its path does not say whether a rule keeps it from being read`
    return judged(part, { decision: 'ask', reason })
  }
  const other = judgeLooseReading(input, use, part)
  if (other !== null) return other
  if (!use.needsAllow) return judged(part, { decision: 'neutral', reason: 'covered by what allows the command' })
  const rule = findPathRule(input.compiled.allow, use.tool, view)
  if (rule === null) return uncovered(part, `no rule covers ${use.access === 'read' ? 'reading' : 'writing'} ${path.lexical}`)
  if (use.access !== 'read' && input.context.files.linkCount(path.real ?? path.lexical) > 1) {
    const reason = `${path.lexical} has another name (a hard link), so its path does not say which file it is`
    return judged(part, { decision: 'ask', reason })
  }
  return allowed(part, rule)
}

const LOOSE = /^[\s'"`]|[\s'"`]$|\\|%[0-9a-f]{2}|[^\0-\x7f]/i

/** ` .env`, `'.env'`, `src\\.env`, `.ｅnv`: a path that programs which are less exact take for another. */
function judgeLooseReading(input: JudgeInput, use: FileUse, part: JudgedPart): PartJudgement | null {
  if (!LOOSE.test(use.path)) return null
  for (const plain of looseReadings(use.path)) {
    const found = plain === use.path || plain === '' ? null : judgeReadAs(input, { ...use, path: plain }, part)
    if (found !== null) return found
  }
  return null
}

function judgeReadAs(input: JudgeInput, { access, base, path: plain, tool }: FileUse, part: JudgedPart): PartJudgement | null {
  spend(FILE_WORK)
  const path = resolveAt(input, plain, base)
  const view = viewPath(path, input.places.anchors)
  const protection = input.context.selfProtection ? protectPath(access, path, input.places.protectedPaths) : null
  const { deny, ask } = input.compiled
  const rule = findPathRule(deny, tool, view, 'certain files') ?? findPathRule(ask, tool, view, 'certain files')
  if (rule === null && protection === null) return null
  const reason = `some programs read ${part.source} as ${path.lexical}, which ${rule === null ? 'is protected' : `${describeRule(rule)} is about`}`
  return judged(part, { decision: 'ask', reason, ...(rule !== null && { match: 'may', rule }) })
}

/** Without blanks and quotes around it, nothing encoded, and letters of all kinds as plain ones; a backslash parts names, or is nothing. */
function looseReadings(path: string): readonly string[] {
  const decoded = path.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  const plain = decoded
    .normalize('NFKC')
    .replace(/^[\s'"`]{1,16}/, '')
    .replace(/[\s'"`]{1,16}$/, '')
  return plain.includes('\\') ? [plain.replaceAll('\\', '/'), plain.replaceAll('\\', '')] : [plain]
}

/** Where package managers and builds link files from their stores. */
const LINKED_STORES = /\/(?:node_modules|site-packages|\.pnpm|\.pnpm-store|\.venv|venv|target|\.cargo|\.git|\.cache|vendor)\//

/** A file to read under one of several names, where rules keep certain files from being read: it may be one of them. */
function mayBeKept({ compiled, context }: JudgeInput, use: FileUse, { real, lexical }: ResolvedPath): boolean {
  if (use.access !== 'read' || use.isGuess === true || LINKED_STORES.test(lexical)) return false
  const keeps = [compiled.deny, compiled.ask].some(index => rulesFor(index, use.tool).some(({ paths }) => paths !== null))
  return keeps && context.files.linkCount(real ?? lexical) > 1
}

function guessed(part: JudgedPart, rule: Rule): PartJudgement {
  const reason = `${part.normal} is a file that ${describeRule(rule)} keeps from change`
  return judged(part, { decision: 'ask', match: 'may', rule, reason })
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
