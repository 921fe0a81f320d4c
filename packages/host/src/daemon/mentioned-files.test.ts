// Agents read what a prompt names with an @ without asking: a rule against reading it holds for the prompt.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: deny
  actors:
    "agent:*":
      deny: ["Read(.env*)", "Read(secrets/**)"]
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

test.each(['show me @.env', 'compare @a.txt and @"secrets/my key.pem"', 'is @./.env.local right?'])('blocked: %s', async prompt => {
  const { stdout } = await daemon.hook('UserPromptSubmit', { prompt })
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'block', reason: expect.stringContaining('Read(') })
  expect((await daemon.entries('user_prompt_submit')).at(-1)?.read).toMatchObject({ verdict: 'deny', rule: { effect: 'deny' } })
})

test.each(['ask @alice about it', 'mail me@.env', 'what does @types/node do', 'read .env'])('passes: %s', async prompt => {
  expect((await daemon.hook('UserPromptSubmit', { prompt })).stdout).toBe('')
})
