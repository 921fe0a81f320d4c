import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Write(*)", "Edit(*)"]
      deny: ["Write(secret/*)", "Edit(secret/*)"]
`

let belay: TestDaemon
let count = 0
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

/** A folder of its own in the project: `open/` may be written, `secret/` may not. */
function makePlace(): string {
  const place = join(belay.project, `place-${count++}`)
  for (const name of ['open', 'open/deep', 'secret', '../secret']) mkdirSync(join(place, name), { recursive: true })
  writeFileSync(join(place, 'open', 'a.txt'), 'a')
  return place
}

function relink(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true })
  symlinkSync(target, path)
}

async function write(path: string, during: () => void, tool = 'Write') {
  const call = { tool_name: tool, tool_input: { file_path: path, content: 'x' }, tool_use_id: `call-${count++}` }
  const { decision } = await belay.hook('PreToolUse', call)
  during()
  const { stdout } = await belay.hook('PostToolUse', { ...call, tool_response: 'ok' })
  const found = (await belay.entries('path_changed')).filter(entry => entry.read.toolUseId === call.tool_use_id)
  return { decision, said: stdout, entries: found.map(({ read }) => ({ paths: read.paths, verdictNow: read.verdictNow })) }
}

const secret = () => join(belay.project, 'secret')

test.each<[string, string, string, (place: string) => void, (place: string) => void]>([
  [
    'a link to a file',
    'l',
    '.env',
    place => relink(join(place, 'l'), 'open/a.txt'),
    place => relink(join(place, 'l'), join(secret(), '.env')),
  ],
  ['a link to a folder', 'd/x.txt', 'x.txt', place => relink(join(place, 'd'), 'open'), place => relink(join(place, 'd'), secret())],
  [
    'a link behind a link',
    'one/x.txt',
    'x.txt',
    place => {
      relink(join(place, 'two'), 'open')
      relink(join(place, 'one'), 'two')
    },
    place => relink(join(place, 'two'), secret()),
  ],
  ['a folder that became a link', 'open/deep/x.txt', 'x.txt', () => undefined, place => relink(join(place, 'open', 'deep'), secret())],
  [
    'a file that became a link',
    'open/a.txt',
    'a.txt',
    () => undefined,
    place => relink(join(place, 'open', 'a.txt'), join(secret(), 'a.txt')),
  ],
])('%s leads elsewhere after the check', async (_title, name, written, before, during) => {
  const place = makePlace()
  before(place)
  const path = join(place, name)
  const { decision, said, entries } = await write(path, () => during(place))
  expect(decision).toBe('allow')
  expect(entries).toEqual([
    { paths: [{ path, judged: expect.stringContaining(join(place, 'open')), written: join(secret(), written) }], verdictNow: 'deny' },
  ])
  expect(said).toContain(join(secret(), written))
})

test('a link that was replaced and put back', async () => {
  const place = makePlace()
  const path = join(place, 'l')
  relink(path, 'open/a.txt')
  const { entries, said } = await write(path, () => {
    renameSync(path, `${path}.kept`)
    symlinkSync(join(secret(), '.env'), path)
    renameSync(`${path}.kept`, path)
  })
  const real = join(place, 'open', 'a.txt')
  expect(entries).toEqual([{ paths: [{ path, judged: real, written: real }], verdictNow: 'allow' }])
  expect(said).toContain('a link on the way was replaced')
})

test.each<[string, string, (place: string, path: string) => void]>([
  ['a file that is written', 'open/a.txt', (_place, path) => writeFileSync(path, 'b')],
  [
    'a file that is replaced',
    'open/a.txt',
    (place, path) => {
      writeFileSync(join(place, 'new'), 'b')
      renameSync(join(place, 'new'), path)
    },
  ],
  [
    'a new file',
    'open/new/b.txt',
    (place, path) => {
      mkdirSync(join(place, 'open', 'new'))
      writeFileSync(path, 'b')
    },
  ],
  ['a file behind a link', 'l/a.txt', (_place, path) => writeFileSync(path, 'b')],
  ['a file that is removed', 'open/a.txt', (_place, path) => rmSync(path)],
])('%s is nothing to report', async (_title, name, during) => {
  const place = makePlace()
  relink(join(place, 'l'), 'open')
  const path = join(place, name)
  expect(await write(path, () => during(place, path), 'Edit')).toEqual({ decision: 'allow', said: '', entries: [] })
})
