import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatNoteKey } from '@belay/core/ledger'
import { createFileView } from '@belay/core/match'
import { endorsePublisher, type NewBundle, parseBundle } from '@belay/core/team'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Manifest, makeBundle, makeSigner } from '../../../core/src/team/fixtures/make-bundle.ts'
import { loadPolicies } from '../config/genesis.ts'
import {
  FIRST_TEAM_STATE,
  forgetTeamPolicy,
  readTeamPolicy,
  type TeamPolicyState,
  writeFetchedAt,
  writeTeamPolicy,
} from '../config/team-policy.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { createProjectGuard } from '../guard/project-guard.ts'
import { chooseAgain, takeBundles } from './take-bundles.ts'

const root = makeSigner('belay.team/1')
const signer = makeSigner('belay.publisher/pia')
const eve = makeSigner('belay.publisher/eve')
const NOW = Date.now()
const HOUR = 3_600_000
const until = new Date(NOW + HOUR).toISOString()
const endorsement = endorsePublisher({ person: 'pia', key: signer, until }, root)
const FIRST: TeamPolicyState = { ...FIRST_TEAM_STATE, machine: 'm', labels: {} }

const POLICY = 'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {allow: ["Bash(git *)"], deny: ["Bash(rm *)"]}}}\n'
const make = (manifest: Manifest = {}, more: Partial<NewBundle> = {}): string =>
  makeBundle({ createdAt: new Date(NOW).toISOString(), ...manifest }, { files: { 'team.key': POLICY }, signer, endorsement, ...more })
const hashOf = (text: string): string => {
  const bundle = parseBundle(text)
  return typeof bundle === 'string' ? '' : bundle.hash
}

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'belay-bundle-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const take = (state: TeamPolicyState, bundles: readonly string[], now = NOW, halted: TeamPolicyState['halted'] = []) =>
  takeBundles(state, { bundles, halted }, { home, rootKey: formatNoteKey(root), now })

const first = make()
const second = make({ version: 2, previous: hashOf(first), note: 'two' })
const third = make({ version: 3, previous: hashOf(second) })

test('bundles are taken in order, and the newest is in force', () => {
  const state = take(FIRST, [first, second])
  expect(state).toMatchObject({ seen: { version: 2, hash: hashOf(second) }, refused: null, chosen: { inForce: 2 } })
  expect(take(state, [second]).chosen).toEqual(state.chosen)
})

test.each<[string, readonly string[], string]>([
  ['a lower version', [first], 'lower version'],
  ['another one of the same version', [make({ version: 2, previous: hashOf(first), note: 'other' })], 'two bundles'],
  ['one that follows another', [make({ version: 3, previous: 'a'.repeat(64) })], 'follows another'],
  ['one of which those before are withheld', [make({ version: 4, previous: hashOf(third) })], 'withheld'],
  ['one that nobody of the team signed', [make({ version: 3, previous: hashOf(second) }, { signer: eve })], 'bad signature'],
  [
    'one that its publisher endorsed',
    [
      make(
        { version: 3, previous: hashOf(second) },
        { signer: eve, endorsement: endorsePublisher({ person: 'pia', key: eve, until }, eve) },
      ),
    ],
    'bad signature',
  ],
  ['one that was changed', [third.replace('git *', 'git**')], 'damaged'],
  ['one that is over', [make({ version: 3, previous: hashOf(second), expires: new Date(NOW - 1).toISOString() })], 'over since'],
  [
    'one of a later version of belay',
    [make({ version: 3, previous: hashOf(second) }, { files: { 'x.key': 'version: "9.0"\n' } })],
    'x.key',
  ],
])('%s is refused and named, and what was in force stays', (_name, bundles, why) => {
  const before = take(FIRST, [first, second])
  const after = take(before, bundles)
  expect(after.refused?.why).toContain(why)
  expect(after.chosen).toEqual(before.chosen)
  expect(after.bundles).toEqual(before.bundles)
})

test('the chain goes on behind one that could not be used', () => {
  const odd = make({ version: 3, previous: hashOf(second) }, { files: { 'x.key': 'version: "9.0"\n' } })
  const state = take(take(FIRST, [first, second, odd]), [make({ version: 4, previous: hashOf(odd) })])
  expect(state).toMatchObject({ seen: { version: 4 }, chosen: { inForce: 4 }, refused: null })
})

test('a hub may halt a roll-out whose publisher said so, and nothing else', () => {
  const halt = { newDeniesPer1000: 1, minCalls: 1 }
  const canary = make({ version: 3, previous: hashOf(second), percentage: 99, halt })
  const state = take(FIRST, [first, second, canary])
  expect(state.chosen).toMatchObject({ inForce: 3, compared: 2 })
  const halted = [2, 3].map(version => ({ version, why: 'x' }))
  expect(take(state, [], NOW, halted).chosen).toMatchObject({ inForce: 2, compared: null })
})

test('after many bundles the last ones are kept, and the one that holds', () => {
  let state = take(FIRST, [first])
  let previous = hashOf(first)
  for (let version = 2; version <= 40; version++) {
    const text = make({ version, previous, selector: { site: 'elsewhere' } })
    previous = hashOf(text)
    state = take(state, [text])
  }
  expect(state).toMatchObject({ seen: { version: 40 }, chosen: { inForce: 1 }, refused: null })
  expect(state.bundles.length).toBeLessThan(15)
})

test('what is over gives way to the one before, by the clock alone', () => {
  const state = take(FIRST, [first, make({ version: 2, previous: hashOf(first), expires: new Date(NOW + HOUR).toISOString() })])
  expect(state.chosen?.inForce).toBe(2)
  expect(chooseAgain(state, { home, now: NOW + 2 * HOUR }).chosen?.inForce).toBe(1)
  expect(chooseAgain(state, { home, now: NOW })).toBe(state)
})

const load = () => {
  const project = join(home, 'project')
  makeFolder(join(project, '.belay'))
  return loadPolicies({ cwd: project, root: project, home, etc: join(home, 'etc') })
}

test('what was taken holds from disk, in front of the files of this machine, which only tighten it', () => {
  const user = join(home, 'policy', 'genesis.key')
  makeFolder(join(home, 'policy'))
  writeFileSync(
    user,
    'version: "2.0"\npermissions: {default: allow, actors: {"agent:*": {allow: ["Bash(*)"], deny: ["Bash(git push *)"]}}}\n',
  )
  writeTeamPolicy(home, take(FIRST, [first]))
  const loaded = load()
  expect(loaded.team).toEqual({ version: 1, hash: hashOf(first) })
  expect(loaded.files.map(({ owner, policy }) => [owner, policy?.isUnderTeam === true])).toEqual([
    ['team', false],
    ['user', true],
  ])
  forgetTeamPolicy(home)
  expect(load()).not.toHaveProperty('team')
})

const EVENT = {
  name: 'PreToolUse',
  sessionId: 's',
  cwd: '/repo',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:x',
  agent: 'x',
  commitment: null,
  env: {},
  fields: {},
}

test.each([
  ['keep', null, []],
  ['ask-new', null, ['ask']],
  ['deny', expect.stringContaining('not heard of'), []],
] as const)('a machine that has not heard of its hub for too long: %s', (mode, locked, added) => {
  writeTeamPolicy(home, take(FIRST, [make({ maxStale: { hours: 1, mode } })]))
  const state = () => {
    const { locked: why, policies } = load()
    return { why: why?.message ?? null, added: policies.slice(1).map(({ permissions }) => permissions?.default) }
  }
  writeFetchedAt(home, NOW)
  expect(state()).toEqual({ why: null, added: [] })
  // The second is a clock that was put back since.
  for (const fetchedAt of [NOW - 2 * HOUR, NOW + 2 * HOUR]) {
    writeFetchedAt(home, fetchedAt)
    expect(state()).toEqual({ why: locked, added })
  }
  if (mode !== 'deny') return
  // The agent is told what it is: nothing is broken that a person could fix in a file.
  const guard = createProjectGuard({ loaded: load(), belayHome: home, userHome: home, files: createFileView() })
  const { verdict } = guard.judge({ tool: 'Bash', input: { command: 'ls' } }, EVENT)
  expect(verdict).toMatchObject({
    decision: 'deny',
    reason: expect.stringMatching(/^the team's hub was not heard of .* `belay policy pull`/),
  })
})

test('what is damaged or gone locks the gate', () => {
  writeTeamPolicy(home, take(FIRST, [first]))
  expect(readTeamPolicy(home, NOW).kind).toBe('held')
  const file = join(home, 'team', 'policy.json')
  writeFileSync(file, '{}')
  expect(load().locked?.message).toContain('damaged')
  rmSync(file)
  expect(load().locked?.message).toContain('is gone')
})

test('a hub that halts what nobody published, without end, is not believed', () => {
  const state = take(FIRST, [first, second])
  const lies = Array.from({ length: 10_000 }, (_, n) => ({ version: n - 5000, why: 'x'.repeat(10_000) }))
  const after = take(state, [], NOW, [...lies, { version: 1.5, why: '' }])
  expect(after.halted.map(({ version, why }) => [version, why.length])).toEqual([
    [1, 500],
    [2, 500],
  ])
})
