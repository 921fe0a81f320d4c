// How a finished call ended, without keeping what it printed: a digest proves it later to whoever has the output.

import type { HookEvent } from '@belay/core'
import { canonicalJson, sha256Hex } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'

export interface CallResult {
  readonly failed: boolean
  readonly error?: string
  readonly output: { readonly digest: string; readonly bytes: number } | null
  /** Of a shell command, where the agent tells. */
  readonly exitCode?: number
  readonly durationMs?: number
}

const EXIT_FIELDS = ['exitCode', 'exit_code', 'returnCode', 'return_code', 'exitStatus', 'exit_status', 'code']
const EXIT_WORDS = /\bexit(?:ed with)?(?: code| status)?:?\s+(\d{1,3})\b/i
const MAX_ERROR = 2000

export function describeResult({ name, fields }: HookEvent): CallResult {
  const { toolResponse, error, durationMs } = fields
  const failed = name === 'PostToolUseFailure' || (isObject(toolResponse) && hasError(toolResponse))
  const output = toolResponse ?? (failed ? error : undefined)
  const exitCode = findExitCode(toolResponse) ?? (failed ? exitCodeIn(error ?? toolResponse) : isCleanExit(toolResponse) ? 0 : null)
  return {
    failed,
    ...(error === undefined || error === null ? {} : { error: textOf(error).slice(0, MAX_ERROR) }),
    output: output === undefined || output === null ? null : digestOf(output),
    ...(exitCode === null ? {} : { exitCode }),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
  }
}

function digestOf(output: unknown): CallResult['output'] {
  const text = typeof output === 'string' ? output : canonicalJson(output)
  return { digest: sha256Hex(text), bytes: Buffer.byteLength(text) }
}

function hasError(response: Readonly<Record<string, unknown>>): boolean {
  return (response.error !== undefined && response.error !== null) || response.isError === true || response.is_error === true
}

/** In the answer itself, or in its metadata. */
function findExitCode(response: unknown): number | null {
  if (!isObject(response)) return null
  for (const name of EXIT_FIELDS) {
    const value = response[name]
    if (typeof value === 'number' && Number.isInteger(value)) return value
  }
  return isObject(response.metadata) ? findExitCode(response.metadata) : null
}

/** Claude Code tells of an exit code by failing the call, and of one that is no failure (`grep`) in words: else it was 0. */
function isCleanExit(response: unknown): boolean {
  if (!isObject(response) || typeof response.stdout !== 'string' || response.interrupted !== false) return false
  return response.returnCodeInterpretation === undefined && response.backgroundTaskId === undefined
}

function exitCodeIn(error: unknown): number | null {
  const found = EXIT_WORDS.exec(textOf(error).slice(0, MAX_ERROR))?.[1]
  return found === undefined ? null : Number(found)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
