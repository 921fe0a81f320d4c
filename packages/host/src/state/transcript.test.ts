import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readStopCause, readTranscriptTail } from './transcript.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-transcript-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function transcript(...lines: unknown[]): string {
  const file = join(folder, 't.jsonl')
  writeFileSync(file, lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return file
}

const claude = (tokens: number, more = {}) => ({
  type: 'assistant',
  ...more,
  message: { usage: { input_tokens: 10, cache_read_input_tokens: tokens - 10 } },
})
const codex = (tokens: number) => ({
  type: 'event_msg',
  payload: { type: 'token_count', info: { last_token_usage: { total_tokens: tokens }, model_context_window: 272_000 } },
})
const codexCall = (tokens: number) => ({
  type: 'token_usage_record',
  payload: { usage: { input_tokens: tokens - 5, total_tokens: tokens } },
})
const failed = (text: string) => ({ type: 'assistant', isApiErrorMessage: true, message: { content: [{ type: 'text', text }], usage: {} } })

test.each<[string, unknown[], object]>([
  ['the last count of Claude', [claude(100), claude(300)], { tokens: 300, window: null, end: null }],
  ['a count of Codex with its window', [codex(500)], { tokens: 500, window: 272_000, end: null }],
  ['a count of Codex before its tool runs', [codex(500), codexCall(900)], { tokens: 900, window: 272_000, end: null }],
  ['a sub-agent speaks of another window', [claude(100), claude(900, { isSidechain: true })], { tokens: 100 }],
  ['lines that are cut or no JSON are passed over', ['sage":{"x":1}}', '{"type":', claude(7)], { tokens: 7 }],
  ['an error at the end', [claude(100), failed('Prompt is too long')], { tokens: 100, end: { kind: 'exhausted' } }],
  ['an error that was got over', [failed('429 too many requests'), claude(100)], { end: null }],
  ['nothing', [], { tokens: null, end: null }],
])('%s', async (_title, lines, expected) => {
  expect(await readTranscriptTail(transcript(...lines))).toMatchObject(expected)
})

test('of a long transcript only the tail is read', async () => {
  const long = { type: 'user', message: { content: 'x'.repeat(1_000_000) } }
  expect(await readTranscriptTail(transcript(claude(5), long, claude(6)))).toMatchObject({ tokens: 6 })
})

test('a file that is not there is no transcript', async () => {
  expect(await readTranscriptTail(join(folder, 'missing'))).toBeNull()
})

test.each([
  ['5-hour limit reached ∙ resets 3pm', { kind: 'rate-limit', resetsAt: '3pm' }],
  ["You've hit your session limit · resets Oct 9, 8am", { kind: 'rate-limit', resetsAt: 'Oct 9, 8am' }],
  ['rate_limit_error: try later', { kind: 'rate-limit', resetsAt: null }],
  ['context length exceeded', { kind: 'exhausted' }],
  ['API Error: 400 bad thing', null],
])('%s', (text, cause) => {
  expect(readStopCause(text)).toEqual(cause)
})
