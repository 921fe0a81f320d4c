import { describe, expect, it } from 'vitest'
import { detectDialect } from './detect-dialect.ts'
import { parseText } from './parse-text.ts'
import { walkHooks } from './walk-hooks.ts'

function detect(text: string, path?: string): string {
  const parsed = parseText(text, path)
  return detectDialect(parsed, walkHooks(parsed.root), path).id
}

describe('by path', () => {
  it.each([
    ['.claude/settings.json', 'claude'],
    ['/home/a/.codex/hooks.json', 'codex'],
    ['.gemini/settings.json', 'gemini'],
    ['.qwen/settings.json', 'qwen'],
    ['.cursor/hooks.json', 'cursor'],
    ['.github/hooks/x.json', 'copilot'],
    ['.windsurf/hooks.json', 'windsurf'],
    ['.devin/hooks.json', 'devin'],
    ['.kiro/agents/a.json', 'kiro'],
    ['.factory/settings.json', 'factory'],
    ['a/opencode.jsonc', 'opencode'],
    ['.augment/settings.json', 'augment'],
    ['.codebuddy/settings.json', 'codebuddy'],
    ['.iflow/settings.json', 'iflow'],
    ['.belay/hooks.json', 'belay'],
    ['.claude/templates/.cursor/hooks.json', 'cursor'],
    ['C:\\x\\.claude\\settings.json', 'claude'],
  ])('%s', (path, expected) => {
    expect(detect('{"hooks": {"Stop": []}}', path)).toBe(expected)
  })
})

describe('by content', () => {
  it.each([
    ['{"hooks": {"Stop": []}}', 'claude'],
    ['{"hooks": {"BeforeTool": []}}', 'gemini'],
    ['{"hooks": {"pre_run_command": []}}', 'windsurf'],
    ['{"version": 1, "hooks": {"beforeShellExecution": [], "stop": []}}', 'cursor'],
    ['{"version": 1, "hooks": {"userPromptSubmitted": [], "sessionStart": []}}', 'copilot'],
    ['{"hooks": {"PreToolUse": [{"type": "command", "bash": "x", "timeoutSec": 3}]}}', 'copilot'],
    ['{"hooks": {"agentSpawn": [{"command": "x"}]}}', 'kiro'],
    ['{"when": {"type": "fileEdited"}, "then": {"type": "askAgent"}}', 'kiro'],
    ['{"hooks": [{"trigger": "PreToolUse", "action": {"type": "command"}}]}', 'kiro'],
    ['{"commandDenylist": ["x"]}', 'factory'],
    ['{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "${DROID_PLUGIN_ROOT}/x"}]}]}}', 'factory'],
    ['{"permission": {"bash": "ask"}}', 'opencode'],
    ['{"toolPermissions": []}', 'augment'],
    ['{"permissions": {"allow": []}, "$version": 3}', 'qwen'],
    ['{"coreTools": []}', 'gemini'],
    ['[[hooks]]\nevent = "Stop"', 'hooks-toml'],
    ['[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"', 'codex'],
    ['notify = ["x"]', 'codex'],
    ['[[rule]]\ndecision = "deny"', 'gemini'],
    ['version: "2.0"\nhooks:\n  pre_tool_use: []\n', 'genesis'],
    ['permissions:\n  actors:\n    x: {}\n', 'genesis'],
    ['---\nname: x\nhooks:\n  Stop: []\n---\n', 'claude'],
    ['---\nmode: subagent\npermission:\n  bash: deny\n---\n', 'opencode'],
  ])('%s', (text, expected) => {
    expect(detect(text)).toBe(expected)
  })
})
