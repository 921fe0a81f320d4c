// An agent started without Belay's hooks, and Belay's own package changed: both ask, whatever the rules allow.
import { expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string): string {
  const request = { tool: 'Bash', input: { command }, allow: ['Bash(*)'], default: 'allow' }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

test.each([
  ...['claude -p x --settings \'{"disableAllHooks":true}\'', 'claude --settings=evil.json -p x', 'claude --setting-sources project -p x'],
  ...['claude --bare -p x', 'npx claude --bare -p x', 'npx @anthropic-ai/claude-code --bare -p x', 'node_modules/.bin/claude --bare -p x'],
  ...['HOME=/tmp/x claude -p x', 'env HOME=/tmp/x claude -p x', 'env -i claude -p x', 'CLAUDE_CONFIG_DIR=/tmp/x claude -p x'],
  ...[
    'export CLAUDE_CONFIG_DIR=/tmp/x; claude -p x',
    'SHELLOPTS=noexec claude -p x',
    'LD_PRELOAD=/tmp/x.so claude -p x',
    'timeout 9 claude --bare',
  ],
  ...[
    'PATH=/tmp/x:$PATH claude -p x',
    'CODEX_HOME=/tmp/x codex exec x',
    'codex -c features.hooks=false exec x',
    "codex -c 'hooks={}' exec x",
  ],
  ...[
    'codex --disable hooks exec x',
    'codex exec --ignore-user-config x',
    'XDG_CONFIG_HOME=/tmp/x opencode run x',
    'opencode run --pure x',
  ],
  ...['HOME=/tmp/x; claude -p x', 'export HOME=/tmp/x; claude -p x', 'HOME=/tmp/x; export HOME; claude -p x', 'unset HOME && codex exec x'],
  ...['read -r HOME < f; claude -p x', '(HOME=/x; claude -p x)', 'f() { claude -p x; }; HOME=/x f', 'declare -x HOME=/x; codex exec x'],
  ...['printf -v HOME /x; claude -p x', 'eval HOME=/x; claude -p x', 'LD_PRELOAD=/x.so; export LD_PRELOAD; gemini -p x'],
  ...['SIMPLE', 'SAFE_MODE', 'PERSONAL_HOOKS_OFF', 'MANAGED_SETTINGS_PATH', 'SHELL_PREFIX', 'PLUGIN_DIRS'].flatMap(name => [
    `CLAUDE_CODE_${name}=1 claude -p x`,
    `export CLAUDE_CODE_${name}=1; claude -p x`,
  ]),
  ...['QWEN_CODE_SAFE_MODE=1 qwen -p x', 'QWEN_HOME=/x qwen -p x', 'GROK_HOME=/x grok -p x', 'CLINE_DATA_DIR=/x cline x'],
  ...['PI_CODING_AGENT_DIR=/x pi -p x', 'qwen --bare -p x', 'qwen --safe-mode -p x', 'pi -ne -p x', 'cline --config /x y'],
  ...['npx -y @anthropic-ai/claude-code@1.0.0 -p x', 'bunx @qwen-code/qwen-code@0.1 -p x', 'npm i -g @openai/codex@0.20.0'],
  ...['npx @anthropic-ai/claude-code@latest --bare', 'node ~/.claude/local/node_modules/@anthropic-ai/claude-code/cli.js --bare'],
  ...["sh -c 'claude --bare -p x'", 'echo x | xargs claude --bare -p', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini -p x'],
])('an agent without our hooks: %s', command => {
  expect(decide(command)).toBe('ask')
})

test.each([
  ...['npm uninstall -g @belay/host', 'npm i @belay/host@0.0.1', 'npm install -g @belay/host@latest', 'pnpm remove @belay/host'],
  ...['yarn global remove @belay/host', 'bun add -g @belay/host', 'npm link @belay/host', 'npm i x @belay/core', 'sudo npm rm -g belay'],
])('our package: %s', command => {
  expect(decide(command)).toBe('ask')
})

test.each([
  ...[
    "claude -p 'fix the tests'",
    'codex exec x',
    'gemini -p x',
    'opencode run x',
    'claude --model opus -p x',
    'env FOO=1 claude -p x',
    'env -i ls',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS=3 claude -p x',
    'CLAUDE_CODE_USE_BEDROCK=1 claude -p x',
    'npx @openai/codex@latest exec x',
    'qwen -p x',
    'pi -p x',
    'npm i vite@5.0.0',
    'node node_modules/vite/bin/vite.js build',
  ],
  ...['FOO=1; claude -p x', 'export DEBUG=1; codex exec x', 'HOME=/tmp/x; npm test', 'unset FOO; claude -p x'],
  ...['HOME=/tmp/x npm test', 'npm install', 'npm view @belay/host', 'npx belay status', 'npm i lodash', 'export PATH=/x:$PATH', 'code .'],
])('ordinary work is left alone: %s', command => {
  expect(decide(command)).toBe('allow')
})
