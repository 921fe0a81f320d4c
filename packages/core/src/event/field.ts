// Payload fields as data: `'string'` must be there, `'string?'` may be absent or null. Types, checks and JSON Schema all come from it.
import { isObject } from '../value/is-object.ts'

interface KindTypes {
  readonly string: string
  readonly number: number
  readonly boolean: boolean
  readonly object: Readonly<Record<string, unknown>>
  readonly array: readonly unknown[]
  /** Any JSON value. */
  readonly value: unknown
}

export type FieldKind = keyof KindTypes

export type FieldSpec = FieldKind | `${FieldKind}?`

export type Fields = Readonly<Record<string, FieldSpec>>

type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends `${FieldKind}?` ? K : never }[keyof F]

type TypeOf<S> = S extends `${infer K extends FieldKind}?` ? KindTypes[K] | null : S extends FieldKind ? KindTypes[S] : never

/** The TypeScript type of a payload with these fields. */
export type FieldValues<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]>
} & { readonly [K in OptionalKeys<F>]?: TypeOf<F[K]> }

export function isOptional(spec: FieldSpec): boolean {
  return spec.endsWith('?')
}

export function kindOf(spec: FieldSpec): FieldKind {
  return (isOptional(spec) ? spec.slice(0, -1) : spec) as FieldKind
}

export function isOfKind(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case 'value':
      return true
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === kind
  }
}
