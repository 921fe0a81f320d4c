import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { belay, makeWorlds, world, write } from './fixtures/world.ts'

makeWorlds()

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - {matcher: "Write", type: deny, name: no writing, condition: 'commitment.id == ""', config: {reason: "claim first"}}
    - {matcher: "Bash", type: command, config: {command: "exit 2"}}
permissions:
  default: deny
  actors:
    "agent:*":
      deny: [{rule: "Bash(rm -rf *)", id: no-rm, message: "never"}, "Read(secret/**)"]
      allow: ["Bash(git *)", "Read(*)", "Write(*)"]
`

const CASES = `links: {notes.txt: secret/key}
tests:
  - {call: Bash(rm -rf x), expect: deny, rule: no-rm, reason: never}
  - {calls: [Bash(git status), Bash(git log)], expect: allow, rule: Bash(git *)}
  - {call: Write(a), expect: deny, rule: no writing}
  - {call: Write(a), commitment: cmt_1, expect: allow}
  - {call: Read(notes.txt), expect: deny, rule: "Read(secret/**)"}
  - {call: "Read(../repo/secret/key)", cwd: sub, expect: allow}
  - name: two
    session:
      - {call: {tool: Bash, input: {command: git push}}, expect: allow}
      - {call: Bash(make), event: PostToolUse}
      - {call: Bash(make), expect: deny}
  - {call: Bash(ls), expect: deny, reason: no rule}
`

function writeBoth(cases = CASES): void {
  write('repo/.belay/genesis.key', POLICY)
  write('repo/.belay/genesis.test.yaml', cases)
}

test('calls, sessions, links, hooks and commitments are judged; command hooks are not run', async () => {
  writeBoth()
  const { code, out, err } = await belay('policy', 'test')
  expect([code, out, err]).toEqual([0, '.belay/genesis.test.yaml: 9 passed\n  5 of 5 rules decide a test\n', ''])
})

test('a failure has its place, what was expected and what came, exit 1', async () => {
  writeBoth(`tests:
  - {call: Bash(rm -rf x), expect: allow}
  - name: several
    calls:
      - Bash(git status)
      - Bash(make)
    expect: allow
  - {call: Bash(git status), expect: allow, rule: Read(*)}
  - {call: Bash(rm -rf x), expect: deny, reason: always}
`)
  const { code, out, err } = await belay('policy', 'test', '.belay/genesis.test.yaml')
  expect(code).toBe(1)
  expect(err.split('\n')).toEqual([
    expect.stringMatching(/^\.belay\/genesis\.test\.yaml:2:5: Bash\(rm -rf x\): expected allow, got deny \(.*never.*\)$/),
    expect.stringMatching(/^\.belay\/genesis\.test\.yaml:6:9: Bash\(make\): expected allow, got deny/),
    '.belay/genesis.test.yaml:8:5: Bash(git status): expected that "Read(*)" decides, it was Bash(git *)',
    expect.stringMatching(/^\.belay\/genesis\.test\.yaml:9:5: Bash\(rm -rf x\): expected a reason that holds "always", got ".*never/),
    '',
  ])
  expect(out).toContain('1 passed, 4 failed')
  expect(out).toContain('none: allow Read(*) (line 11)')
})

test('mutants that no test finds are listed; too many of them are exit 1', async () => {
  writeBoth('tests:\n  - {call: Bash(rm -rf x), expect: deny}\n')
  const { code, out } = await belay('policy', 'test', '--mutate')
  expect(code).toBe(1)
  expect(out).toMatch(/ {2}\d of 1\d mutants are found \(\d+\.\d %\)\n/)
  expect(out).toContain('no test fails: allow Bash(git *) (line 11) removed\n')
  expect(out).toContain('no test fails: allow Bash(git *) (line 11) widened to allow Bash\n')
  expect((await belay('policy', 'test', '--mutate', '--fail-under', '0')).code).toBe(0)
  expect((await belay('policy', 'test', '--mutate', '--fail-under', 'most')).code).toBe(2)
})

describe('what cannot be run is exit 2', () => {
  test('a key that is not there', async () => {
    writeBoth('tests:\n  - {call: Bash(ls), expects: deny, expect: deny}\n')
    const { code, err } = await belay('policy', 'test')
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/genesis\.test\.yaml:2:22: error: `tests\.0` has no key `expects`\n {2}did you mean expect\?\n$/),
    ])
  })

  test.each([
    ['tests: [{call: Bash(ls), expect: maybe}]', 'expected one of allow, ask, deny, none'],
    ['tests: [{expect: deny}]', 'error: `tests.0` has none of `call`, `calls`, `session`\n'],
    ['tests: [{call: Bash(ls), event: Nothing, expect: deny}]', 'there is no event `Nothing`'],
    ['tests: [', 'not valid YAML'],
    ['policy: other.key\ntests: []', 'there is no such policy'],
  ])('%s', async (text, message) => {
    writeBoth(text)
    const { code, err } = await belay('policy', 'test')
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  test('a slip in the name of a key is one problem', async () => {
    writeBoth('tests:\n  - {cal: Bash(ls), expect: deny}\n')
    const { err } = await belay('policy', 'test')
    expect(err).toMatch(/^\S+:2:6: error: `tests\.0` has no key `cal`\n {2}did you mean call\?\n$/)
  })

  test('a file that is not there, and one that is a folder', async () => {
    writeBoth('tests: []')
    expect(await belay('policy', 'test', 'none.test.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no such file'),
    })
    expect(await belay('policy', 'test', '.belay')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is a directory, expected a file'),
    })
  })

  test('no test file', async () => {
    const { code, err } = await belay('policy', 'test')
    expect([code, err]).toEqual([2, expect.stringContaining('there is no test file')])
  })
})

test('--json, --junit and --github say the same', async () => {
  writeBoth('tests:\n  - {call: "Bash(echo \\"<&>\\")", expect: allow}\n  - {call: Bash(git status), expect: allow}\n')
  const { code, out, err } = await belay('policy', 'test', '--json', '--github', '--junit', 'out.xml')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    files: [
      {
        ok: false,
        tests: [
          { ok: false, line: 2, failures: [{ line: 2 }] },
          { ok: true, steps: [{ decision: 'allow' }] },
        ],
      },
    ],
  })
  expect(err).toMatch(
    /^::error file=\.belay\/genesis\.test\.yaml,line=2,col=5,title=policy test::Bash\(echo "<&>"\): expected allow, got deny/,
  )
  const xml = readFileSync(join(world.repo, 'out.xml'), 'utf8')
  expect(xml).toContain('tests="2" failures="1" errors="0"')
  expect(xml).toContain('<testcase name="Bash(echo &#34;&#60;&#38;&#62;&#34;)"')
})

test('genesis init writes a first test file, and leaves one that is there', async () => {
  const made = await belay('genesis', 'init', '--json')
  const file = join(world.repo, '.belay/genesis.test.yaml')
  expect(JSON.parse(made.out)).toMatchObject({ tests: file })
  expect((await belay('policy', 'test')).code).toBe(0)
  write('repo/.belay/genesis.test.yaml', 'tests: []\n')
  await belay('genesis', 'init', '--force')
  expect([existsSync(file), readFileSync(file, 'utf8')]).toEqual([true, 'tests: []\n'])
})
