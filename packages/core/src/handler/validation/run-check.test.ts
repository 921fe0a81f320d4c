import { expect, test } from 'vitest'
import { runCheck } from './run-check.ts'

test('a check that never ends is ended, with what it started', async () => {
  expect(await runCheck('sleep 100 & sleep 100', { cwd: '/', env: process.env, limitMs: 300 })).toBe(
    'sleep 100 & sleep 100 took longer than 0 s',
  )
  expect(await runCheck('echo one; echo two >&2; exit 7', { cwd: '/', env: process.env, limitMs: 5000 })).toMatch(
    /failed with exit code 7:\none\ntwo$/,
  )
})
