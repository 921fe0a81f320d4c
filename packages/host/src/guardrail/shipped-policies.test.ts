// The ready policies do what their first lines say.
import { readFileSync } from 'node:fs'
import type { HookEvent } from '@belay/core'
import { createFileView } from '@belay/core/match'
import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { genesisChecks } from '../config/genesis-checks.ts'
import { createProjectGuard, type ProjectGuard } from '../guard/project-guard.ts'

function guardOf(name: string): ProjectGuard {
  const text = readFileSync(new URL(`../../../../policies/${name}.key`, import.meta.url), 'utf8')
  const parsed = parseGenesis(text, `${name}.key`, genesisChecks)
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const loaded = { root: '/repo', files: [], policies: [parsed.policy], locked: null, trustProblem: null }
  return createProjectGuard({ loaded, belayHome: '/home/u/.belay', userHome: '/home/u', files: createFileView() })
}

function event(actor: string, toolName: string, toolInput: Record<string, unknown>): HookEvent {
  const rest = { transcriptPath: null, permissionMode: null, agent: 'x', commitment: null, env: {} }
  return { name: 'PreToolUse', sessionId: 's', cwd: '/repo', actor, fields: { toolName, toolInput }, ...rest }
}

const bash = (command: string) => ['Bash', { command }] as const
const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const

const cases: readonly [policy: string, actor: string, call: readonly [string, Record<string, unknown>], decision: string][] = [
  ['auditor', 'agent:a', ['Read', { file_path: 'src/a.ts' }], 'allow'],
  ['auditor', 'agent:a', bash('git diff HEAD~1 | head -5'), 'allow'],
  ['auditor', 'agent:a', bash('npm test'), 'allow'],
  ['auditor', 'agent:a', bash('echo x > src/a.ts'), 'deny'],
  ['auditor', 'agent:a', bash('git push'), 'deny'],
  ['auditor', 'agent:a', write('src/a.ts'), 'deny'],
  ['auditor', 'agent:a', ['Read', { file_path: '.env' }], 'deny'],
  ['trio', 'agent:architect', ['mentu_commit', {}], 'allow'],
  ['trio', 'agent:architect', ['mentu_approve', {}], 'deny'],
  ...['mcp__belay__', 'mcp__mentu__'].flatMap((server): typeof cases => [
    ['trio', 'agent:architect', [`${server}mentu_commit`, { text: 'mend the parser' }], 'allow'],
    ['trio', 'agent:architect', [`${server}mentu_approve`, { id: 'c1' }], 'deny'],
    ['trio', 'agent:executor', [`${server}mentu_claim`, { target: 'cmt_1' }], 'allow'],
    ['trio', 'agent:executor', [`${server}mentu_commit`, { text: 'my own idea' }], 'deny'],
    ['trio', 'agent:auditor', [`${server}mentu_approve`, { target: 'cmt_1', text: 'good' }], 'allow'],
  ]),
  ['trio', 'agent:architect', write('src/a.ts'), 'deny'],
  ['trio', 'agent:architect', bash('ls'), 'deny'],
  ['trio', 'agent:architect', ['Task', { subagent_type: 'executor' }], 'allow'],
  ['trio', 'agent:executor', ['mentu_claim', {}], 'allow'],
  ['trio', 'agent:executor', ['mentu_approve', {}], 'deny'],
  ['trio', 'agent:executor', bash('git commit -m x'), 'allow'],
  ['trio', 'agent:executor', bash('git push'), 'deny'],
  ['trio', 'agent:auditor', ['mentu_approve', {}], 'allow'],
  ['trio', 'agent:auditor', bash('npm test'), 'allow'],
  ['trio', 'agent:auditor', write('src/a.ts'), 'deny'],
  ['ci', 'agent:a', bash('npm ci && npm test'), 'allow'],
  ['ci', 'agent:a', write('src/a.ts'), 'allow'],
  ['ci', 'agent:a', write('.github/workflows/x.yml'), 'deny'],
  ['ci', 'agent:a', bash('curl https://example.com'), 'deny'],
  ['ci', 'agent:a', bash('git push'), 'deny'],
  ['ci', 'agent:a', bash('make'), 'deny'],
]

test.each(cases)('%s, %s: %j is %s', async (policy, actor, [tool, input], decision) => {
  const guard = guardOf(policy)
  const given = event(actor, tool, input)
  const { verdict } = decision === 'allow' ? { verdict: guard.judge({ tool, input }, given).verdict } : await guard.guard(given)
  expect(verdict.decision).toBe(decision)
})

const launchers = [
  ...['belay run --', 'belay run', 'belay run --agent-id x --', 'belay run --agent-id=x', 'mentu run --', 'belay mcp-proxy --'],
  ...[
    'belay mcp-proxy --server s --',
    'mentu mcp-proxy',
    'npx belay run --',
    'npx -y @belay/host@0.1.0 run --',
    'npm exec -- belay run --',
  ],
  ...[
    './node_modules/.bin/belay run --',
    'node packages/host/bin/belay.cjs run --',
    'node --no-warnings node_modules/@belay/host/dist/cli.cjs run --',
  ],
  ...[
    'env X=1 belay run -- nice',
    'belay run -- belay run -- env',
    'pnpm dlx @belay/host run --',
    'bunx belay run --',
    'yarn exec belay run --',
  ],
]

test.each(launchers)('%s starts nothing that a shipped policy forbids', async launcher => {
  for (const [policy, actor] of [
    ['trio', 'agent:executor'],
    ['trio', 'agent:auditor'],
    ['ci', 'agent:a'],
    ['auditor', 'agent:a'],
    ['strict', 'agent:executor'],
  ] as const) {
    const guard = guardOf(policy)
    const { verdict } = await guard.guard(event(actor, ...bash(`${launcher} git push`)))
    expect([policy, verdict.decision]).toEqual([policy, 'deny'])
  }
})

test('what a launcher of ours starts needs a rule of its own', () => {
  const judge = (command: string): string =>
    guardOf('trio').judge({ tool: 'Bash', input: { command } }, event('agent:executor', ...bash(command))).verdict.decision
  const commands = [
    'belay run -- npm test',
    'mentu run -- git status',
    'belay run -- make',
    'belay mcp-proxy -- ./server',
    'mentu run -- sh -c make',
    'belay status',
  ]
  expect(commands.map(judge)).toEqual(['allow', 'allow', 'deny', 'deny', 'deny', 'allow'])
})

describe('the guides show policies that Belay accepts', () => {
  const examples = ['guardrails', 'llm-hooks'].flatMap(name => {
    const guide = readFileSync(new URL(`../../../../docs/guide/${name}.md`, import.meta.url), 'utf8')
    return [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(match => [name, match[1] ?? ''] as const)
  })
  test.each(examples)('%s: %s', (_name, example) => {
    expect(parseGenesis(example, 'guide.md', genesisChecks)).toMatchObject({ ok: true, warnings: [] })
  })
})
