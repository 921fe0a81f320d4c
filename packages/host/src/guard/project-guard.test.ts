// Rules about MCP tools hold for agents that join the server's name to the tool's.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileView } from '@belay/core/match'
import { afterAll, expect, test } from 'vitest'
import { loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { createProjectGuard } from './project-guard.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-guard-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const policy = (fallback: string) => `version: "2.0"
permissions:
  default: ${fallback}
  actors:
    "agent:*":
      allow: ["gh_read", "gh_star", "mcp__gh__list", "mcp__gh__forget"]
      ask: ["mcp__gh__star"]
      deny: ["mcp__gh__delete_*", "mcp__my_db__drop", "gh_forget"]
`

function judge(agent: string, tool: string, fallback: string) {
  const [home, root] = [join(folder, 'home'), join(folder, 'project')]
  mkdirSync(join(home, 'policy'), { recursive: true })
  writeFileSync(join(home, 'policy', 'genesis.key'), policy(fallback))
  const loaded = loadPolicies({ cwd: root, home, etc: join(folder, 'etc'), checks: genesisChecks })
  const guard = createProjectGuard({ loaded, belayHome: home, userHome: folder, files: createFileView() })
  const event = {
    name: 'PreToolUse',
    sessionId: 's',
    cwd: root,
    transcriptPath: null,
    permissionMode: null,
    actor: `agent:${agent}`,
    agent,
    commitment: null,
    env: {},
    fields: {},
  }
  return guard.judge({ tool, input: {} }, event).verdict.decision
}

test.each([
  ['opencode', 'gh_delete_repo', 'none', 'deny'],
  ['opencode', 'my_db_drop', 'none', 'deny'],
  ['gemini', 'mcp_gh_delete_repo', 'none', 'deny'],
  ['copilot', 'gh-delete_repo', 'none', 'deny'],
  ['opencode', 'gh_star', 'none', 'ask'],
  ['opencode', 'gh_read', 'deny', 'allow'],
  ['opencode', 'gh_other', 'none', 'none'],
  ['claude-code', 'gh_delete_repo', 'none', 'none'],
  // Where the server is not known, an allow rule under the full name may mean another tool.
  ['opencode', 'gh_list', 'deny', 'deny'],
  ['copilot', 'gh-list', 'deny', 'deny'],
  // Where it is, both names are the tool's.
  ['opencode', 'mcp__gh__list', 'deny', 'allow'],
  ['opencode', 'mcp__gh__read', 'deny', 'allow'],
  ['opencode', 'mcp__gh__star', 'none', 'ask'],
  ['opencode', 'mcp__gh__forget', 'none', 'deny'],
  ['opencode', 'mcp__gh__other', 'none', 'none'],
  ['claude-code', 'mcp__gh__read', 'deny', 'deny'],
])('%s %s, by default %s: %s', (agent, tool, fallback, decision) => {
  expect(judge(agent, tool, fallback)).toBe(decision)
})
