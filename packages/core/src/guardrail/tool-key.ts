// The idempotency key of a call: SHA-256(run | namespace | tool | hash of the normalised arguments | scope [| nonce]).
import { createHash } from 'node:crypto'

export interface KeyParts {
  readonly runId: string
  readonly namespace: string
  readonly tool: string
  readonly input: unknown
  readonly scope: string
  /** Fields that differ from call to call without meaning anything. */
  readonly volatile: ReadonlySet<string>
  /** Present: the key is new each time. */
  readonly nonce?: string
}

export function toolKey({ runId, namespace, tool, input, scope, volatile, nonce }: KeyParts): string {
  const args = sha256(JSON.stringify(normalise(input, volatile)) ?? 'null')
  // JSON, so that no part can pass for two.
  return sha256(JSON.stringify([runId, namespace, tool, args, scope, ...(nonce === undefined ? [] : [nonce])]))
}

export const VOLATILE_FIELDS: readonly string[] = [
  ...['description', 'timestamp', 'created_at', 'updated_at', 'request_id', 'requestId', 'trace_id', 'traceId', 'correlation_id'],
  ...['nonce', 'idempotency_key', 'run_in_background', 'timeout'],
]

/** Keys in order, volatile fields gone, texts without trailing white space on lines. */
function normalise(value: unknown, volatile: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return value.replace(/[ \t]+$/gm, '').trim()
  if (Array.isArray(value)) return value.map(each => normalise(each, volatile))
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  return Object.keys(fields)
    .filter(key => !volatile.has(key))
    .sort()
    .map(key => [key, normalise(fields[key], volatile)])
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
