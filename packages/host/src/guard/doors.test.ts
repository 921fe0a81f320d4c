// One verdict, one rule, one reason at every door, and with the daemon up, down and started anew; also when a trusted policy disappears.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Call, type Doors, type Judged, openDoors } from './fixtures/doors.ts'

let doors: Doors

beforeEach(() => {
  doors = openDoors()
})
afterEach(() => doors.remove())

const RULES = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(git *)"]
      ask: ["Bash(curl *)"]
      deny: ["Bash(rm *)"]
`
const SETTINGS_POLICY = 'version: "2.0"\nhooks_from: [genesis, settings]\npermissions: {default: allow}\n'
const SETTINGS = JSON.stringify({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo not here >&2; exit 2' }] }] },
})
const GENESIS_HOOK = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(make *)"
      type: command
      config: { command: "echo no make >&2; exit 2" }
permissions: { default: allow }
`
const TOML = '[[hooks]]\nevent = "PreToolUse"\nname = "check"\nmatcher = "Bash"\n[hooks.shell]\ncommand = "echo no >&2; exit 1"\n'

const COMMANDS = ['rm -rf x', 'curl x', 'git status', 'make all', 'echo x']

interface Setting {
  readonly title: string
  readonly files: Readonly<Record<string, string>>
  readonly isTrusted: boolean
  /** What must come out for the commands above. */
  readonly expected: readonly string[]
}

const SETTINGS_LIST: readonly Setting[] = [
  { title: 'nothing', files: {}, isTrusted: false, expected: ['none', 'none', 'none', 'none', 'none'] },
  { title: 'rules', files: { 'project/.belay/genesis.key': RULES }, isTrusted: true, expected: ['deny', 'ask', 'allow', 'none', 'none'] },
  {
    title: 'rules nobody trusts',
    files: { 'project/.belay/genesis.key': RULES },
    isTrusted: false,
    expected: ['deny', 'ask', 'none', 'none', 'none'],
  },
  {
    title: 'settings hooks',
    files: { 'project/.belay/genesis.key': SETTINGS_POLICY, 'project/.claude/settings.json': SETTINGS },
    isTrusted: true,
    expected: ['deny', 'deny', 'deny', 'deny', 'deny'],
  },
  {
    title: "settings hooks of the user's home",
    files: { 'project/.belay/genesis.key': SETTINGS_POLICY, '.claude/settings.json': SETTINGS },
    isTrusted: true,
    expected: ['deny', 'deny', 'deny', 'deny', 'deny'],
  },
  {
    title: 'settings hooks that nobody asks for',
    files: { 'project/.belay/genesis.key': RULES, 'project/.claude/settings.json': SETTINGS },
    isTrusted: true,
    expected: ['deny', 'ask', 'allow', 'none', 'none'],
  },
  {
    title: 'a hook of the policy',
    files: { 'project/.belay/genesis.key': GENESIS_HOOK },
    isTrusted: true,
    expected: ['allow', 'allow', 'allow', 'deny', 'allow'],
  },
  {
    title: 'hooks.toml alone',
    files: { 'project/.belay/hooks.toml': TOML },
    isTrusted: true,
    expected: ['deny', 'deny', 'deny', 'deny', 'deny'],
  },
  {
    title: 'hooks.toml nobody trusts',
    files: { 'project/.belay/hooks.toml': TOML },
    isTrusted: false,
    expected: ['none', 'none', 'none', 'none', 'none'],
  },
  {
    title: "the user's policy beside the project's",
    files: { 'home/policy/genesis.key': RULES, 'project/.belay/genesis.key': GENESIS_HOOK },
    isTrusted: true,
    expected: ['deny', 'ask', 'allow', 'deny', 'none'],
  },
  {
    title: 'hooks switched off',
    files: { 'project/.belay/hooks.toml': TOML, 'home/config.toml': '[hooks]\ndisable_all_hooks = true\n' },
    isTrusted: true,
    expected: ['none', 'none', 'none', 'none', 'none'],
  },
  {
    title: 'a broken policy',
    files: { 'project/.belay/genesis.key': 'version: "2.0"\nhoks: {}\n' },
    isTrusted: false,
    expected: ['deny', 'deny', 'deny', 'deny', 'deny'],
  },
]

async function prepare({ files, isTrusted }: Pick<Setting, 'files' | 'isTrusted'>): Promise<void> {
  for (const [path, text] of Object.entries(files)) doors.write(path, text)
  if (isTrusted) expect(await doors.belay('policy', 'trust')).toMatchObject({ code: 0 })
}

async function ask(names: readonly (typeof DOORS)[number][], calls: readonly Call[]): Promise<Record<string, Judged[]>> {
  const rows: Record<string, Judged[]> = {}
  for (const name of names) {
    rows[name] = []
    for (const call of calls) rows[name]?.push(await doors[name](call))
  }
  return rows
}

const DOORS = ['socket', 'http', 'alone', 'direct', 'simulate'] as const

/** The daemon asks a person through its queue; where nobody is there it says no and how to approve. A client alone can only ask. */
function settled({ verdict, rule, reason }: Judged): Judged {
  const [why = ''] = (reason ?? '').split('. A person has to allow this')
  return reason !== null && why !== reason ? { verdict: 'ask', rule, reason: why === '' ? null : why } : { verdict, rule, reason }
}

async function sameEverywhere(commands: readonly string[]): Promise<readonly Judged[]> {
  const calls = commands.map((command): Call => ({ agent: 'codex', command }))
  const before = await ask(['alone', 'direct', 'simulate'], calls)
  await doors.up()
  const up = await ask(['socket', 'http', 'direct', 'simulate'], calls)
  await doors.down()
  await doors.up()
  const again = await ask(['socket'], calls)
  await doors.down()
  const after = await ask(['alone'], calls)
  const [first = []] = Object.values(before)
  for (const rows of [before, up, again, after])
    for (const [door, judged] of Object.entries(rows)) expect([door, judged.map(settled)]).toEqual([door, first])
  return first
}

describe('one answer at every door', () => {
  test.each(SETTINGS_LIST)('$title', async setting => {
    await prepare(setting)
    expect((await sameEverywhere(COMMANDS)).map(({ verdict }) => verdict)).toEqual(setting.expected)
  })

  test('hooks list shows the settings hooks that run', async () => {
    await prepare({ files: { 'project/.belay/genesis.key': SETTINGS_POLICY, 'project/.claude/settings.json': SETTINGS }, isTrusted: true })
    const { out } = await doors.belay('hooks', 'list', '--json')
    expect(JSON.parse(out)).toMatchObject([{ event: 'PreToolUse', type: 'command', inert: null }])
  })
})

describe('a trusted policy that disappears holds at every door', () => {
  const policy = () => join(doors.project, '.belay', 'genesis.key')
  const folder = () => join(doors.project, '.belay')

  test.each<[string, () => void, string]>([
    ['removed', () => rmSync(policy()), 'removed'],
    ['removed with its folder', () => rmSync(folder(), { recursive: true }), 'removed'],
    ['emptied', () => void doors.write('project/.belay/genesis.key', ''), 'broken'],
    [
      'replaced by one that allows everything',
      () => void doors.write('project/.belay/genesis.key', 'version: "2.0"\npermissions: {default: allow}\n'),
      'edited',
    ],
    [
      'left for a folder of its own',
      () => void doors.write('project/sub/.belay/genesis.key', 'version: "2.0"\npermissions: {default: allow}\n'),
      '',
    ],
  ])('%s', async (how, change, kind) => {
    await prepare({ files: { 'project/.belay/genesis.key': RULES }, isTrusted: true })
    change()
    const judged = await sameEverywhere(['rm -rf x', 'git status', 'curl x'])
    expect(judged.map(({ verdict }) => verdict)).toEqual(['deny', 'allow', 'ask'])
    if (kind === '') {
      await doors.up()
      const call = { agent: 'codex', command: 'rm -rf x', cwd: join(doors.project, 'sub') }
      const inSub = [await doors.socket(call), await doors.direct({ ...call, session: 'direct' })]
      await doors.down()
      expect(inSub.map(({ verdict }) => verdict)).toEqual(['deny', 'deny'])
      return
    }
    // Once for each change, however often it was looked at and the daemon was started.
    expect(await doors.entries('policy_change')).toMatchObject([{ change: 'trusted' }, { change: kind, accepted: false, file: policy() }])
    const status = JSON.parse((await doors.belay('status', '--json')).out)
    expect(status.policy).toMatchObject({ ok: false, changes: [{ kind, file: policy() }] })
    expect((await doors.belay('status')).out).toContain('POLICY CHANGED')
    const doctor = JSON.parse((await doors.belay('doctor', '--json')).out)
    expect(doctor.findings).toContainEqual(expect.objectContaining({ check: 'policy', state: 'fail' }))
    expect((await doors.belay('hooks', 'list')).err).toContain('holds')
    expect((await doors.belay('why')).out).toContain('the last trusted version')
    await accept(how, kind)
  })

  async function accept(how: string, kind: string): Promise<void> {
    if (how === 'removed') {
      expect((await doors.belay('policy', 'trust')).code).toBe(2)
      expect((await doors.belay('policy', 'trust', '--none')).code).toBe(0)
      expect((await sameEverywhere(['rm -rf x'])).map(({ verdict }) => verdict)).toEqual(['none'])
    } else if (kind === 'edited') {
      expect((await doors.belay('policy', 'trust')).code).toBe(0)
      expect((await sameEverywhere(['rm -rf x'])).map(({ verdict }) => verdict)).toEqual(['allow'])
    } else {
      expect((await doors.belay('policy', 'trust', '--restore')).code).toBe(0)
      expect(readFileSync(policy(), 'utf8')).toBe(RULES)
    }
    expect(JSON.parse((await doors.belay('status', '--json')).out).policy).toMatchObject({ ok: true, changes: [] })
  }
})
