// One route of the hub: who may call it, and what it answers.
import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../database/role.ts'
import type { Machine } from '../machine/login-machine.ts'
import type { Person } from '../people/person.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** JSON where nothing is said. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Call {
  readonly query: URLSearchParams
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

export type Route =
  | { readonly for: 'anyone'; run(call: Call): Promise<Answer> }
  | { readonly for: 'machine'; run(call: Call, machine: Machine): Promise<Answer> }
  | { readonly for: Role; run(call: Call, person: Person): Promise<Answer> }

/** By method and path. */
export type Routes = Readonly<Record<string, Route>>

export function ok(body: unknown): Answer {
  return { status: 200, body }
}

export function refuse(status: number, why: string, more: Readonly<Record<string, unknown>> = {}): Answer {
  return { status, body: { error: why, ...more } }
}
