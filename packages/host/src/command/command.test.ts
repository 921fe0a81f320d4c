import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HELP } from './help.ts'
import type { CommandIo } from './io.ts'
import { buildProgram, runProgram } from './program.ts'

let base: string
let repo: string
let home: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-command-')))
  repo = join(base, 'repo')
  home = join(base, 'home')
  mkdirSync(repo)
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function belay(...argv: string[]): Promise<Ran> {
  return run(argv, [])
}

async function run(argv: readonly string[], stdin: readonly (string | Uint8Array)[]): Promise<Ran> {
  const written = { out: '', err: '' }
  const io: CommandIo = {
    stdin: (async function* () {
      yield* stdin
    })(),
    stdout: { write: text => (written.out += text) },
    stderr: { write: text => (written.err += text) },
    env: { BELAY_HOME: home, HOME: base },
    cwd: repo,
    isTty: false,
    etc: join(base, 'etc'),
  }
  const code = await runProgram(argv, io)
  return { code, ...written }
}

function write(path: string, text: string): string {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const PRD = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(rm *)"
      type: deny
      config:
        reason: "Delete commands blocked"
permissions:
  actors:
    agent:executor:
      allow:
        - "Bash(git *)"
      deny:
        - "Bash(rm -rf *)"
    agent:architect:
      deny:
        - "Write(*)"
`

describe("the PRD's verification commands", () => {
  test('genesis validate', async () => {
    const file = write('test-genesis.key', PRD)
    const { code, out, err } = await belay('genesis', 'validate', file)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/test-genesis\.key: valid \(version 2\.0, 1 hook, 3 rules, [0-9a-f]{12}\)\n$/)
  })

  test.each([
    ['Bash(git *)', 'Bash', 'git commit -m test', 0, 'match\n'],
    ['Bash(rm -rf *)', 'Bash', 'rm -rf /', 0, 'match\n'],
    ['Write(src/*)', 'Write', 'src/components/Button.tsx', 0, 'match\n'],
    ['Write(src/*)', 'Write', 'lib/x.ts', 1, 'no match\n'],
    ['Bash(git *)', 'Bash', 'gitk', 1, 'no match\n'],
    ['mentu_commit(*)', 'mentu_commit', 'x', 0, 'match\n'],
    ['Task(executor)', 'Task', 'executor', 0, 'match\n'],
  ])('hooks test-pattern %s %s %s', async (pattern, tool, argument, code, out) => {
    expect(await belay('hooks', 'test-pattern', pattern, tool, argument)).toEqual({ code, out, err: '' })
  })

  test('hooks simulate', async () => {
    write('repo/.mentu/genesis.key', PRD)
    const allowed = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'git status', '--actor', 'agent:executor')
    expect(allowed.code).toBe(0)
    expect(allowed.out).toMatch(
      /PreToolUse Bash by agent:executor\n {2}1\. {2}deny {2}Bash\(rm \*\) {2}does not match\n {2}permissions: allow/,
    )
    expect(allowed.out).toMatch(/result: allow\n/)
    const denied = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls && rm x', '--actor', 'agent:executor')
    expect(denied.code).toBe(1)
    expect(denied.out).toMatch(/result: deny\n {2}Tool denied: Delete commands blocked\n$/)
  })
})

describe('genesis validate', () => {
  test('every error is on stderr with its place, exit 1', async () => {
    write('repo/bad.key', 'version: "2.0"\nhoks: {}\npermissions: {default: maybe}\n')
    const { code, out, err } = await belay('genesis', 'validate', 'bad.key')
    expect([code, out]).toEqual([1, ''])
    expect(err.split('\n').slice(0, 4)).toEqual([
      'bad.key:2:1: error: a policy has no section `hoks`',
      '  did you mean hooks?',
      'bad.key:3:24: error: `permissions.default` is `maybe`, expected one of none, ask, deny, allow',
      '  use one of none, ask, deny, allow',
    ])
  })

  test('built-in hooks have their config checked', async () => {
    write('repo/bad.key', 'version: "2.0"\nhooks:\n  stop:\n    - {type: approval_gate, config: {approvers: 3}}\n')
    const { code, err } = await belay('genesis', 'validate', 'bad.key')
    expect(code).toBe(1)
    expect(err).toMatch(/^bad\.key:4:49: error: approval_gate: .*approvers/)
  })

  test('--json', async () => {
    write('repo/bad.key', 'version: "2.0"\nhoks: {}\n')
    const { code, out } = await belay('genesis', 'validate', 'bad.key', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      ok: false,
      errors: [
        {
          severity: 'error',
          file: 'bad.key',
          line: 2,
          column: 1,
          message: 'a policy has no section `hoks`',
          remedy: 'did you mean hooks?',
        },
      ],
      warnings: [],
      files: [{ file: 'bad.key', ok: false, version: null, hash: null, trusted: null, hooks: null, rules: null }],
    })
  })

  test('without FILE: every policy that holds, and whether it is trusted', async () => {
    expect(await belay('genesis', 'validate')).toMatchObject({ code: 1, err: expect.stringMatching(/no policy holds in/) })
    write('home/policy/genesis.key', PRD)
    write('repo/.belay/genesis.key', PRD)
    const { code, out, err } = await belay('genesis', 'validate')
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(3)
    expect(err).toMatch(/not trusted: only its deny and ask rules hold/)
  })

  test('a file that is not there is exit 2', async () => {
    expect(await belay('genesis', 'validate', 'none.key')).toEqual({ code: 2, out: '', err: 'belay: none.key: there is no such file\n' })
  })
})

describe('genesis init', () => {
  test('writes a policy for the stack, trusts it, and does not overwrite it', async () => {
    write('repo/package.json', '{}')
    write('repo/Cargo.toml', '')
    const made = await belay('genesis', 'init')
    expect(made.code).toBe(0)
    expect(made.out).toMatch(/Wrote .*\.belay\/genesis\.key for npm, rust\. It is trusted/)
    const file = join(repo, '.belay', 'genesis.key')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('- "Bash(npm test *)"')
    expect(text).toContain('- "Bash(cargo publish *)"')
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out)).toMatchObject({
      ok: true,
      warnings: [],
      files: [{ trusted: true }],
    })
    expect(await belay('genesis', 'init')).toMatchObject({ code: 1, out: '' })
    writeFileSync(file, 'broken: [')
    expect((await belay('genesis', 'init', '--force')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('what it writes leaves the rest to the agent', async () => {
    await belay('genesis', 'init')
    const verdict = async (command: string): Promise<unknown> =>
      JSON.parse((await belay('hooks', 'simulate', '--tool', 'Bash', '--args', command, '--actor', 'agent:x', '--json')).out).decision
    expect([await verdict('git status'), await verdict('git push'), await verdict('sudo ls'), await verdict('wc x')]).toEqual([
      'allow',
      'ask',
      'deny',
      'none',
    ])
  })
})

describe('genesis show', () => {
  test('the rules of one actor, merged over files', async () => {
    write('home/policy/genesis.key', 'version: "2.0"\npermissions: {default: none, actors: {"*": {deny: ["Bash(sudo *)"]}}}\n')
    write('repo/.belay/genesis.key', PRD)
    const { out, code } = await belay('genesis', 'show', '--actor', 'agent:executor', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      actor: 'agent:executor',
      permissions: {
        default: 'ask',
        allow: [],
        deny: [
          { rule: 'Bash(sudo *)', line: 2 },
          { rule: 'Bash(rm -rf *)', line: 14 },
        ],
      },
    })
    expect((await belay('genesis', 'show')).out).toMatch(/not trusted: only deny and ask hold/)
  })

  test('nothing to show is exit 1', async () => {
    expect(await belay('genesis', 'show')).toMatchObject({ code: 1, out: expect.stringMatching(/Belay only watches/) })
  })
})

describe('hooks', () => {
  test('list shows what is inert', async () => {
    write('repo/.belay/genesis.key', 'version: "2.0"\nhooks:\n  stop:\n    - {type: command, config: {command: "true"}}\n')
    expect((await belay('hooks', 'list')).out).toMatch(/Stop {3}command {2}\* {8}.*genesis\.key:4 {2}inert: .*not trusted/)
    await belay('policy', 'trust')
    expect(JSON.parse((await belay('hooks', 'list', '--json')).out)).toMatchObject([
      { event: 'Stop', type: 'command', inert: null, line: 4 },
    ])
    expect((await belay('hooks', 'list', '--event', 'PreToolUse')).out).toMatch(/^No hooks/)
  })

  test('list and simulate know hooks.toml, once it is trusted', async () => {
    write('repo/.belay/hooks.toml', '[[hooks]]\nevent = "PreToolUse"\ntool_matcher = "Bash"\n[hooks.shell]\ncommand = "exit 1"\n')
    const list = async (): Promise<unknown> => JSON.parse((await belay('hooks', 'list', '--json')).out)
    expect(await list()).toMatchObject([
      { event: 'PreToolUse', type: 'command', scope: 'session', inert: expect.stringMatching(/not trusted/) },
    ])
    expect((await belay('policy', 'trust')).out).toMatch(/^Trusted .*hooks\.toml as it is now/)
    expect(await list()).toMatchObject([{ event: 'PreToolUse', inert: null }])
    const dry = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'a', '--json')
    expect(JSON.parse(dry.out)).toMatchObject({
      decision: 'none',
      hooks: [{ type: 'command', matched: true, skipped: 'not run without --run' }],
    })
    const real = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'a', '--run', '--json')
    expect([real.code, JSON.parse(real.out).decision]).toEqual([1, 'deny'])
    write('home/policy/genesis.key', 'version: "2.0"\nhooks_from: [genesis]\n')
    expect(await list()).toMatchObject([{ inert: expect.stringMatching(/takes hooks from genesis only/) }])
  })

  test('a pattern that does not parse is exit 2', async () => {
    expect(await belay('hooks', 'test-pattern', 'Bash(git', 'Bash', 'x')).toEqual({
      code: 2,
      out: '',
      err: 'belay: the pattern "Bash(git", column 9: "Bash(git" has no closing parenthesis\n  end the rule with )\n',
    })
  })

  test('a match that depends on the shell says so', async () => {
    const { code, out, err } = await belay('hooks', 'test-pattern', 'Bash(git push *)', 'Bash', 'git $X')
    expect([code, out]).toEqual([0, 'match\n'])
    expect(err).toMatch(/only the running shell knows/)
  })
})

describe('hooks simulate', () => {
  const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - {matcher: "*", type: genesis_enforcement}
    - {matcher: Bash, type: command, name: script, config: {command: "touch ran; exit 2"}}
    - {matcher: Bash, type: deny, name: never, condition: 'actor.role == "auditor"'}
    - {matcher: "Write(src/*)", type: deny, name: src, config: {reason: "not here"}}
permissions: {default: ask, actors: {"agent:*": {allow: ["Bash(git *)"]}}}
`

  test('every hook with what it said, and no command runs', async () => {
    write('repo/.belay/genesis.key', POLICY)
    const { code, out, err } = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'git status', '--actor', 'agent:x', '--json')
    expect(code).toBe(0)
    expect(err).toMatch(/is not trusted on this machine/)
    const simulation = JSON.parse(out)
    expect(simulation).toMatchObject({ decision: 'allow', rule: 'Bash(git *)' })
    expect(simulation.hooks.map((hook: Record<string, unknown>) => [hook.name, hook.matched, hook.outcome, hook.skipped])).toEqual([
      ['genesis_enforcement', true, 'success', null],
      ['script', true, null, 'not run without --run'],
      ['never', true, null, 'condition'],
      ['src', false, null, 'matcher'],
    ])
    expect(existsSync(join(repo, 'ran'))).toBe(false)
  })

  test('a hook that judges by the rules names the rule', async () => {
    write('repo/.belay/genesis.key', `${POLICY.replace('allow: ["Bash(git *)"]', 'deny: ["Bash(git push *)"]')}`)
    const { code, out } = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'git push', '--actor', 'agent:x', '--json')
    expect([code, JSON.parse(out)]).toMatchObject([1, { decision: 'deny', rule: 'Bash(git push *)', permissions: { decision: 'deny' } }])
    const other = await belay('hooks', 'simulate', '--tool', 'Write', '--args', 'src/a.ts', '--actor', 'agent:x', '--json')
    expect([other.code, JSON.parse(other.out)]).toMatchObject([1, { reason: 'not here', rule: null, permissions: { decision: 'ask' } }])
  })

  test('--run runs them', async () => {
    write('repo/.belay/genesis.key', POLICY)
    const { code, out } = await belay(
      'hooks',
      'simulate',
      '--tool',
      'Bash',
      '--args',
      'git status',
      '--actor',
      'agent:x',
      '--run',
      '--json',
    )
    expect([code, JSON.parse(out).decision]).toEqual([1, 'deny'])
    expect(existsSync(join(repo, 'ran'))).toBe(true)
  })

  test('a whole input, an ask, another event', async () => {
    write('repo/.belay/genesis.key', POLICY)
    const denied = await belay(
      'hooks',
      'simulate',
      '--tool',
      'Write',
      '--input',
      '{"file_path":"src/a.ts","content":""}',
      '--actor',
      'a',
      '--json',
    )
    expect([denied.code, JSON.parse(denied.out).reason]).toEqual([1, 'not here'])
    const asked = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'agent:x', '--json')
    expect([asked.code, JSON.parse(asked.out).decision]).toEqual([3, 'ask'])
    const stopped = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'agent:x', '--event', 'stop', '--json')
    expect([stopped.code, JSON.parse(stopped.out)]).toMatchObject([0, { decision: 'none', hooks: [] }])
  })

  test('a broken policy that never was good denies, with its place', async () => {
    write('repo/.belay/genesis.key', 'version: "2.0"\nhoks: {}\n')
    const { code, out } = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'a', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out).reason).toMatch(/genesis\.key:2:1: a policy has no section `hoks`/)
  })

  test.each([
    [['--tool', 'Bash', '--actor', 'a'], /neither --args nor --input/],
    [['--tool', 'Bash', '--actor', 'a', '--input', '{'], /--input is not JSON/],
    [['--tool', 'Bash', '--actor', 'a', '--input', '[]'], /--input must be a JSON object/],
    [['--tool', 'Bash', '--actor', 'a', '--args', 'x', '--input', '{}'], /cannot be used with/],
    [['--tool', 'Bash', '--actor', 'a', '--args', 'x', '--event', 'Nope'], /there is no event `Nope`/],
    [['--tool', 'Bash', '--args', 'x'], /required option '--actor/],
  ])('%j is exit 2', async (argv, message) => {
    const { code, err } = await belay('hooks', 'simulate', ...argv)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })
})

describe('explain', () => {
  test('one word is a command line, several get their quotes back', async () => {
    write('repo/.belay/genesis.key', PRD)
    const one = await belay('explain', '--actor', 'agent:executor', '--json', '--', 'git add . && rm -rf x')
    expect([one.code, JSON.parse(one.out)]).toMatchObject([
      1,
      { decision: 'deny', command: 'git add . && rm -rf x', actor: 'agent:executor' },
    ])
    const several = await belay('explain', '--actor', 'agent:executor', '--json', '--', 'git', 'commit', '-m', 'a b', '&&', 'git', 'push')
    expect([several.code, JSON.parse(several.out)]).toMatchObject([0, { decision: 'allow', command: "git commit -m 'a b' && git push" }])
  })
})

describe('allow, ask, deny', () => {
  test('the project policy when there is one, trust goes along, the change is shown', async () => {
    const file = write('repo/.belay/genesis.key', PRD)
    await belay('policy', 'trust')
    const { code, out } = await belay('deny', 'Bash(npm publish *)', '--actor', 'agent:executor')
    expect([code, out]).toEqual([0, `${file}\n+         - "Bash(npm publish *)"\n`])
    expect(readFileSync(file, 'utf8')).toBe(PRD.replace('- "Bash(rm -rf *)"\n', '- "Bash(rm -rf *)"\n        - "Bash(npm publish *)"\n'))
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files[0].trusted).toBe(true)
    expect((await belay('deny', 'Bash(npm publish *)', '--actor', 'agent:executor')).out).toMatch(/already has deny Bash\(npm publish \*\)/)
  })

  test('an untrusted file stays untrusted', async () => {
    write('repo/.belay/genesis.key', PRD)
    const { code, err } = await belay('allow', 'Bash(ls *)', '--json')
    expect([code, err]).toEqual([0, ''])
    expect((await belay('allow', 'Bash(pwd *)')).err).toMatch(/not trusted, so this rule has no effect/)
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files[0].trusted).toBe(false)
  })

  test('without a project policy the one of the user, made if need be', async () => {
    expect((await belay('ask', 'WebFetch')).code).toBe(0)
    expect(readFileSync(join(home, 'policy', 'genesis.key'), 'utf8')).toBe(
      'version: "2.0"\n\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      ask:\n        - "WebFetch"\n',
    )
    expect((await belay('ask', 'WebSearch', '--project')).code).toBe(0)
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files.map((file: { trusted: boolean }) => file.trusted)).toEqual([
      true,
      true,
    ])
  })

  test('a pattern or a policy that is broken changes nothing', async () => {
    const file = write('repo/.belay/genesis.key', 'hoks: {}\n')
    expect(await belay('deny', 'Bash(git')).toMatchObject({ code: 2, err: expect.stringMatching(/has no closing parenthesis/) })
    expect(await belay('deny', 'Bash(git *)')).toMatchObject({ code: 2, err: expect.stringMatching(/is broken: mend it first/) })
    expect(readFileSync(file, 'utf8')).toBe('hoks: {}\n')
  })
})

describe('policy trust', () => {
  test('needs a policy that is good', async () => {
    expect(await belay('policy', 'trust')).toMatchObject({ code: 2, err: expect.stringMatching(/there is no policy and no hooks\.toml/) })
    write('repo/.belay/genesis.key', 'hoks: {}\n')
    expect(await belay('policy', 'trust')).toMatchObject({ code: 2, err: expect.stringMatching(/nothing to trust/) })
  })
})

describe('config inspect', () => {
  test('a broken file is reported, not refused', async () => {
    write('repo/settings.json', '{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}')
    const good = await belay('config', 'inspect', 'settings.json', '--json')
    expect([good.code, JSON.parse(good.out)]).toMatchObject([0, { parse: 'strict', hooks: 1, events: { PreToolUse: 1 } }])
    write('repo/broken.json', '{"hooks": ')
    const broken = await belay('config', 'inspect', 'broken.json', '--json')
    expect([broken.code, JSON.parse(broken.out).parse]).toEqual([0, 'invalid'])
    expect((await belay('config', 'inspect', 'settings.json')).out).toMatch(/^Claude/)
  })

  test('exit 2 where there is nothing to inspect', async () => {
    expect(await belay('config', 'inspect', 'none.json')).toMatchObject({ code: 2, err: expect.stringMatching(/none\.json/) })
    expect(await belay('config', 'inspect', 'x', '--dialect', 'claud')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no dialect `claud`/),
    })
  })
})

describe('decide --batch', () => {
  test('a line out for each line in, also where a character is split', async () => {
    const line = Buffer.from('{"id":"é","tool":"Bash","input":{"command":"ls"},"allow":["Bash(ls *)"]}\nnonsense\n')
    const split = line.indexOf(0xc3) + 1
    const { code, out } = await run(['decide', '--batch'], [line.subarray(0, split), line.subarray(split)])
    expect(code).toBe(0)
    expect(
      out
        .trimEnd()
        .split('\n')
        .map(each => JSON.parse(each)),
    ).toMatchObject([
      { id: 'é', decision: 'allow' },
      { id: null, decision: 'deny' },
    ])
  })
})

describe('the program', () => {
  test.each([
    [['hoks', 'list'], /unknown command 'hoks'[\s\S]*Did you mean hooks/],
    [['hooks', 'lst'], /unknown command 'lst'/],
    [['genesis', 'validate', '--jsn'], /unknown option '--jsn'/],
  ])('%j is bad usage: exit 2', async (argv, message) => {
    const { code, err } = await belay(...argv)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('--help of a command teaches with examples', async () => {
    const { code, out } = await belay('hooks', 'simulate', '--help')
    expect(code).toBe(0)
    expect(out).toMatch(/Examples:\n {2}belay hooks simulate --tool Bash/)
  })

  test('the first screen names every command', () => {
    const program = buildProgram({} as CommandIo, { code: 0 })
    for (const command of program.commands) {
      for (const name of command.commands.length === 0
        ? [command.name()]
        : command.commands.map(sub => `${command.name()} ${sub.name()}`)) {
        expect(HELP).toContain(name)
      }
    }
  })
})
