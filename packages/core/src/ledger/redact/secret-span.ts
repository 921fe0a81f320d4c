// What the finders hand over: where a secret stands in a text and what it is.

export interface SecretSpan {
  readonly start: number
  readonly end: number
  /** Goes into the replacement; lower case, digits and dashes. */
  readonly kind: string
}
