// docs/reference/builtins.md: every built-in with every option, and every example of the page does what the page says.
import { readFileSync } from 'node:fs'
import { type BuiltinName, validateBuiltinConfig } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { programCommand } from '../../packages/host/src/config/own-command.ts'
import { runDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'

const page = readFileSync(new URL('../../docs/reference/builtins.md', import.meta.url), 'utf8')
const SECTIONS = page
  .split(/^## /m)
  .slice(1)
  .map(text => ({ name: text.slice(0, text.indexOf('\n')) as BuiltinName, text }))

/** The text of the only block of this kind. */
function blockOf(text: string, kind: string): string | undefined {
  return new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text)?.[1]
}

test('the page has every built-in, and no other', () => {
  const parsed = parseGenesis('version: "2.0"\nhooks:\n  stop:\n    - { type: zzzzzzzz }\n', 'genesis.key')
  const remedy = parsed.ok ? '' : (parsed.errors[0]?.remedy ?? '')
  const others = ['command', 'http', 'webhook', 'prompt', 'agent', 'mcp_tool']
  const known = remedy
    .replace(/^use one of /, '')
    .split(', ')
    .filter(type => !others.includes(type))
  expect(SECTIONS.map(({ name }) => name).sort()).toEqual(known.sort())
})

describe.each(SECTIONS)('$name', ({ name, text }) => {
  test('the page has every option, and no other', () => {
    const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, option]) => option)
    const remedy = validateBuiltinConfig(name, { zzzzzzzz: 1 })[0]?.remedy ?? ''
    expect(named).toEqual(remedy.startsWith('use one of ') ? remedy.slice('use one of '.length).split(', ') : [])
  })

  test('the example does what the page says', async () => {
    const daemon = await runDaemon({ policy: blockOf(text, 'yaml') ?? '' })
    const { hook_event_name: event, ...payload } = JSON.parse(blockOf(text, 'json event') ?? '{}')
    const { stdout } = await daemon.hook(event, { tool_use_id: 't1', ...payload })
    const [answer, entry] = [blockOf(text, 'json answer'), blockOf(text, 'json entry')]
    expect([answer, entry].filter(block => block !== undefined)).toHaveLength(1)
    // The page names files as seen from the project, and Belay by its name.
    const told = stdout.replaceAll(`${daemon.project}/`, '').replaceAll(`${programCommand()} why`, 'belay why')
    if (answer !== undefined) expect(JSON.parse(told)).toMatchObject(JSON.parse(answer))
    if (entry !== undefined) {
      const { kind, body } = JSON.parse(entry)
      expect((await daemon.entries(kind)).map(({ read }) => read)).toMatchObject([body])
    }
    await daemon.stop()
  })
})
