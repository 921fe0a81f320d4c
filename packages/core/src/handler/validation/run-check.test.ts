import { expect, test } from 'vitest'
import { readProcesses } from '../command/process-table.ts'
import { runCheck } from './run-check.ts'

const options = { cwd: '/', env: process.env, limitMs: 60_000 }
const group = (text: string | null): number => Number(/group (\d+)/.exec(text ?? '')?.[1])
const isGone = (session: number): boolean => readProcesses().every(each => each.session !== session)

test('a check that passes says nothing', async () => {
  expect(await runCheck('echo fine', options)).toBe(null)
})

test('one that fails says how, with the end of what it printed on either stream, in its order', async () => {
  expect(await runCheck('echo one; echo two >&2; echo three; exit 7', options)).toMatch(/ failed with exit code 7:\none\ntwo\nthree$/)
  const long = await runCheck('seq 100000; exit 1', options)
  expect(long).toMatch(/100000$/)
  expect(long?.length).toBeLessThan(2000)
  expect(await runCheck('kill -9 $$', options)).toBe('kill -9 $$ was ended by SIGKILL')
})

test('a check that never ends is ended, with what it started', async () => {
  const said = await runCheck('echo group $$; sleep 100 & sleep 100', { ...options, limitMs: 300 })
  expect(said).toMatch(/ took longer than 0 s:\ngroup \d+$/)
  await expect.poll(() => isGone(group(said))).toBe(true)
})

test('what a check leaves running ends with it', async () => {
  const said = await runCheck('echo group $$; sleep 100 >/dev/null 2>&1 & exit 1', options)
  expect(isGone(group(said))).toBe(true)
})

test('one that the caller gives up is cancelled', async () => {
  expect(await runCheck('sleep 100', { ...options, signal: AbortSignal.abort() })).toBe('sleep 100 was cancelled')
})

test('secrets of this process do not reach it', async () => {
  expect(await runCheck('echo "[$SECRET]"; exit 1', { ...options, env: { ...process.env, SECRET: 'x' } })).toMatch(/:\n\[\]$/)
})
