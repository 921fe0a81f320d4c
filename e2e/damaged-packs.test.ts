// The packs that a client's code is read from (packages/host/bin/load-bundle.cjs), damaged in every way: the verdict stays the one of the
// sources. Nothing that judges may be missing, or be another, unseen.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Index {
  /** How long each is. */
  readonly packs: Record<string, number>
  readonly files: Record<string, [pack: string, at: number, sourceSize: number, size: number, sum: number | null]>
}

const host = fileURLToPath(new URL('../packages/host', import.meta.url))
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'belay-packs-')))
const copy = join(temp, 'copy')
const belay = join(copy, 'bin', 'belay.cjs')
const built = join(host, 'dist', `code-v8-${process.versions.v8}-${process.arch}`)
const folder = join(copy, 'dist', `code-v8-${process.versions.v8}-${process.arch}`)
const index: Index = JSON.parse(readFileSync(join(built, 'index.json'), 'utf8'))

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      allow: ["Bash(git *)"]
      deny: ["Bash(git push *)"]
`
const DECISIONS = { 'git status': 'allow', 'cd src && git push origin': 'deny' }

beforeAll(() => {
  mkdirSync(join(copy, 'dist'), { recursive: true })
  for (const name of ['bin', 'native', 'package.json', join('dist', 'cli.cjs'), join('dist', 'chunk')])
    cpSync(join(host, name), join(copy, name), { recursive: true })
  mkdirSync(join(temp, 'project', '.belay'), { recursive: true })
  writeFileSync(join(temp, 'project', '.belay', 'genesis.key'), POLICY)
  run(['policy', 'trust'])
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

function run(words: readonly string[], input = ''): ReturnType<typeof spawnSync> {
  const env = { PATH: process.env.PATH, HOME: temp, BELAY_HOME: join(temp, 'home'), BELAY_NO_AUTOSTART: '1' }
  return spawnSync(process.execPath, [belay, ...words], { cwd: join(temp, 'project'), env, input, encoding: 'utf8' })
}

function judge(command: string): string {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', cwd: join(temp, 'project'), tool_name: 'Bash', tool_input: { command } }
  const { status, stdout } = run(['hook', '--agent', 'claude-code', '--event', 'PreToolUse', '--direct'], JSON.stringify(payload))
  return status === 0 ? JSON.parse(String(stdout)).hookSpecificOutput.permissionDecision : `exit ${status}`
}

function judgeAll(): Record<string, string> {
  return Object.fromEntries(Object.keys(DECISIONS).map(command => [command, judge(command)]))
}

/** The packs as they were built, before each damage. */
function restore(): void {
  rmSync(folder, { recursive: true, force: true })
  cpSync(built, folder, { recursive: true })
}

const packs = Object.keys(index.packs)
const judging = packs.filter(name => !/^(?:daemon|status)/.test(name))
/** What only asks the daemon is not compared with a sum. */
const summed = judging.filter(name => !name.startsWith('client'))

test('the build leaves a pack for each step, and a sum for each that judges', () => {
  expect(readdirSync(built).sort()).toEqual([...packs, 'index.json'].sort())
  expect(packs.map(name => name.replace(/-.*/, ''))).toEqual(['client', 'status', 'judge', 'alone', 'daemon'])
  expect(new Set(Object.values(index.files).flatMap(([pack, , , , sum]) => (sum === null ? [pack.replace(/-.*/, '')] : [])))).toEqual(
    new Set(['client', 'status']),
  )
})

test('whole, they give these verdicts', () => {
  restore()
  expect(judgeAll()).toEqual(DECISIONS)
})

describe('a pack', () => {
  const cuts: readonly (readonly [string, (size: number, first: number) => number])[] = [
    ['is empty', () => 0],
    ['ends within a source', (_size, first) => first >> 1],
    ['ends between a source and its code', (_size, first) => first],
    ['ends within its last file', (size, first) => (size + first) >> 1],
    ['lacks its last byte', size => size - 1],
  ]
  const firstSource = (pack: string) => Object.values(index.files).find(([name, at]) => name === pack && at === 0)?.[2] ?? 0
  test.each(judging.flatMap(name => cuts.map(([how, at]) => [name.replace(/-.*/, ''), how, name, at] as const)))('%s: %s', (...row) => {
    const [, , name, at] = row
    restore()
    const bytes = readFileSync(join(built, name))
    writeFileSync(join(folder, name), bytes.subarray(0, at(bytes.length, firstSource(name))))
    expect(judgeAll()).toEqual(DECISIONS)
  })

  test.each(judging)('%s is not there', name => {
    restore()
    rmSync(join(folder, name))
    expect(judgeAll()).toEqual(DECISIONS)
  })

  test.each(summed.flatMap(name => [0.001, 0.2, 0.4, 0.6, 0.8, 0.999].map(part => [name, part] as const)))(
    '%s has another byte at %d of its length',
    (name, part) => {
      restore()
      const bytes = readFileSync(join(built, name))
      const at = Math.floor(bytes.length * part)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(join(folder, name), bytes)
      expect(judgeAll()).toEqual(DECISIONS)
    },
  )

  test('another of the same length stands in its place', () => {
    restore()
    for (const name of summed) writeFileSync(join(folder, name), Buffer.alloc(index.packs[name] ?? 0))
    expect(judgeAll()).toEqual(DECISIONS)
  })
})

describe('an index', () => {
  const [first = '', second = ''] = Object.keys(index.files).filter(name => summed.includes(index.files[name]?.[0] ?? ''))
  const [pack, at, sourceSize, size, sum] = index.files[first] ?? ['', 0, 0, 0, 0]
  const other = index.files[second] ?? ['', 0, 0, 0, 0]
  const withFirst = (...place: readonly unknown[]) => ({ ...index, files: { ...index.files, [first]: place } })
  test.each<readonly [string, unknown]>([
    ['names nothing', { packs: {}, files: {} }],
    ['knows no packs', { ...index, packs: {} }],
    ['lacks a file', { ...index, files: Object.fromEntries(Object.entries(index.files).filter(([name]) => name !== first)) }],
    ['begins a source too late', withFirst(pack, at + 1, sourceSize, size, sum)],
    ['ends a source too soon', withFirst(pack, at, sourceSize - 1, size, sum)],
    ["has another file's place", withFirst(other[0], other[1], sourceSize, size, sum)],
    ['has a place beyond the pack', withFirst(pack, 1e9, sourceSize, size, sum)],
    ['has more code than there is', withFirst(pack, at, sourceSize, 1e9, sum)],
  ])('%s', (_name, damaged) => {
    restore()
    writeFileSync(join(folder, 'index.json'), JSON.stringify(damaged))
    expect(judgeAll()).toEqual(DECISIONS)
  })

  test.each([0, 1, 100])('is cut off after %d characters', length => {
    restore()
    writeFileSync(join(folder, 'index.json'), JSON.stringify(index).slice(0, length))
    expect(judgeAll()).toEqual(DECISIONS)
  })
})
