import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  stop:
    - type: final_validation
      timeout: 60
      config:
        required_files: ["dist/out.js"]
        checks: { build: true, test: false }
        commands: ["test -e ready"]
        conditions: ["actor.kind == 'agent'", "commitment.evidence_count > 0"]
        mentu: { commitments: { min_count: 1, require_closed: true, require_evidence: true } }
        max_iterations: 4
`

let belay: TestDaemon
let secret: string
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
  secret = await belay.bind('w1', 'executor')
  const scripts = { build: "node -e \"process.exit(require('fs').existsSync('built') ? 0 : 3)\"" }
  writeFileSync(join(belay.project, 'package.json'), JSON.stringify({ name: 'x', scripts }))
})
afterAll(() => belay.stop())

const stop = (commitment: string | null, session = 's1') =>
  belay.hook('Stop', { session_id: session }, { secret, ...(commitment === null ? {} : { commitment }) })
const act = (operation: string, params: object) => belay.rpc(`commitments.${operation}`, { secret, cwd: belay.project, ...params })

test('an agent may stop when files, checks, commands, conditions and commitments are as they should be', async () => {
  const made = await act('commit', { text: 'build it' })
  const id = 'result' in made ? (made.result.commitment as { id: string }).id : ''
  await act('claim', { target: id })
  const first = await stop(id)
  expect(first.decision).toBe('block')
  expect(first.reason?.split('\n- ').slice(1)).toEqual([
    'the file dist/out.js is missing',
    expect.stringContaining('npm run --silent build failed with exit code 3'),
    'test -e ready failed with exit code 1',
    `${id} is claimed, not closed`,
    expect.stringMatching(new RegExp(`^${id} has no evidence: \\S*belay\\S* evidence ${id} \\.\\.\\.$`)),
    'this must be true: commitment.evidence_count > 0',
  ])
  mkdirSync(join(belay.project, 'dist'))
  for (const file of ['dist/out.js', 'built', 'ready']) writeFileSync(join(belay.project, file), '')
  await act('evidence', { target: id, kind: 'build', status: 'passed', text: 'built' })
  await act('close', { target: id })
  expect((await stop(id)).decision).toBeUndefined()
})

test('completion.json adds its own demands; after max_iterations the agent may stop', async () => {
  mkdirSync(join(belay.project, '.claude'))
  writeFileSync(
    join(belay.project, '.claude', 'completion.json'),
    JSON.stringify({ required_files: ['RESULT.md'], checks: { tsc: false }, max_iterations: 2 }),
  )
  const closed = await belay.rpc('commitments.list', { cwd: belay.project })
  const [{ id }] = ('result' in closed ? closed.result.commitments : []) as [{ id: string }]
  expect((await stop(id, 's2')).reason).toContain('the file RESULT.md is missing')
  expect((await stop(id, 's2')).decision).toBe('block')
  expect((await stop(id, 's2')).decision).toBeUndefined()
  writeFileSync(join(belay.project, '.claude', 'completion.json'), '{')
  expect((await stop(id, 's3')).reason).toContain('.claude/completion.json cannot be read')
})

test('max_iterations holds for conditions too, and a dismissed commitment is not a closed one', async () => {
  const policy = (config: string) => `version: "2.0"\nhooks:\n  stop:\n    - { type: final_validation, config: { ${config} } }\n`
  const strict = await runDaemon({ policy: policy('conditions: ["1 > 2"], max_iterations: 2') })
  const closed = await runDaemon({ policy: policy('mentu: { commitments: { require_closed: true } }') })
  try {
    const decisions: (string | undefined)[] = []
    for (let stop = 1; stop <= 3; stop++) decisions.push((await strict.hook('Stop', {})).decision)
    expect(decisions).toEqual(['block', 'block', undefined])
    const worker = await closed.bind('w1', 'executor')
    const operate = (operation: string, params: object) =>
      closed.rpc(`commitments.${operation}`, { secret: worker, cwd: closed.project, ...params })
    const made = await operate('commit', { text: 'build it' })
    const id = 'result' in made ? (made.result.commitment as { id: string }).id : ''
    await operate('claim', { target: id })
    await operate('dismiss', { target: id, text: 'no time' })
    expect((await closed.hook('Stop', {}, { secret: worker })).reason).toContain(`${id} was dismissed, which is not finished`)
  } finally {
    await Promise.all([strict.stop(), closed.stop()])
  }
})
