// The policy of one project as the page shows it, and what the playground answers.
import type { RecordPart, RecordRow, Verdict } from './record.ts'

export interface Lint {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
}

export interface PolicyFileView {
  readonly file: string
  readonly owner: 'team' | 'machine' | 'user' | 'project'
  readonly isOk: boolean
  /** It is broken, and this is the time of the version in force. */
  readonly lastGoodAt: string | null
  readonly isTrusted: boolean
  readonly hash: string | null
  readonly text: string
  readonly lint: readonly Lint[]
}

export interface HookView {
  readonly id: string
  readonly name: string
  readonly event: string
  readonly type: string
  readonly matcher: string | null
  readonly condition: string | null
  readonly scope: string
  /** What kind of file it stands in; `belay`: one of our own. */
  readonly source: string
  /** `once`, `async`; empty: as usual. */
  readonly mode: string
  readonly fail: string
  readonly place: string | null
  readonly inert: string | null
  readonly isGuardrail: boolean
  readonly runs: number
  readonly failures: number
  readonly overBudget: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** Its last run since the daemon started. */
  readonly last: { readonly at: string; readonly outcome: string; readonly verdict: Verdict } | null
}

export interface RuleView {
  readonly id: string
  readonly effect: 'allow' | 'deny' | 'ask'
  readonly text: string
  readonly actor: string
  readonly message: string | null
  readonly place: string | null
  readonly hits: number
  readonly lastHitAt: string | null
  /** A rule that always decides before this one. */
  readonly shadowedBy: string | null
  /** Why it can have no effect (not trusted, cannot match). */
  readonly inert: string | null
}

export interface PolicyChangeView {
  readonly file: string
  readonly kind: 'removed' | 'edited' | 'broken'
  /** Of the version that holds. */
  readonly hash: string
  /** Of what is there now. */
  readonly found: string | null
  readonly message: string
  readonly remedy: string
}

export interface PolicyView {
  readonly root: string
  readonly hash: string | null
  /** Why every gated call is refused: a policy that never was good. */
  readonly locked: string | null
  readonly files: readonly PolicyFileView[]
  /** Files that hooks are drawn from beside the policies: hooks.toml, settings, plugins, skills. */
  readonly hookFiles: readonly PolicyFileView[]
  /** Files that are no longer what a person accepted: their last trusted version holds. */
  readonly changes: readonly PolicyChangeView[]
  readonly hooks: readonly HookView[]
  readonly rules: readonly RuleView[]
  readonly budgetMs: number
  /** Hits are counted over these last days. */
  readonly countedDays: number
}

export interface TriedCall {
  readonly actor: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly cwd?: string
}

export interface Tried {
  readonly verdict: Verdict
  readonly reason: string
  readonly rule: { readonly id: string; readonly effect: string; readonly text: string; readonly place: string | null } | null
  readonly command: string | null
  readonly parts: readonly RecordPart[]
  readonly parser: string | null
  /** Hooks that would run on this event, in order; they are not run. */
  readonly hooks: readonly { readonly name: string; readonly scope: string; readonly type: string; readonly place: string | null }[]
  readonly lint: readonly Lint[]
}

/** Which recorded calls would come out differently; on redacted records. */
export interface Compared {
  readonly judged: number
  /** One call each; of a range one of each kind of change, with how many there are of it. */
  readonly changed: readonly {
    readonly row: RecordRow
    readonly before: Verdict
    readonly after: Verdict
    readonly rule: string | null
    readonly reason: string
    readonly count: number
  }[]
  /** `allow>deny` and the like. */
  readonly counts: Readonly<Record<string, number>>
  /** Calls that could not be judged again, and why. */
  readonly unjudged: readonly { readonly count: number; readonly why: string }[]
  readonly lint: readonly Lint[]
}

/** `seq`: the entry that records it. */
export type Saved =
  | { readonly kind: 'saved'; readonly file: string; readonly hash: string; readonly seq: number }
  /** The file is not the one the editor began with: nothing was written, and this is what it holds now. */
  | { readonly kind: 'conflict'; readonly file: string; readonly hash: string | null; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string; readonly lint: readonly Lint[] }

/** Where the file is not trusted the rule has no effect yet. */
export interface AddedRule {
  readonly pattern: string
  /** Whom it holds for: a glob, where the actor takes its allow list from one. */
  readonly actor: string
  readonly file: string
  readonly isTrusted: boolean
  readonly seq: number
}

/** What a pattern would have allowed of what was asked or refused. */
export interface PatternPreview {
  /** Whom the rule would hold for: a glob, where the actor takes its allow list from one; null: whoever made each call. */
  readonly actor: string | null
  readonly judged: number
  readonly days: number
  readonly problem: string | null
  readonly matches: number
  /** Of these a deny rule keeps this many refused all the same. */
  readonly stillDenied: number
  /** Each distinct call once, with how often it was made; the newest of each. */
  readonly samples: readonly { readonly row: RecordRow; readonly count: number }[]
}

/** Calls that were refused, or asked about in vain, by the same rule and of the same shape. */
export interface DenialGroup {
  readonly verdict: 'deny' | 'ask'
  /** What decided, in its own words; null: only its reason is known. */
  readonly by: string | null
  readonly place: string | null
  readonly tool: string
  /** `git push *`, a path, a host. */
  readonly shape: string
  readonly reason: string | null
  readonly count: number
  readonly agents: readonly string[]
  readonly first: string
  readonly last: string
  /** The newest of them, newest first. */
  readonly rows: readonly RecordRow[]
  /** No rule covers these calls: an allow rule would let them through. */
  readonly isUncovered: boolean
}

export interface Denials {
  /** Most often first. */
  readonly groups: readonly DenialGroup[]
  readonly days: number
  /** There are more than were looked at. */
  readonly isPartial: boolean
}

/** A recorded call, judged by the text on screen. */
export interface TriedRecord {
  readonly row: RecordRow
  readonly now: Verdict
  readonly by: string | null
  readonly reason: string
}
