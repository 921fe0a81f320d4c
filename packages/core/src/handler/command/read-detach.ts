// `{"async": true, "asyncTimeout": ms}` as the first line of stdout: the hook goes on in the background.

import { isObject } from '../../value/is-object.ts'
import { BACKGROUND_MS } from '../limit.ts'
import type { DetachAnswer } from './run-process.ts'

const MAX_LINE = 1024

export function readDetach(stdout: string): DetachAnswer {
  const text = stdout.trimStart()
  if (text !== '' && !text.startsWith('{')) return 'no'
  const newline = text.indexOf('\n')
  const line = newline === -1 ? text : text.slice(0, newline)
  // Also without its newline: a hook that prints and then works may not end the line.
  const value = line.trimEnd().endsWith('}') ? parseLine(line) : undefined
  if (isObject(value) && value.async === true) return { limitMs: limitIn(value.asyncTimeout) }
  return newline === -1 && text.length < MAX_LINE ? 'wait' : 'no'
}

export function withoutDetachLine(stdout: string): string {
  const text = stdout.trimStart()
  const newline = text.indexOf('\n')
  return newline === -1 ? '' : text.slice(newline + 1)
}

function limitIn(value: unknown): number {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? Math.min(value, 2 ** 31 - 1) : BACKGROUND_MS
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
