import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { belay, EXAMPLE_POLICY, makeWorlds, world, write } from './fixtures/world.ts'

makeWorlds()

describe('the verification commands of the genesis.key document', () => {
  test('genesis validate', async () => {
    const file = write('test-genesis.key', EXAMPLE_POLICY)
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
    write('repo/.mentu/genesis.key', EXAMPLE_POLICY)
    const untrusted = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'git status', '--actor', 'agent:executor')
    expect([untrusted.code, untrusted.err]).toEqual([3, expect.stringContaining('is not trusted on this machine')])
    await belay('policy', 'trust')
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
      files: [
        { file: 'bad.key', ok: false, version: null, hash: null, trusted: null, hooks: null, rules: null, guards: null, guardrails: null },
      ],
    })
  })

  test('without FILE: every policy that holds, and whether it is trusted', async () => {
    expect(await belay('genesis', 'validate')).toMatchObject({ code: 1, err: expect.stringMatching(/no policy holds in/) })
    write('home/policy/genesis.key', EXAMPLE_POLICY)
    write('repo/.belay/genesis.key', EXAMPLE_POLICY)
    const { code, out, err } = await belay('genesis', 'validate')
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(3)
    expect(err).toMatch(
      /not trusted: \d+ deny or ask rules, \d+ of \d+ hooks? hold; its allow rules and the rest do nothing until `belay policy trust`/,
    )
  })

  test('guards and guardrails are counted, and what holds of an untrusted file is said', async () => {
    const text = `version: "2.0"
hooks:
  pre_tool_use:
    - { type: deny, matcher: "Bash(rm *)", config: { reason: no } }
    - { type: command, config: { command: "true" } }
permissions:
  actors:
    "agent:*": { allow: ["Read(*)"], deny: ["Bash(git push *)"] }
guards:
  - { id: g, trigger: { type: noEffort }, text: begin one }
guardrails:
  failure_hints: {}
  artifacts: { expect: [{ agent: x, files: [a.md] }] }
`
    write('repo/.belay/genesis.key', text)
    const { out, err } = await belay('genesis', 'validate')
    expect(out).toMatch(/valid \(version 2\.0, 2 hooks, 2 rules, 1 guard, 2 guardrails, \w{12}\)/)
    expect(err).toMatch(
      /not trusted: 1 deny or ask rule, 1 of 2 hooks, 1 guard, \d of 2 guardrails hold; its allow rules and the rest do nothing/,
    )
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files[0]).toMatchObject({ guards: 1, guardrails: 2 })
  })

  test('a file that is not there is exit 2', async () => {
    expect(await belay('genesis', 'validate', 'none.key')).toEqual({ code: 2, out: '', err: 'belay: none.key: there is no such file\n' })
  })
})

describe('genesis init', () => {
  test('leaves no policy behind where it cannot be trusted', async () => {
    write('home', 'a file where the home should be')
    const { code, err } = await belay('genesis', 'init')
    expect([code, err]).toEqual([2, expect.stringContaining(`Belay keeps its records in ${world.home}`)])
    expect(existsSync(join(world.repo, '.belay'))).toBe(false)
  })

  test('writes a policy for the stack, trusts it, and does not overwrite it', async () => {
    write('repo/package.json', '{}')
    write('repo/Cargo.toml', '')
    const made = await belay('genesis', 'init')
    expect(made.code).toBe(0)
    expect(made.out).toMatch(/Wrote .*\.belay\/genesis\.key for npm, rust\. It is trusted/)
    const file = join(world.repo, '.belay', 'genesis.key')
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
    write('repo/.belay/genesis.key', EXAMPLE_POLICY)
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

describe('allow, ask, deny', () => {
  test.each([
    ['deny', 'bash(rm *)', 'agent:executor', 'did you mean Bash?'],
    ['allow', 'Wirte(src/*)', 'agent:executor', 'did you mean Write?'],
    ['ask', 'Bash(git push *)', 'agnet:*', 'did you mean agent:*?'],
  ])('%s %s for %s: did you mean?', async (effect, pattern, actor, said) => {
    const { code, err } = await belay(effect, pattern, '--actor', actor)
    expect([code, err]).toEqual([0, expect.stringContaining(said)])
    // Said each time it is written, and not again for what stood there before.
    const other = effect === 'ask' ? 'deny' : 'ask'
    expect((await belay(other, pattern, '--actor', pattern === 'Bash(git push *)' ? 'agnet:b' : actor)).err).toContain('did you mean')
    expect((await belay(effect, 'Bash(make *)')).err).not.toContain('did you mean')
  })

  test('the project policy when there is one, trust goes along, the change is shown', async () => {
    const file = write('repo/.belay/genesis.key', EXAMPLE_POLICY)
    await belay('policy', 'trust')
    const { code, out } = await belay('deny', 'Bash(npm publish *)', '--actor', 'agent:executor')
    expect([code, out]).toEqual([0, `${file}\n+         - "Bash(npm publish *)"\n`])
    expect(readFileSync(file, 'utf8')).toBe(
      EXAMPLE_POLICY.replace('- "Bash(rm -rf *)"\n', '- "Bash(rm -rf *)"\n        - "Bash(npm publish *)"\n'),
    )
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files[0].trusted).toBe(true)
    expect((await belay('deny', 'Bash(npm publish *)', '--actor', 'agent:executor')).out).toMatch(/already has deny Bash\(npm publish \*\)/)
  })

  test('an untrusted file stays untrusted', async () => {
    write('repo/.belay/genesis.key', EXAMPLE_POLICY)
    const { code, err } = await belay('allow', 'Bash(ls *)', '--json')
    expect([code, err]).toEqual([0, ''])
    expect((await belay('allow', 'Bash(pwd *)')).err).toMatch(/not trusted, so this rule has no effect/)
    expect(JSON.parse((await belay('genesis', 'validate', '--json')).out).files[0].trusted).toBe(false)
  })

  test('without a project policy the one of the user, made if need be', async () => {
    expect((await belay('ask', 'WebFetch')).code).toBe(0)
    expect(readFileSync(join(world.home, 'policy', 'genesis.key'), 'utf8')).toBe(
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
    expect(await belay('deny', 'Bash(git *)')).toMatchObject({ code: 2, err: expect.stringMatching(/is broken: fix it first/) })
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
