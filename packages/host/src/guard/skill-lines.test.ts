// Lines that an agent runs by itself as it loads a skill, wherever the skill lies and however it is named: judged as the calls that they are.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileView } from '@belay/core/match'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { createProjectGuard } from './project-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-skill-lines-'))
const [home, root] = [join(folder, '.belay'), join(folder, 'code', 'project')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(git status)"]
      deny: ["Bash(deploy *)", "Read(.env)"]
      ask: ["Bash(release *)"]
`

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  put(join(home, 'policy', 'genesis.key'), POLICY)
  mkdirSync(join(root, 'src', 'deep'), { recursive: true })
})

async function decide(name: string, fields: Readonly<Record<string, unknown>>, cwd = root, agent = 'claude-code'): Promise<string> {
  const loaded = loadPolicies({ cwd: root, home, etc: join(folder, 'etc'), checks: genesisChecks })
  const guard = createProjectGuard({ loaded, belayHome: home, userHome: folder, files: createFileView() })
  const event = {
    ...{ name, sessionId: 's', cwd, transcriptPath: null, permissionMode: null, actor: `agent:${agent}`, agent },
    ...{ commitment: null, env: {}, fields },
  }
  return (await guard.guard(event)).verdict.decision
}

const call = (toolName: string, toolInput: Readonly<Record<string, unknown>>, cwd = root) =>
  decide('PreToolUse', { toolName, toolInput }, cwd)
const load = (skill = 'ship', args = '', cwd = root) => call('Skill', { skill, args }, cwd)
const skill = (body: string, head = '') => `---\ndescription: x\n${head}---\n${body}\n`

const PLACES = [
  ...['.claude/commands/ship.md', '.claude/commands/git/deep/ship.md', '.claude/skills/ship/SKILL.md', '.agents/skills/ship/SKILL.md'],
  ...['src/.claude/skills/ship/SKILL.md', 'src/deep/.claude/commands/ship.md', '../.claude/skills/ship/SKILL.md'],
  ...['../../.claude/skills/ship/SKILL.md', '../../.claude/commands/ship.md', '../../.claude/plugins/cache/m/p/1/skills/ship/SKILL.md'],
  ...['.claude/plugins/p/commands/ship.md', '.claude/skills/other/SKILL.md', '../../.claude/plugins/cache/m/p/1.0.2/commands/ship.md'],
]
const LINES: readonly (readonly [text: string, expected: string])[] = [
  ['!`deploy now`', 'deny'],
  ['Now: !`deploy now` and then', 'deny'],
  ['!`git status`\n!`deploy now`', 'deny'],
  ['!`git status; deploy now`', 'deny'],
  ['!`sh -c "deploy now"`', 'deny'],
  ['```!\ngit status\ndeploy now\n```', 'deny'],
  ['``` \n!`release x`\n```', 'ask'],
  ['!`release x`', 'ask'],
  ['!`release x`\n!`deploy now`', 'deny'],
  ['!`rm -rf ~/.belay`', 'deny'],
  ['!`"${CLAUDE_SKILL_DIR}/x.sh" src`', 'none'],
  ['!`git status`', 'none'],
  ['Run `deploy now`! And ```\ndeploy now\n```', 'none'],
  ['deploy now', 'none'],
]

describe.each(PLACES)('%s', place => {
  test.each(LINES)('%j: %s', async (text, expected) => {
    put(join(root, place), skill(text, place.includes('other') ? 'name: ship\n' : ''))
    expect(await load()).toBe(expected)
  })
})

describe('however it is loaded', () => {
  beforeEach(() => put(join(root, '.claude', 'skills', 'ship', 'SKILL.md'), skill('!`deploy now`')))

  test.each<[string, () => Promise<string>, string]>([
    ['by its name', () => load('ship'), 'deny'],
    ['with the name of a plugin before it', () => load('plugin:ship'), 'deny'],
    ['in other letters', () => load('SHIP'), 'deny'],
    ['by the older tool', () => call('SlashCommand', { command: '/ship it' }), 'deny'],
    ['from a folder below', () => load('ship', '', join(root, 'src', 'deep')), 'deny'],
    ['by the prompt', () => decide('UserPromptExpansion', { commandName: 'ship', commandArgs: 'x', prompt: '/ship x' }), 'deny'],
    ['another skill', () => load('other'), 'none'],
    ['another prompt', () => decide('UserPromptExpansion', { commandName: 'other' }), 'none'],
    ['a command', () => call('Bash', { command: 'git status' }), 'allow'],
  ])('%s', async (_how, run, expected) => {
    expect(await run()).toBe(expected)
  })

  test.each([
    ['a list', 'skills: [other, ship]\n', 'deny'],
    ['a text', 'skills: other, ship\n', 'deny'],
    ['other skills', 'skills: other\n', 'none'],
    ['none', '', 'none'],
  ])('a sub-agent that begins with %s', async (_what, head, expected) => {
    put(join(root, '.claude', 'agents', 'shipper.md'), skill('Do it.', head))
    put(join(root, '.claude', 'agents', 'x.md'), skill('Do it.', `name: named\n${head}`))
    expect(await call('Task', { subagent_type: 'shipper', prompt: 'x' })).toBe(expected)
    expect(await call('Agent', { subagent_type: 'named', prompt: 'x' })).toBe(expected)
    expect(await call('Agent', { subagent_type: 'general-purpose', prompt: 'x' })).toBe('none')
  })
})

const hooks = (command: string) =>
  `hooks:\n  PostToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ${command}\n`
const server = (command: string, args: string) => `mcpServers:\n  - x: {type: stdio, command: ${command}, args: ${args}}\n`
const HEADS: readonly (readonly [head: string, ofSkill: string, ofAgent: string])[] = [
  [hooks('deploy now'), 'deny', 'deny'],
  [hooks('release x'), 'ask', 'ask'],
  [hooks("sh -c 'deploy now'"), 'deny', 'deny'],
  [hooks('git status'), 'none', 'none'],
  [hooks('${CLAUDE_PLUGIN_ROOT}/scripts/x.sh && $CLAUDE_PROJECT_DIR/x src'), 'none', 'none'],
  [server('deploy', '[now]'), 'deny', 'deny'],
  [server('sh', '[-c, deploy now]'), 'deny', 'deny'],
  ['mcpServers: {x: {command: deploy, args: [now]}}\n', 'deny', 'deny'],
  ['mcpServers: [x, y]\n', 'none', 'none'],
  [server('git', '[status]'), 'none', 'none'],
]

test.each(HEADS)('%j in the frontmatter: %s of a skill, %s of a sub-agent', async (head, ofSkill, ofAgent) => {
  put(join(root, '.claude', 'skills', 'ship', 'SKILL.md'), skill('Do it.', head))
  put(join(root, '.claude', 'commands', 'go.md'), skill('Do it.', head))
  put(join(root, '.claude', 'agents', 'shipper.md'), skill('Do it.', head))
  expect([await load(), await load('go'), await call('Task', { subagent_type: 'shipper', prompt: 'x' })]).toEqual([
    ofSkill,
    ofSkill,
    ofAgent,
  ])
})

test.each([
  ['$ARGUMENTS', 'x; deploy now', 'deny'],
  ['echo $ARGUMENTS', 'x; deploy now', 'deny'],
  ['echo "$ARGUMENTS"', 'a" ; deploy "now', 'deny'],
  ['$0 $1', 'deploy now', 'deny'],
  ['$ARGUMENTS[1] $ARGUMENTS[0]', 'now deploy', 'deny'],
  ['$what now', 'deploy', 'deny'],
  ['git status', 'deploy now', 'none'],
  ['echo $ARGUMENTS', 'x', 'none'],
])('!`%s` with %j: %s', async (line, args, expected) => {
  put(join(root, '.claude', 'skills', 'ship', 'SKILL.md'), skill(`!\`${line}\``, 'arguments: [what]\n'))
  expect(await load('ship', args)).toBe(expected)
})

test('a folder that is a link, and what is no file', async () => {
  put(join(folder, 'elsewhere', 'SKILL.md'), skill('!`deploy now`'))
  mkdirSync(join(root, '.claude', 'skills'), { recursive: true })
  symlinkSync(join(folder, 'elsewhere'), join(root, '.claude', 'skills', 'ship'))
  expect(await load()).toBe('deny')
  mkdirSync(join(root, '.claude', 'commands', 'other.md'), { recursive: true })
  symlinkSync('.', join(root, '.claude', 'skills', 'round'))
  expect(await load('other')).toBe('none')
})

test('a question that nobody can be asked is a refusal', async () => {
  put(join(root, '.claude', 'commands', 'ship.md'), skill('!`release x`'))
  expect(await decide('UserPromptExpansion', { commandName: 'ship' })).toBe('deny')
})

const toml = (prompt: string) => `description = "x"\nprompt = ${JSON.stringify(prompt)}\n`
const BRACES: readonly (readonly [prompt: string, expected: string])[] = [
  ['!{deploy now}', 'deny'],
  ['Now: !{ deploy now } and then', 'deny'],
  ['!{git status} !{sh -c "deploy now"}', 'deny'],
  ["!{awk '{print $1}' x; deploy now}", 'deny'],
  ['!{release x}', 'ask'],
  ['!{rm -rf ~/.belay}', 'deny'],
  ['!{deploy {{args}}}', 'deny'],
  ['!{$ARGUMENTS}', 'deny'],
  ['!{git log {{args}}}', 'none'],
  ['@{.env}', 'deny'],
  ['@{src/note.txt} {{args}}', 'deny'],
  ['@{src} !{git status}', 'deny'],
  ['@{src/note.txt}', 'none'],
  ['!{git status}', 'none'],
  ['!{deploy now', 'none'],
  ['!`deploy now` and deploy now', 'none'],
]

describe.each(['.qwen/commands/ship.toml', '.qwen/commands/ship.md', '.qwen/extensions/e/commands/git/ship.toml'])('%s', place => {
  test.each(BRACES)('%j: %s', async (prompt, expected) => {
    put(join(root, 'src', 'note.txt'), 'see !{deploy now}')
    put(join(root, place), place.endsWith('.toml') ? toml(prompt) : skill(prompt))
    expect(await decide('PreToolUse', { toolName: 'skill', toolInput: { skill: 'ship', args: 'deploy now' } }, root, 'qwen')).toBe(expected)
  })
})

test.each([
  ['@.env', 'deny'],
  ['see @./.env, and more', 'deny'],
  ['@"src/../.env"', 'deny'],
  ['@$ARGUMENTS', 'deny'],
  ['@src/note.txt and @types/node, me@example.org', 'none'],
  ['.env', 'none'],
])('a text that says %j: %s', async (text, expected) => {
  put(join(root, '.env'), 'KEY=1')
  put(join(root, 'src', 'note.txt'), 'x')
  put(join(root, '.claude', 'skills', 'ship', 'SKILL.md'), skill(text))
  expect(await load('ship', '.env')).toBe(expected)
  expect(await decide('UserPromptExpansion', { commandName: 'ship', commandArgs: '.env' })).toBe(expected)
})

test('a file that is not there is not read', async () => {
  put(join(root, '.claude', 'skills', 'ship', 'SKILL.md'), skill('@.env'))
  expect(await load()).toBe('none')
})

/** Sub-agents whose description brings a server: it is started as they are. */
test.each([
  [
    'copilot',
    'Agent',
    'agent_type',
    '.github/agents/x.agent.md',
    skill('Do it.', 'mcp-servers: {x: {type: local, command: deploy, args: [now]}}\n'),
  ],
  ['gemini', 'invoke_agent', 'agent_name', '.gemini/agents/x.md', skill('Do it.', 'mcp_servers: {x: {command: deploy, args: [now]}}\n')],
  ['qwen', 'agent', 'subagent_type', '.qwen/agents/x.md', skill('Do it.', 'mcpServers: {x: {command: deploy, args: [now]}}\n')],
  ['codex', 'spawn_agent', 'agent_type', '.codex/agents/y.toml', 'name = "x"\n[mcp_servers.x]\ncommand = "deploy"\nargs = ["now"]\n'],
  ['opencode', 'task', 'subagent_type', '.opencode/agent/x.md', skill('Do it.', hooks('deploy now'))],
])('a sub-agent of %s', async (agent, toolName, field, place, text) => {
  put(join(root, place), text)
  const launch = (type: string) => decide('PreToolUse', { toolName, toolInput: { [field]: type, prompt: 'x' } }, root, agent)
  expect([await launch('x'), await launch('other')]).toEqual(['deny', 'none'])
})
