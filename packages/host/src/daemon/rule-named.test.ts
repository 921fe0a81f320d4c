// Every denial says which rule decided: to the agent, over RPC and in the record, also where a genesis_enforcement hook found it first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const PERMISSIONS = `permissions:
  default: none
  actors:
    agent:claude-code:
      deny: ["Bash(git push *)"]
    agent:architect:
      deny: ["Write(*)"]
`
const HOOKS = `hooks:
  pre_tool_use:
    - { matcher: "*", type: genesis_enforcement }
`

describe.each([
  ['without hooks', `version: "2.0"\n${PERMISSIONS}`],
  ['with genesis_enforcement first', `version: "2.0"\n${HOOKS}${PERMISSIONS}`],
])('%s', (_title, policy) => {
  let daemon: TestDaemon
  beforeAll(async () => {
    daemon = await runDaemon({ policy })
  })
  afterAll(() => daemon.stop())

  const push = { tool_name: 'Bash', tool_input: { command: 'ls && git push origin main' }, tool_use_id: 't1' }

  test('the reason names the rule and its place', async () => {
    const { decision, reason } = await daemon.hook('PreToolUse', push)
    expect([decision, reason]).toEqual(['deny', expect.stringMatching(/the rule Bash\(git push \*\) \(.*genesis\.key:\d+/)])
  })

  test('in two lines: what, by which rule and where; and who decided, for whom', async () => {
    const { reason } = await daemon.hook('PreToolUse', push)
    const lines = reason?.split('\n') ?? []
    expect(lines).toEqual([
      expect.stringMatching(/^Tool denied: "git push origin main" is forbidden by the rule Bash\(git push \*\) \(.*genesis\.key:\d+/),
      expect.stringMatching(/^Belay decided this for agent:claude-code; `.* why` tells more\.$/),
    ])
  })

  test('the record has the rule, the parts and what decided', async () => {
    await daemon.hook('PreToolUse', push)
    const rule = { effect: 'deny', text: 'Bash(git push *)' }
    expect((await daemon.entries('pre_tool_use')).at(-1)?.read).toMatchObject({
      verdict: 'deny',
      rule,
      decidedBy: 1,
      parts: [{ source: 'ls' }, { source: 'git push origin main', decision: 'deny' }],
    })
  })

  test('so has the answer over RPC', async () => {
    const reply = await daemon.rpc('hooks.preToolUse', { session_id: 's1', cwd: daemon.project, ...push })
    expect(reply).toMatchObject({ result: { decision: 'deny', rule: expect.stringContaining('deny') } })
  })

  test('the message for a role names it too', async () => {
    const secret = await daemon.bind('arch', 'agent:architect')
    const { reason } = await daemon.hook(
      'PreToolUse',
      { tool_name: 'Write', tool_input: { file_path: 'a', content: '' } },
      { agentId: 'arch', secret },
    )
    expect(reason).toMatch(/^Tool denied: Architects cannot write files\. .* \(rule Write\(\*\), .*genesis\.key:\d+/)
  })
})
