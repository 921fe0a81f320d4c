import { expect, test } from 'vitest'
import { parseGenesis } from './parse-genesis.ts'

const names = { tools: ['Bash', 'bash', 'Write', 'WebFetch'], ours: ['Bash', 'Write'], agents: ['claude-code', 'codex', 'executor'] }

function warningsOf(text: string): readonly string[] {
  return parseGenesis(text, 'g.key', { names }).warnings.map(({ place, message, remedy }) => `${place.line}: ${message}; ${remedy}`)
}

const policy = (actor: string, rule: string, matcher = 'Bash') => `version: "2.0"
permissions:
  actors:
    "${actor}": { deny: ["${rule}"] }
hooks:
  pre_tool_use: [{ matcher: "${matcher}", type: deny, config: { reason: no } }]
`

test.each<[string, string, string, readonly string[]]>([
  ['agent:executor', 'Bash(rm *)', 'Write(src/*)|Bash', []],
  ['agent:*', 'mcp__files__read', 'mcp__x__.*', []],
  ['*', 'mentu_commit(*)', '*', []],
  ['human:ada', 'Web*', 'Bash(a|b)', []],
  ['agent:night-shift', '*', 'Bash', []],
  ['agent:executor', 'Bsah(rm *)', 'Bash', ['4: no agent that is known has a tool `Bsah`; did you mean Bash?']],
  [
    'agent:executor',
    'Bash',
    'Wrtie(src/*)|WebFech',
    [
      '6: no agent that is known has a tool `Wrtie`; did you mean Write?',
      '6: no agent that is known has a tool `WebFech`; did you mean WebFetch?',
    ],
  ],
  ['agent:executor', 'bash(rm *)', 'Bash', ['4: calls never come as `bash`, so this never holds; did you mean Bash?']],
  [
    'agent:executor',
    'Deploy',
    'Bash',
    ['4: no agent that is known has a tool `Deploy`; tools of MCP servers are written mcp__SERVER__TOOL'],
  ],
  [
    'agnet:executor',
    'Bash',
    'Bash',
    ['4: no actor is called `agnet:executor`: actors begin with agent: or human:; did you mean agent:executor?'],
  ],
  ['executor', 'Bash', 'Bash', ['4: no actor is called `executor`: actors begin with agent: or human:; did you mean agent:executor?']],
  ['agent:cluade-code', 'Bash', 'Bash', ['4: no agent and no usual role is called `cluade-code`; did you mean agent:claude-code?']],
])('%s, %s, %s', (actor, rule, matcher, expected) => {
  expect(warningsOf(policy(actor, rule, matcher))).toEqual(expected)
})

test('a file of version 1.0 may have actors of its own', () => {
  expect(
    warningsOf(
      'version: "1.0"\npermissions:\n  actors:\n    "team:web": { operations: [commit] }\n    "humna:ada": { operations: [commit] }\n',
    ),
  ).toEqual(['5: no actor is called `humna:ada`: actors begin with agent: or human:; did you mean human:ada?'])
})

test('without a list of names none is doubted', () => {
  expect(parseGenesis(policy('executor', 'Bsah'), 'g.key').warnings).toEqual([])
})
