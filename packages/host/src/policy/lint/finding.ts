// What lint may find: each kind has a code, and a place in docs/guide/policy-lint.md that explains it.
import type { Place } from '@belay/core/policy'

export const LINT_CODES = {
  'invalid-policy': 'error',
  'duplicate-rule': 'warning',
  'shadowed-rule': 'warning',
  'contradictory-rules': 'warning',
  'broad-allow': 'warning',
  'unknown-name': 'warning',
  'doubtful-setting': 'warning',
  'dead-matcher': 'warning',
  'escaped-deny': 'error',
} as const

export type LintCode = keyof typeof LINT_CODES

export interface Finding {
  readonly code: LintCode
  readonly place: Place
  readonly message: string
  /** A call that shows it. */
  readonly example?: string
  readonly remedy?: string
  /** Safe to do without asking. */
  readonly fix?: Fix
}

/** Removes an item of a list, or puts another text in the place of one, in a line of the file. */
export type Fix =
  | { readonly kind: 'remove-rule'; readonly text: string }
  | { readonly kind: 'replace'; readonly text: string; readonly by: string }

export function docsOf(code: LintCode): string {
  return `docs/guide/policy-lint.md#${code}`
}
