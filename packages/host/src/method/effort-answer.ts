// What methods about efforts say.

import { RPC_REFUSED, RpcError } from '../rpc/rpc.ts'
import type { EffortChange } from '../state/effort.ts'
import type { EffortRow } from '../state/work-row.ts'
import type { Caller } from './caller.ts'

export function describeEffortRow(row: EffortRow | null, { agent }: Caller) {
  return {
    id: row?.id ?? null,
    agent: agent?.id ?? null,
    taskDir: row?.taskDir ?? null,
    skill: row?.skill ?? null,
    mode: row?.mode ?? null,
    ordinal: row?.ordinal ?? null,
    phase: row?.phase ?? null,
    lifecycle: 'active',
  }
}

export function unwrap<T>(change: EffortChange<T>): T {
  if (change.ok) return change.value
  throw new RpcError(RPC_REFUSED, change.problem)
}
