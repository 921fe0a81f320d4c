// What built-in hooks need of their host. The stores behind these live elsewhere; a built-in whose port is missing fails and says so.
import type { Scope } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { Place } from '../../verdict/place.ts'
import type { Verdict } from '../../verdict/verdict.ts'

export interface CapturedEvidence {
  readonly kind: string
  readonly event: HookEvent
  /** The hook that captures it. */
  readonly hook: HookRef
}

export interface HookRef {
  readonly name: string
  readonly scope: Scope
  readonly place: Place | null
}

export interface EvidenceSink {
  /** Resolves when the record is as durable as the host promises, with its id. */
  capture(evidence: CapturedEvidence): Promise<{ readonly id: string }>
}

export interface Annotation {
  readonly text: string
  readonly tags: readonly string[]
  readonly event: HookEvent
}

export interface Annotator {
  annotate(annotation: Annotation): Promise<{ readonly id: string }>
}

export interface ApprovalQuestion {
  /** Who may decide; empty: anybody the policy lets. */
  readonly approvers: readonly string[]
  readonly reason: string
  readonly expiryMs: number | null
  readonly event: HookEvent
}

export type ApprovalAnswer =
  | { readonly state: 'approved'; readonly by: string }
  /** `isNew`: whoever asks has not been told yet. */
  | { readonly state: 'rejected'; readonly by: string; readonly reason: string | null; readonly isNew: boolean }
  /** Nobody has decided. `isNew`: the request was opened by this very question. */
  | { readonly state: 'pending'; readonly id: string; readonly isNew: boolean }
  /** There is nothing to approve, such as a stop without a commitment. */
  | { readonly state: 'not-needed' }
  /** The host itself asks whoever is there, as for every ask. */
  | { readonly state: 'ask-here' }

export interface ApprovalPort {
  ask(question: ApprovalQuestion): Promise<ApprovalAnswer>
}

export interface ValidationPlan {
  readonly requiredFiles: readonly string[]
  /** Names of npm scripts (or `tsc`) that must succeed. */
  readonly checks: readonly string[]
  /** Shell commands that must succeed. */
  readonly commands: readonly string[]
  readonly commitments: {
    readonly minCount: number
    readonly requireClosed: boolean
    readonly requireEvidence: boolean
  } | null
  readonly maxIterations: number | null
  /** What was found wrong already, one sentence each: it counts like the rest. */
  readonly alsoWrong: readonly string[]
  readonly event: HookEvent
}

export interface Validator {
  /** What is not as it should be, one sentence each; empty when all is well. */
  validate(plan: ValidationPlan): Promise<readonly string[]>
  /** false: it can tell nothing about commitments. */
  readonly knowsCommitments?: boolean
}

export interface BuiltinPorts {
  /** Evaluates a CEL condition; a gate whose condition cannot be evaluated applies. */
  readonly evaluateCondition?: (
    condition: string,
    event: HookEvent,
  ) => { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly why: string }
  readonly judgeEvent?: (event: HookEvent) => Verdict | Promise<Verdict>
  readonly redactText?: (text: string) => string
  readonly evidence?: EvidenceSink
  readonly annotator?: Annotator
  readonly approvals?: ApprovalPort
  readonly validator?: Validator
}
