// Every source that hooks are drawn from: who asks for it, who has to trust it, and what holds when its file breaks, changes or goes.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homePaths } from '../config/home.ts'
import { addTrust, hashOf } from '../config/trust.ts'
import { loadGuard } from './load-guard.ts'

let base: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-sources-')))
  mkdirSync(join(base, 'repo', '.belay'), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const SHELL = '[[hooks]]\nevent = "PreToolUse"\n[hooks.shell]\ncommand = "check"\n'
const group = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command', command }] })
const NESTED = JSON.stringify({ hooks: { PreToolUse: [group('check')] } })
const SKILL =
  '---\nname: deploy\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: check\n---\n'

function write(path: string, text: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function trust(path: string, text: string): string {
  const file = write(path, text)
  addTrust(homePaths(join(base, 'home')).trust, file, hashOf(text))
  return file
}

const policy = (hooksFrom: string) => trust('repo/.belay/genesis.key', `version: "2.0"\nhooks_from: [genesis, ${hooksFrom}]\n`)

const load = (remember = false) =>
  loadGuard(join(base, 'repo'), { home: join(base, 'home'), etc: join(base, 'etc'), env: { HOME: join(base, 'user') }, remember })

/** The hooks that run, by their commands. */
function running(remember = false): readonly string[] {
  return load(remember).hooks.flatMap(({ hook: { handler }, inert }) =>
    handler.type === 'command' && inert === null ? [handler.command] : [],
  )
}

interface Place {
  readonly source: string
  readonly path: string
  readonly text: string
  readonly isUsers?: boolean
}

const claudeLike = (agent: string, path: string, text = NESTED): readonly Place[] => [
  { source: 'settings', path: `repo/${path}`, text },
  { source: 'settings', path: `user/${agent === 'windsurf' ? '.codeium/windsurf/hooks.json' : path}`, text, isUsers: true },
]
const flat = (event: string, more = {}) => JSON.stringify({ version: 1, hooks: { [event]: [{ command: 'check', ...more }] } })

const PLACES: readonly Place[] = [
  { source: 'hooks_toml', path: 'repo/.belay/hooks.toml', text: SHELL },
  { source: 'hooks_toml', path: 'home/hooks.toml', text: SHELL, isUsers: true },
  { source: 'hooks_toml', path: 'repo/.belay/hooks.json', text: flat('PreToolUse', { matcher: 'Bash' }) },
  { source: 'hooks_toml', path: 'home/hooks.json', text: '{"hooks":[{"event":"PreToolUse","shell":{"command":"check"}}]}', isUsers: true },
  ...claudeLike('claude-code', '.claude/settings.json'),
  ...claudeLike('codex', '.codex/hooks.json'),
  ...claudeLike('gemini', '.gemini/settings.json', NESTED.replace('PreToolUse', 'BeforeTool').replace('Bash', 'run_shell_command')),
  ...claudeLike('qwen', '.qwen/settings.json'),
  ...claudeLike('droid', '.factory/settings.json', NESTED.replace('Bash', 'Execute')),
  ...claudeLike('continue', '.continue/settings.json'),
  ...claudeLike('cursor', '.cursor/hooks.json', flat('beforeShellExecution')),
  ...claudeLike('windsurf', '.windsurf/hooks.json', flat('pre_run_command')),
  {
    source: 'settings',
    path: 'repo/.github/hooks/check.json',
    text: JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'check' }] } }),
  },
  { source: 'plugin', path: 'repo/hooks/hooks.json', text: NESTED },
  { source: 'plugin', path: 'repo/.claude-plugin/plugin.json', text: NESTED.replace('{', '{"name":"x",') },
  { source: 'plugin', path: 'repo/.claude/plugins/x/hooks/hooks.json', text: NESTED },
  { source: 'plugin', path: 'repo/.belay/plugins/x/hooks/hooks.json', text: NESTED },
  { source: 'plugin', path: 'home/plugins/x/hooks/hooks.json', text: NESTED, isUsers: true },
  { source: 'skill', path: 'repo/.belay/skills/deploy/SKILL.md', text: SKILL },
  { source: 'skill', path: 'repo/.claude/skills/deploy/SKILL.md', text: SKILL },
  { source: 'skill', path: 'home/skills/deploy/SKILL.md', text: SKILL, isUsers: true },
  { source: 'skill', path: 'repo/.belay/agents/deploy.md', text: SKILL },
  { source: 'skill', path: 'repo/.claude/agents/deploy.md', text: SKILL },
  { source: 'skill', path: 'home/agents/deploy.md', text: SKILL, isUsers: true },
  { source: 'skill', path: 'user/.claude/agents/deploy.md', text: SKILL, isUsers: true },
]

describe.each(PLACES)('$path', ({ source, path, text, isUsers = false }) => {
  test('runs where the policy asks for its source, once it is trusted', () => {
    const file = write(path, text)
    expect(running()).toEqual(source === 'hooks_toml' && isUsers ? ['check'] : [])
    policy(source)
    expect(running()).toEqual(isUsers ? ['check'] : [])
    expect(load().hooks.map(({ inert }) => inert)).toEqual([isUsers ? null : expect.stringContaining(`${file} is not trusted`)])
    trust(path, text)
    expect(running()).toEqual(['check'])
  })

  test('does not run where a policy leaves its source out', () => {
    trust(path, text)
    policy(source === 'skill' ? 'plugin' : 'skill')
    expect(running()).toEqual([])
  })

  test('runs on when the trusted file is changed or gone', () => {
    const file = trust(path, text)
    policy(source)
    write(path, text.replaceAll('check', 'other'))
    expect([running(), load().changes.map(({ kind }) => kind)]).toEqual([['check'], ['edited']])
    write(path, '')
    expect([running(), load().changes.map(({ kind }) => kind)]).toEqual([['check'], ['broken']])
    rmSync(file)
    expect([running(), load().changes.map(({ kind }) => kind)]).toEqual([['check'], ['removed']])
    rmSync(dirname(file), { recursive: true })
    if (dirname(file) !== join(base, 'repo', '.belay') && dirname(file) !== join(base, 'home'))
      expect([running(), load().changes.map(({ kind }) => kind)]).toEqual([['check'], ['removed']])
  })

  test('holds as it was when the text cannot be read any more, and closes the gate where it never could', () => {
    policy(source)
    const broken = path.endsWith('.md') ? text.replace('name: deploy', 'name: [') : '{['
    write(path, broken)
    expect(load()).toMatchObject({ loaded: { locked: { place: { file: join(base, path) } } }, observesOnly: false })
    trust(path, text)
    write(path, broken)
    expect([running(), load().loaded.locked, load().changes.map(({ kind }) => kind)]).toEqual([['check'], null, ['broken']])
  })
})

test('a file of an agent may change in what is not a hook', () => {
  policy('settings')
  trust('repo/.claude/settings.json', NESTED)
  write('repo/.claude/settings.json', JSON.stringify({ model: 'x', ...JSON.parse(NESTED) }, null, 2))
  expect([running(), load().changes]).toEqual([['check'], []])
})

test('the daemon accepts the files of the user as it first finds them', () => {
  policy('hooks_toml, settings')
  write('home/hooks.toml', SHELL)
  write('user/.claude/settings.json', NESTED)
  expect(running(true)).toEqual(['check', 'check'])
  rmSync(join(base, 'home', 'hooks.toml'))
  write('user/.claude/settings.json', '{}')
  expect([running(), load().changes.map(({ kind }) => kind)]).toEqual([
    ['check', 'check'],
    ['removed', 'edited'],
  ])
})

describe('a bad hook in hooks.toml is an error of the whole file', () => {
  const shell = (lines: string) => `[[hooks]]\n${lines}\n[hooks.shell]\ncommand = "check"\n`
  const webhook = (lines: string) => `[[hooks]]\nevent = "PreToolUse"\n[hooks.webhook]\n${lines}\n`
  test.each<[string, string, RegExp]>([
    ['no TOML', '[[hooks\n', /not TOML/],
    ['a bad regular expression', shell('event = "PreToolUse"\nmatcher = "^(Bash"'), /not a valid regular expression/],
    ['a look-around', shell('event = "PreToolUse"\nmatcher = "^(?!Bash).*"'), /regular expression|linear time/],
    ['an unknown event', shell('event = "PreTolUse"'), /fires no event named "PreTolUse"; did you mean PreToolUse/],
    ['no event', shell('name = "x"'), /^a hook without an event never runs: write for example event = "PreToolUse"$/],
    ['a misspelt event', shell('evnt = "PreToolUse"'), /^a hook without an event never runs: did you mean event where it says evnt\?$/],
    ['neither event nor handler', '[[hooks]]\nname = "x"\n', /^a hook without an event never runs: write/],
    ['no handler', '[[hooks]]\nevent = "PreToolUse"\n', /exactly one of/],
    ['two handlers', `${SHELL}[hooks.webhook]\nurl = "https://x.example"\n`, /exactly one of/],
    ['no command', '[[hooks]]\nevent = "PreToolUse"\n[hooks.shell]\ncomand = "check"\n', /no "command"/],
    ['a negative timeout', shell('event = "PreToolUse"\ntimeout_sec = -5'), /timeout_sec is -5/],
    ['a timeout of zero', shell('event = "PreToolUse"\ntimeout = 0'), /timeout is 0/],
    ['a timeout that is text', shell('event = "PreToolUse"\ntimeout_sec = "5"'), /timeout_sec is "5"/],
    ['a method that is not sent', webhook('url = "https://x.example"\nmethod = "Get"'), /method is "Get"/],
    ['an address of another kind', webhook('url = "ftp://x.example"'), /url is "ftp:/],
    ['no address', webhook('method = "POST"'), /no "url"/],
    ['a fail that means nothing', shell('event = "PreToolUse"\nfail = "close"'), /fail is "close"/],
    [
      'a misspelt table',
      SHELL.replace('[[hooks]]', '[[hook]]').replace('hooks.shell', 'hook.shell'),
      /unknown key "hook"; did you mean hooks/,
    ],
    ['hooks that are none', 'hooks = 3\n', /"hooks" holds neither/],
  ])('%s', (_title, text, message) => {
    const isTop = text.startsWith('hooks =')
    const bad = isTop ? text : `${SHELL}${text}`
    for (const each of [text, bad]) {
      write('repo/.belay/hooks.toml', each)
      expect(load().loaded.locked?.message).toMatch(message)
      expect(running()).toEqual([])
    }
    trust('repo/.belay/hooks.toml', SHELL)
    write('repo/.belay/hooks.toml', bad)
    expect([running(), load().loaded.locked]).toEqual([['check'], null])
    expect(load().hookFiles.flatMap(({ errors }) => errors.map(error => error.message))).toContainEqual(expect.stringMatching(message))
  })

  test.each<[string, string]>([
    ['switched off', shell('event = "PreTolUse"\nenabled = false')],
    ['a method in small letters', webhook('url = "https://x.example"\nmethod = "Post"')],
  ])('%s is none', (_title, text) => {
    write('home/hooks.toml', text)
    expect([load().loaded.locked, load().diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([null, []])
  })
})

describe('switched off', () => {
  test.each<[string, string, string]>([
    ['config.toml', 'home/config.toml', '[hooks]\ndisable_all_hooks = true\n'],
    ['config.toml, managed only', 'home/config.toml', '[hooks]\nallow_managed_hooks_only = true\n'],
    ['hooks.toml', 'home/hooks.toml', 'disable_all_hooks = true\n'],
    ['hooks.toml, managed only', 'home/hooks.toml', 'allow_managed_hooks_only = true\n'],
    ['hooks.json', 'home/hooks.json', '{"disableAllHooks": true, "hooks": {}}'],
    ['hooks.json, managed only', 'home/hooks.json', '{"allowManagedHooksOnly": true}'],
  ])('by %s: every hook but those of policies, whatever its source', (_title, path, text) => {
    policy('hooks_toml, settings, plugin, skill')
    trust('repo/.belay/hooks.toml', SHELL)
    trust('repo/.claude/settings.json', NESTED)
    trust('repo/hooks/hooks.json', NESTED)
    trust('repo/.belay/skills/deploy/SKILL.md', SKILL)
    expect(running()).toEqual(['check', 'check', 'check', 'check'])
    write(path, path.endsWith('hooks.toml') ? `${text}${SHELL}` : text)
    const count = path.endsWith('hooks.toml') ? 5 : 4
    expect(load().hooks.map(({ inert }) => inert)).toEqual(Array(count).fill(expect.stringContaining(join(base, path))))
  })

  test('by a file that nobody trusts: nothing', () => {
    write('home/hooks.toml', SHELL)
    write('repo/.belay/hooks.json', '{"disableAllHooks": true}')
    expect(running()).toEqual(['check'])
  })
})
