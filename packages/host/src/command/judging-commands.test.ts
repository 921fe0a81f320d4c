import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandIo } from '../terminal/io.ts'
import { belay, belayWith, EXAMPLE_POLICY, makeWorlds, world, write } from './fixtures/world.ts'
import { HELP } from './help.ts'
import { buildProgram } from './program.ts'

makeWorlds()

describe('hooks', () => {
  test('list shows what is inert', async () => {
    write('repo/.belay/genesis.key', 'version: "2.0"\nhooks:\n  stop:\n    - {type: command, config: {command: "true"}}\n')
    expect((await belay('hooks', 'list')).out).toMatch(/Stop {3}\S+ +command {2}\* {8}.*genesis\.key:4 {2}inert: .*not trusted/)
    await belay('policy', 'trust')
    expect(JSON.parse((await belay('hooks', 'list', '--json')).out)).toMatchObject([
      { event: 'Stop', type: 'command', inert: null, line: 4 },
    ])
    expect((await belay('hooks', 'list', '--event', 'PreToolUse')).out).toMatch(/^No hooks/)
    write('repo/.belay/genesis.key', 'version: "2.0"\nguardrails:\n  side_effects: { mode: guide }\n  failure_hints: { mode: off }\n')
    expect((await belay('hooks', 'list')).out).toMatch(/PreToolUse +side_effects +guardrail \(guide\) +\* +.*guardrails.*genesis\.key:3\n/)
    expect(JSON.parse((await belay('hooks', 'list', '--json', '--event', 'PostToolUseFailure')).out)).toMatchObject([
      { name: 'failure_hints', type: 'guardrail', mode: 'off', scope: 'policy', inert: 'switched off' },
    ])
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
    const { code, out, err } = await belay(
      'hooks',
      'simulate',
      '--tool',
      'Bash',
      '--args',
      'git status',
      '--actor',
      'agent:x',
      '--json',
      '--as-trusted',
    )
    expect([code, err]).toEqual([0, ''])
    const simulation = JSON.parse(out)
    expect(simulation).toMatchObject({ decision: 'allow', rule: 'Bash(git *)' })
    expect(simulation.hooks.map((hook: Record<string, unknown>) => [hook.name, hook.matched, hook.outcome, hook.skipped])).toEqual([
      ['genesis_enforcement', true, 'success', null],
      ['script', true, null, 'not run without --run'],
      ['never', true, null, 'condition'],
      ['src', false, null, 'matcher'],
    ])
    expect(existsSync(join(world.repo, 'ran'))).toBe(false)
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
      '--as-trusted',
      '--json',
    )
    expect([code, JSON.parse(out).decision]).toEqual([1, 'deny'])
    expect(existsSync(join(world.repo, 'ran'))).toBe(true)
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
    write('repo/.belay/genesis.key', EXAMPLE_POLICY)
    const one = await belay('explain', '--as-trusted', '--actor', 'agent:executor', '--json', '--', 'git add . && rm -rf x')
    expect([one.code, JSON.parse(one.out)]).toMatchObject([
      1,
      { decision: 'deny', command: 'git add . && rm -rf x', actor: 'agent:executor' },
    ])
    const several = await belay(
      'explain',
      '--as-trusted',
      '--actor',
      'agent:executor',
      '--json',
      '--',
      'git',
      'commit',
      '-m',
      'a b',
      '&&',
      'git',
      'push',
    )
    expect([several.code, JSON.parse(several.out)]).toMatchObject([0, { decision: 'allow', command: "git commit -m 'a b' && git push" }])
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
    const { code, out } = await belayWith([line.subarray(0, split), line.subarray(split)], 'decide', '--batch')
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
