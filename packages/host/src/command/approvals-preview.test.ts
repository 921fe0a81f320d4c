import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { previewAlways, renderPreview } from './approvals-preview.ts'

const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      deny: ["Bash(npm publish *)"]
`

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
  for (const command of ['npm test', 'npm run build', 'npm publish', 'ls'])
    await belay.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: command })
})
afterAll(() => belay.stop())

const preview = (pattern: string) => previewAlways(belay.paths.socket, { pattern, actor: 'agent:claude-code', root: belay.project })

test('says what the rule would have let through, and what other rules keep refused', async () => {
  const found = await preview('Bash(npm *)')
  expect(found).toMatchObject({ judged: 4, matches: 3, stillDenied: 1, problem: null })
  const [head, ...samples] = found === null ? [] : renderPreview('Bash(npm *)', found).split('\n')
  expect(head).toBe(
    'Bash(npm *) for agent:claude-code: of 4 calls asked about or denied in the last 7 days it would have let 2 through (1 more stay refused by other rules); judged on records without secrets',
  )
  expect(samples.map(line => line.slice(20)).sort()).toEqual(['Bash: npm run build', 'Bash: npm test'])
})

test('a pattern that is none is named', async () => {
  expect(await preview('Bash(npm')).toMatchObject({ problem: expect.stringContaining('Bash(npm') })
})

test('without a daemon there is no preview', async () => {
  expect(await previewAlways(`${belay.folder}/nobody.sock`, { pattern: 'Bash', actor: 'agent:x', root: '/' })).toBeNull()
})
