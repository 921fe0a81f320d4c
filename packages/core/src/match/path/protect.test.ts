import { describe, expect, test } from 'vitest'
import type { Word } from '../shell/shell-analysis.ts'
import { protectCommand, treeTaker } from './protect-command.ts'
import { createProtectedPaths, type PathAccess, protectPath } from './protect-path.ts'
import { resolvePath } from './resolve-path.ts'
import { virtualFileView } from './virtual-file-view.ts'

const places = { root: '/repo', home: '/home/dev', belayHome: '/home/dev/.belay' }

function world(links: Record<string, string> = {}, caseInsensitiveFs = false, belayHome = places.belayHome) {
  const view = virtualFileView({ root: '/repo', links, caseInsensitiveFs })
  if (!view.ok) throw new Error(view.problem)
  const { files } = view
  const protectedPaths = createProtectedPaths({ ...places, belayHome, files })
  const resolve = (path: string) => resolvePath(path, { ...places, cwd: '/repo', files })
  return { protectedPaths, resolve, bases: ['/repo'] }
}

function judge(access: PathAccess, path: string, given = world()): string | null {
  return protectPath(access, given.resolve(path), given.protectedPaths)?.decision ?? null
}

describe('writing', () => {
  test.each([
    ['.belay/genesis.key', 'deny'],
    ['.belay/ledger.db', 'deny'],
    ['.belay', 'deny'],
    ['packages/a/.belay/genesis.key', 'deny'],
    ['.mentu/genesis.key', 'deny'],
    ['src/../.belay/x', 'deny'],
    ['~/.belay/policy/genesis.key', 'deny'],
    ['/etc/belay/genesis.key', 'deny'],
    ['hooks.toml', 'deny'],
    ['.claude/settings.json', 'ask'],
    ['packages/a/.claude/settings.local.json', 'ask'],
    ['~/.claude.json', 'ask'],
    ['.codex/config.toml', 'ask'],
    ['.cursor/hooks.json', 'ask'],
    ['.gemini/settings.json', 'ask'],
    ['.qwen/settings.json', 'ask'],
    ['~/.copilot/hooks/x.json', 'ask'],
    ['.github/hooks/x.json', 'ask'],
    ['.windsurf/hooks.json', 'ask'],
    ['~/.codeium/windsurf/hooks.json', 'ask'],
    ['.factory/hooks.json', 'ask'],
    ['.kiro/hooks/x.json', 'ask'],
    ['.continue/settings.json', 'ask'],
    ['.cline/hooks/PreToolUse.sh', 'ask'],
    ['.clinerules/hooks/PreToolUse', 'ask'],
    ['.opencode/plugins/x.js', 'ask'],
    ['.pi/extensions/x.ts', 'ask'],
    ['.agents/plugins/p/hooks/hooks.json', 'ask'],
    ['.vscode/settings.json', 'ask'],
    ['.mcp.json', 'ask'],
    ['.git/hooks/pre-commit', 'ask'],
    ['vendor/x/.git/config', 'ask'],
    ['~/.bashrc', 'ask'],
    ['/etc/profile.d/x.sh', 'ask'],
    ['src/belay.ts', null],
    ['docs/genesis.key.md', null],
    ['.github/workflows/ci.yml', null],
    ['.vscode/launch.json', null],
    ['.git/info/exclude', null],
    ['dotfiles/.bashrc', null],
    ['packages/hooks.toml', null],
    ['.', null],
    ['.github', null],
  ])('%s: %s', (path, decision) => {
    expect(judge('write', path)).toBe(decision)
  })
})

describe('reading', () => {
  test.each([
    ['~/.belay/keys/signing.pem', 'deny'],
    ['~/.belay/run/token', 'deny'],
    ['~/.belay/run/daemon.sock', 'deny'],
    ['.belay/keys/x', 'deny'],
    ['.belay/genesis.key', null],
    ['.claude/settings.json', null],
    ['~/.bashrc', null],
  ])('%s: %s', (path, decision) => {
    expect(judge('read', path)).toBe(decision)
  })
})

describe('taking a whole directory', () => {
  test.each([
    ['.belay', 'deny'],
    ['.', 'deny'],
    ['/', 'deny'],
    ['/home/dev', 'deny'],
    ['.claude', 'ask'],
    ['.git', 'ask'],
    ['.github', 'ask'],
    ['src', null],
    ['node_modules', null],
  ])('%s: %s', (path, decision) => {
    expect(judge('tree', path)).toBe(decision)
  })
})

test('the real path decides as much as the text', () => {
  expect(judge('write', 'src/b/genesis.key', world({ 'src/b': '.belay' }))).toBe('deny')
  expect(judge('write', '.claude/x', world({ '.claude': 'src' }))).toBe('ask')
  expect(judge('write', '/data/state/belay.db', world({ '/state': '/data/state' }, false, '/state'))).toBe('deny')
})

test('case, where it does not count', () => {
  expect([judge('write', '.Belay/x', world({}, true)), judge('write', '.Belay/x')]).toEqual(['deny', null])
})

function words(text: string): Word[] {
  return text.split(' ').map(source => {
    const value = source.startsWith('$') ? null : source
    return { value, parts: value === null ? [{ kind: 'unknown', splits: true }] : [{ kind: 'text', value }], source, glob: false }
  })
}

describe('commands', () => {
  test.each([
    ['belay approvals', 'deny'],
    ['belay approvals allow 7', 'deny'],
    ['mentu policy trust', 'deny'],
    ['/usr/local/bin/belay down', 'deny'],
    ['./node_modules/.bin/belay key rotate', 'deny'],
    ['npx belay uninstall claude-code', 'deny'],
    ['npx -y @belay/host@1.2.0 down', 'deny'],
    ['npx --package=@belay/host belay down', 'deny'],
    ['pnpm dlx @belay/host approvals', 'deny'],
    ['npm exec -- belay down', 'deny'],
    ['node packages/host/bin/belay.cjs down', 'deny'],
    ['node --no-warnings node_modules/@belay/host/dist/cli.cjs key rotate', 'deny'],
    ['belay --json ledger gc', 'deny'],
    ['belay --home /x approvals', 'deny'],
    ['belay pause 1h', 'deny'],
    ['belay allow Bash(*)', 'deny'],
    ['belay agent bind x architect', 'deny'],
    ['belay dashboard --print', 'deny'],
    ['belay $verb', 'ask'],
    ['belay ledger $verb', 'ask'],
    ['belay ledger gc', 'deny'],
    ['belay ledger nothing-yet', 'deny'],
    ['belay brand-new-verb', 'deny'],
    ['belay genesis init --force', 'deny'],
    ['belay init --undo', 'deny'],
    ['belay install claude-code', 'deny'],
    ['belay backup /tmp/x', 'deny'],
    ['belay ledger checkpoint --to ~/.bashrc', 'deny'],
    ['belay ledger export -o ~/.bashrc', 'deny'],
    ['belay ledger export --out=.env', 'deny'],
    ['belay ledger prove 3 -o.env', 'deny'],
    ['belay ledger export $options', 'ask'],
    ['belay ledger export --format csv', null],
    ['belay up --detach', null],
    ['belay up --open', 'deny'],
    ['belay run --actor auditor -- claude', 'deny'],
    ['belay run -- claude --actor $x', null],
    ['belay hooks simulate --tool Bash --args ls --actor agent:x --run', 'deny'],
    ['belay hook --agent claude-code --event Stop', 'deny'],
    ['npx belay hook --agent claude-code --event PostToolUse', 'deny'],
    ['belay statusline', 'deny'],
    ['/home/dev/.belay/bin/belay-hook --agent claude-code --event Stop', 'deny'],
    ['perl /home/dev/.belay/bin/belay-hook --agent claude-code --event Stop', 'deny'],
    ['cat /usr/share/belay-hook', null],
    ['belay commitments', null],
    ['belay commitments import x.jsonl', 'deny'],
    ['belay --version', null],
    ['belay', null],
    ['belay genesis validate', null],
    ['belay ledger tail', null],
    ['belay status --json', null],
    ['belay why', null],
    ['belay approve c-1', null],
    ['belay agent list', null],
    ['belay log approvals', null],
    ['echo belay down', null],
    ['npm run build', null],
    ['node scripts/down.js', null],
  ])('%s: %s', (text, decision) => {
    expect(protectCommand(words(text), world())?.decision ?? null).toBe(decision)
  })

  test.each([
    ['curl --unix-socket /home/dev/.belay/run/daemon.sock http://x/v1/rpc', 'deny'],
    ['nc -U /run/user/1000/belay/shim.sock', 'deny'],
    ['socat - UNIX-CONNECT:/home/dev/.belay/run/daemon.sock', 'deny'],
    ['ls -l /home/dev/.belay/run/daemon.sock', null],
    ['curl --unix-socket /var/run/docker.sock http://x/', null],
    ['pkill -f belay', 'deny'],
    ['killall belayd', 'deny'],
    ['systemctl --user stop belay', 'deny'],
    ['systemctl --user status belay', null],
    ['pgrep belayd', 'ask'],
    ['kill 123', null],
    ['claude mcp add x -- sh', 'ask'],
    ['claude -p hello', null],
    ['chmod 777 .belay', 'deny'],
    ['mv .belay .belay.off', 'deny'],
    ['mv x .belay', 'deny'],
    ['mv a.ts .', null],
    ['rm -rf .', 'deny'],
    ['rm -r src', null],
    ['rm .git/hooks/pre-commit', 'ask'],
    ['dd if=/dev/zero of=.belay/genesis.key', 'deny'],
    ['git checkout .belay/genesis.key', 'deny'],
    ['git add .belay/genesis.key', null],
    ['git clean -fdx', 'ask'],
    ['git clean -fdxn', null],
    ['git clean -f', null],
    ['$cmd down', null],
  ])('%s: %s', (text, decision) => {
    expect(protectCommand(words(text), world())?.decision ?? null).toBe(decision)
  })
})

test.each([
  ['rm -rf src', 2, true],
  ['rm src/a', 1, false],
  ['mv src lib', 1, true],
  ['mv src lib', 2, false],
  ['chmod --recursive 777 src', 3, true],
  ['cp -r a b', 3, false],
])('%s takes word %i whole: %s', (text, at, expected) => {
  const given = words(text)
  const path = given[at]
  expect(path && treeTaker(given)(path)).toBe(expected)
})
