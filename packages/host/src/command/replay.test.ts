// Calls that a real daemon recorded, under the same and under other policies.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createNoteKey, formatNoteKey } from '@belay/core/ledger'
import { createBundle, endorsePublisher } from '@belay/core/team'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - {type: deny, name: no-sudo, matcher: "Bash(sudo *)", config: {reason: "no"}}
permissions:
  default: ask
  actors:
    "agent:*":
      deny: ["Bash(git push *)", "Read(secret/**)"]
      allow: ["Bash(git *)", "Read", "Bash(curl *)"]
`

let daemon: TestDaemon

async function replay(text: string, ...options: string[]) {
  writeFileSync(join(daemon.project, 'draft.key'), text)
  const { io, written } = createTestIo({
    stdin: [],
    env: { ...daemon.env, BELAY_HOME: daemon.home },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  const code = await runProgram(['replay', '--policy', 'draft.key', ...options], io)
  return { code, ...written }
}

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  symlinkSync('plain', join(daemon.project, 'link'))
  const bash = (command: string) => daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: command })
  for (const command of [
    'git status',
    'git status',
    'git push',
    'make',
    'sudo ls',
    'curl -H "Authorization: Bearer ghp_0123456789abcdefghij0123456789abcdef"',
  ])
    await bash(command)
  await daemon.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'link' }, tool_use_id: 'read' })
  while ((await daemon.entries('pre_tool_use')).length < 7) await sleep(20)
})
afterAll(() => daemon.stop())

const makeSigner = (name: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...createNoteKey(name, publicKey), privateKey }
}
const root = makeSigner('belay.team/1')
const ana = makeSigner('belay.publisher/ana')
const stranger = makeSigner('belay.publisher/ana')
const TEAM_POLICY =
  'version: "2.0"\npermissions: {default: ask, actors: {"agent:*": {deny: ["Bash(git status *)"], allow: ["Bash(make)"]}}}\n'
const TIGHTER = { before: 'allow', after: 'deny', count: 2, rule: expect.objectContaining({ text: 'Bash(git status *)' }) }

interface Signing {
  readonly endorsedBy?: typeof root
  readonly endorsed?: typeof root
  readonly signer?: typeof root
  readonly until?: string
}

/** A bundle of a team: the root endorses Ana, and Ana signs, where nothing else is said. */
function bundleOf(text: string, { endorsedBy = root, endorsed = ana, signer = ana, until = '2999-01-01T00:00:00.000Z' }: Signing = {}) {
  const endorsement = endorsePublisher({ person: 'ana', key: endorsed, until }, endorsedBy)
  const open = { selector: {}, mode: 'enforce', notBefore: null, expires: null, percentage: 100, halt: null, maxStale: null } as const
  const manifest = { version: 1, previous: null, createdAt: '2026-01-01T00:00:00.000Z', note: '', ...open }
  return createBundle({ manifest, files: { 'team.key': text }, signer, endorsement })
}

async function replayBundle(bundle: string, home = daemon.home) {
  writeFileSync(join(daemon.project, 'next.bundle'), bundle)
  const { io, written } = createTestIo({
    stdin: [],
    env: { ...daemon.env, BELAY_HOME: home },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
  })
  return { code: await runProgram(['replay', '--bundle', 'next.bundle', '--json'], io), ...written }
}

test('a bundle of a team stands in for the policies of the team; the project can only tighten it', async () => {
  const { code, out, err } = await replayBundle(bundleOf(TEAM_POLICY))
  expect([code, err]).toEqual([1, expect.stringContaining('joined no team')])
  expect(JSON.parse(out).groups).toEqual(expect.arrayContaining([expect.objectContaining(TIGHTER)]))
})

test.each([
  ['a file that is not the one of its manifest', (bundle: string) => bundle.replace('Bash(make)', 'Bash(sudo)')],
  ['what is no bundle', () => '{}'],
])('%s is refused, exit 2', async (_title, damage) => {
  expect((await replayBundle(damage(bundleOf(TEAM_POLICY)))).code).toBe(2)
})

describe('on a machine of the team', () => {
  /** The ledger of the daemon, in the home of a machine that has joined. */
  function joinedHome(rootKey: string) {
    const home = mkdtempSync(join(daemon.folder, 'joined-'))
    cpSync(daemon.home, home, { recursive: true, filter: source => !source.endsWith('.sock') && !source.includes('/run') })
    mkdirSync(join(home, 'team'), { recursive: true })
    const said = { url: 'http://127.0.0.1:9', machine: 'm', name: 'm', labels: {}, upload: 'none', erase: [], kibPerSecond: 1 }
    const keys = { rootKey, hubKey: '', keyName: 'belay.machine/1', joinedAt: '2026-01-01T00:00:00.000Z' }
    writeFileSync(join(home, 'team', 'membership.json'), JSON.stringify({ ...said, ...keys }))
    return home
  }
  const rehash = (bundle: string, text: string) => {
    const read = JSON.parse(bundle)
    read.files['team.key'] = text
    read.manifest.files['team.key'] = createHash('sha256').update(text).digest('hex')
    return JSON.stringify(read)
  }

  test('a bundle that a publisher of the team signed is tried, without a note', async () => {
    const { code, out, err } = await replayBundle(bundleOf(TEAM_POLICY), joinedHome(formatNoteKey(root)))
    expect([code, err]).toEqual([1, ''])
    expect(JSON.parse(out).groups).toEqual(expect.arrayContaining([expect.objectContaining(TIGHTER)]))
  })

  test.each([
    ['a file was changed', bundleOf(TEAM_POLICY).replace('Bash(make)', 'Bash(sudo)'), 'its file team.key is not the one of its manifest'],
    ['a file and its hash were changed', rehash(bundleOf(TEAM_POLICY), TEAM_POLICY.replace('ask', 'none')), 'it is not signed by ana'],
    ['the roll-out was changed', bundleOf(TEAM_POLICY).replace('"enforce"', '"observe"'), 'it is not signed by ana'],
    ['another key than the endorsed one signed', bundleOf(TEAM_POLICY, { signer: stranger }), 'it is not signed by ana'],
    [
      'the root of another team endorsed the publisher',
      bundleOf(TEAM_POLICY, { endorsedBy: makeSigner('belay.team/1'), endorsed: stranger, signer: stranger }),
      "its publisher is not endorsed by this team's root",
    ],
    [
      'the endorsement had ended when it was made',
      bundleOf(TEAM_POLICY, { until: '2025-01-01T00:00:00.000Z' }),
      'the endorsement of ana ended 2025-01-01',
    ],
  ])('%s: refused, and nothing is tried', async (_title, bundle, why) => {
    const { code, out, err } = await replayBundle(bundle, joinedHome(formatNoteKey(root)))
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(`next.bundle: ${why}`)])
  })

  test("a key of the team that cannot be read is no reason to try anybody's bundle", async () => {
    const { code, err } = await replayBundle(bundleOf(TEAM_POLICY), joinedHome('nonsense'))
    expect([code, err]).toEqual([2, expect.stringContaining('key of the team cannot be read')])
  })
})

test('each entry names the judge that decided it', async () => {
  const judges = (await daemon.entries('pre_tool_use')).map(({ read }) => read.judge)
  expect(judges.filter(judge => judge !== undefined).length).toBe(6)
})

test('an unchanged policy changes nothing, exit 0; what cannot be judged again is counted with the reason', async () => {
  const { code, out, err } = await replay(POLICY)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('5 recorded calls of ')
  expect(out).toContain('under draft.key: 5 the same, 0 changed\n')
  expect(out).toContain('1 could not be judged again: a hook decided, and hooks are not run again\n')
  expect(out).toContain('1 could not be judged again: a word that the judge reads was taken out of the record as a secret\n')
})

test('changes are counted and grouped by rule with an example, exit 1', async () => {
  const text = POLICY.replace('"Bash(git push *)", ', '"Bash(git status *)", ').replace('default: ask', 'default: deny')
  const { code, out } = await replay(text, '--json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    judged: 5,
    same: 1,
    changedCalls: 4,
    changed: { 'allow->deny': 2, 'deny->allow': 1, 'ask->deny': 1 },
    byJudge: {},
    byFiles: {},
    groups: [
      {
        before: 'allow',
        after: 'deny',
        count: 2,
        rule: { text: 'Bash(git status *)', line: 9 },
        example: { tool: 'Bash', text: 'git status' },
      },
      { before: 'deny', after: 'allow', count: 1, rule: { text: 'Bash(git *)' }, example: { text: 'git push' } },
      { before: 'ask', after: 'deny', count: 1, rule: null, example: { text: 'make' } },
    ],
    unjudged: expect.arrayContaining([{ why: 'hook', count: 1, text: expect.any(String) }]),
  })
})

test.each([
  ['allow->deny', 1],
  ['deny->allow', 0],
  ['*->deny', 1],
  ['deny->allow,ask->allow', 0],
])('--fail-on %s ends with %d', async (change, code) => {
  const text = POLICY.replace('"Bash(git push *)", ', '"Bash(git push *)", "Bash(git status *)", ')
  expect((await replay(text, '--fail-on', change)).code).toBe(code)
})

test('--actor, --session, --since, --all-projects choose calls', async () => {
  const judged = async (...options: string[]) => (JSON.parse((await replay(POLICY, '--json', ...options)).out) as { judged: number }).judged
  expect(await judged('--actor', 'human:*')).toBe(0)
  expect(await judged('--actor', 'agent:*')).toBe(5)
  expect(await judged('--session', 'nobody')).toBe(0)
  expect(await judged('--since', '2100-01-01')).toBe(0)
  expect(await judged('--since', '1h', '--all-projects')).toBe(5)
})

test('which calls were taken is said, in words and in JSON', async () => {
  const chosen = ['--until', '2999-01-01', '--session', 'no*', '--actor', 'agent:*']
  const { out } = await replay(POLICY, ...chosen)
  expect(out).toMatch(/^0 recorded calls of \S+ until 2999-01-01T00:00:00.000Z in the session no\* by agent:\* under draft\.key: /)
  const json = JSON.parse((await replay(POLICY, '--json', ...chosen)).out)
  expect(json).toMatchObject({ since: null, until: '2999-01-01T00:00:00.000Z', session: 'no*', actor: 'agent:*' })
})

describe('what is no difference of the policy', () => {
  test('a link that leads elsewhere now is listed, not counted', async () => {
    unlinkSync(join(daemon.project, 'link'))
    symlinkSync('secret/key', join(daemon.project, 'link'))
    const { code, out } = await replay(POLICY)
    expect(code).toBe(0)
    expect(out).toContain('1 differ because a link or a file is not what it was')
    expect(out).toContain('Read link\n')
    unlinkSync(join(daemon.project, 'link'))
    symlinkSync('plain', join(daemon.project, 'link'))
  })
})

test.each([
  ['a folder that is not there', ['--html', 'nowhere/out.html'], /^belay: --html nowhere\/out\.html: .*nowhere is not a directory/m],
  ['a folder in its place', ['--html', '.belay'], /^belay: --html \.belay: is a directory/m],
  ['both at once', ['--bundle', 'x'], /^belay: --policy and --bundle: only one/m],
])('%s is said before anything is judged', async (_what, options, said) => {
  const { code, out, err } = await replay(POLICY, ...options)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(said)
})

test('what looks like a slip in the policy that is tried is said', async () => {
  const { err } = await replay(`${POLICY}      ask: ["Wirte(x)"]\n`)
  expect(err).toMatch(/draft\.key:\d+:\d+: warning: .*`Wirte`/)
})

test('--html is one page that loads nothing', async () => {
  await replay(POLICY.replace('"Bash(git push *)", ', ''), '--html', 'out.html')
  const page = readFileSync(join(daemon.project, 'out.html'), 'utf8')
  expect(page).toContain('<code>Bash git push</code>')
  expect(page).toContain("default-src 'none'")
  expect(page).not.toMatch(/<script|src=|href=/)
})

test.each([
  [['--fail-on', 'allow'], 'write a change such as allow->deny'],
  [['--since', 'soon'], 'give a date'],
])('%j is exit 2', async (options, message) => {
  expect(await replay(POLICY, ...options)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})

test('a broken policy is exit 2 with its place', async () => {
  expect(await replay('permissions: 7')).toMatchObject({ code: 2, err: expect.stringContaining('draft.key:1:') })
})
