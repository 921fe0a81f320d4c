// Ledger entries as the page shows them. All of it is redacted: the page sees what was written, never what was sent.

export type Verdict = 'allow' | 'deny' | 'ask' | 'none'

/** One line of a list: enough to draw it, no more. The feed's `row` events carry the same. */
export interface RecordRow {
  readonly seq: number
  readonly id: string
  readonly time: string
  readonly kind: string
  readonly actor: string
  readonly session: string | null
  /** `claude-code`, `codex` ... */
  readonly agent: string | null
  readonly agentId: string | null
  readonly project: string | null
  readonly event: string | null
  readonly tool: string | null
  /** The command, path, URL or prompt, cut to 300 characters. */
  readonly summary: string
  readonly verdict: Verdict
  readonly isRewritten: boolean
  readonly hasFailedHook: boolean
  readonly rule: string | null
  /** What decided, in its own words: `Bash(git *)`, `hook NAME`, Belay's own protection; null: nothing did. */
  readonly by: string | null
  /** Where that is written: `genesis.key:32`. */
  readonly place: string | null
  readonly reason: string | null
  readonly commitment: string | null
  readonly tookMs: number | null
  /** The agent's own id of the call: entries that share it are about one call. */
  readonly callId: string | null
  /** The request that a person was asked for it. */
  readonly approval: string | null
}

/** All optional; texts may hold `*` for any text. */
export interface RecordFilter {
  readonly agent?: string
  readonly agentId?: string
  readonly actor?: string
  readonly project?: string
  readonly kind?: string
  readonly tool?: string
  readonly verdict?: string
  readonly session?: string
  readonly commitment?: string
  readonly text?: string
  /** ISO times, both ends included. */
  readonly since?: string
  readonly until?: string
}

export interface RecordPage {
  /** Newest first. */
  readonly rows: readonly RecordRow[]
  /** Give it as `before` for the next page; null: there is no more. */
  readonly next: number | null
}

export interface Facet {
  readonly value: string
  readonly count: number
}

/** Counts over the newest entries that match; `counted` says how many were looked at. */
export interface RecordFacets {
  readonly counted: number
  readonly isPartial: boolean
  readonly agent: readonly Facet[]
  readonly actor: readonly Facet[]
  readonly project: readonly Facet[]
  readonly kind: readonly Facet[]
  readonly tool: readonly Facet[]
  readonly verdict: readonly Facet[]
}

/** A part of the call that was judged on its own. */
export interface RecordPart {
  readonly what: string
  readonly source: string
  readonly normal: string
  /** Into the command, where there is one. */
  readonly start: number | null
  readonly end: number | null
  readonly decision: Verdict
  readonly rule: string | null
  readonly reason: string
  readonly lexicalPath: string | null
  readonly realPath: string | null
}

/** One bar of the waterfall. */
export interface RecordStep {
  readonly name: string
  readonly kind: 'decode' | 'hook' | 'permissions' | 'approval' | 'ledger' | 'encode'
  readonly scope: string | null
  readonly type: string | null
  readonly outcome: string
  readonly verdict: Verdict
  readonly reason: string | null
  /** From the start of the event; null: it was not measured. */
  readonly startMs: number | null
  readonly ms: number | null
  readonly isOverBudget: boolean
  /** Why it did not run; null: it did. */
  readonly skipped: string | null
  readonly place: string | null
  readonly error: string | null
}

/** A unified diff of one file. */
export interface FileDiff {
  readonly path: string
  readonly text: string
}

export interface RecordDetail {
  readonly row: RecordRow
  /** Who wanted what, what was decided, by which rule. */
  readonly sentence: string
  readonly hash: string
  readonly prev: string
  readonly policy: string | null
  readonly cwd: string | null
  /** What was judged: after rewriting. */
  readonly command: string | null
  readonly parts: readonly RecordPart[]
  readonly rule: { readonly id: string; readonly effect: string; readonly text: string; readonly place: string | null } | null
  readonly steps: readonly RecordStep[]
  readonly budgetMs: number
  readonly inputBefore: unknown
  /** null: nothing rewrote it. */
  readonly inputAfter: unknown
  /** What was put into the agent's context. */
  readonly context: readonly string[]
  /** The exact bytes the agent got. */
  readonly answer: { readonly stdout: string; readonly stderr: string; readonly exit: number } | null
  readonly degraded: readonly string[]
  /** What changed, where the entry is evidence of it. */
  readonly diffs: readonly FileDiff[]
  /** Entries about the same call: what came before and after. */
  readonly related: readonly RecordRow[]
  /** The whole redacted body. */
  readonly body: unknown
  /** `belay explain ...` for a terminal; null: not a tool call. */
  readonly explainCommand: string | null
}

/** On the redacted record: a secret that was taken out may have mattered. */
export interface Rejudged {
  readonly before: Verdict
  readonly now: Verdict
  readonly rule: string | null
  readonly place: string | null
  readonly reason: string
  readonly policy: string | null
  readonly isRedacted: boolean
  readonly parts: readonly RecordPart[]
}

export interface Verification {
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly done: number
  readonly total: number
  readonly why: string | null
  readonly report: {
    readonly ok: boolean
    readonly records: number
    readonly firstBad: number | null
    readonly faults: readonly string[]
    readonly checkpoints: number
    readonly sealed: number
    readonly unsealed: number
    readonly gaps: number
    readonly clockSteps: number
    readonly blobsKept: number
    readonly blobsPruned: number
  } | null
}
