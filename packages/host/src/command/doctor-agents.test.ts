// What makes the guard of any agent fail while its files still look right: an entry or a file of ours taken out, replaced, narrowed, hurried
// or switched off, and a client that is another. The changes are made from what each agent's installation wrote.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listTargets } from '../agent/agents.ts'
import type { InstallPlace } from '../agent/target.ts'
import { checkClient } from '../doctor/check-client.ts'
import { shimPath } from '../install/choose-shim.ts'
import { findUnguarded } from '../install/find-unguarded.ts'
import type { Finding } from '../install/finding.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { placeOf } from './install.ts'
import { runProgram } from './program.ts'

const base = mkdtempSync(join(tmpdir(), 'belay-agents-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

type Json = Record<string, unknown>

interface Change {
  readonly what: string
  readonly make: () => void
}

async function installed(agent: string) {
  const folder = mkdtempSync(join(base, `${agent}-`))
  const [user, project, home] = ['user', 'project', 'belay'].map(name => join(folder, name)) as [string, string, string]
  const env = { HOME: user, BELAY_HOME: home, PATH: '/usr/bin:/bin', BELAY_NO_AUTOSTART: '1' }
  mkdirSync(user, { recursive: true })
  spawnSync('git', ['init', '-q', project])
  const before = new Set(filesBelow(folder))
  const { io } = createTestIo({ env, cwd: project, etc: join(folder, 'etc') })
  expect(await runProgram(['install', agent], io)).toBe(0)
  const files = filesBelow(folder).filter(path => !before.has(path) && !path.startsWith(home))
  const placeIn = (scope: InstallPlace['scope']) => ({ ...placeOf(io, scope), shim: shimPath(home), version: null })
  const wrong = (): readonly Finding[] => [...findUnguarded(home, placeIn), checkClient(home, env)].filter(({ state }) => state === 'fail')
  return { project, files, client: shimPath(home), wrong }
}

function filesBelow(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  return paths.filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

/** Where in the file our lines stand: the keys that lead to each, from the top. */
function linesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value === 'string') return value.includes('belay-hook') ? [path] : []
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => linesIn(inner, [...path, key])) : []
}

function at(value: unknown, path: readonly string[]): Json {
  return path.reduce<unknown>((inner, key) => (inner as Json)[key], value) as Json
}

const LINES: readonly ((line: string) => string)[] = [
  line => `${line} || true`,
  line => `true; ${line}`,
  line => `# ${line}`,
  line => `${line} &`,
  line => `(${line}); exit 0`,
  line => line.replace('--proof 90', '--proof 0'),
  line => line.replace(/--deadline-ms \d+/, '--deadline-ms 1'),
  line => line.replace(/--event (\S+)/, '--event Other'),
  line => line.replace('belay-hook', 'other/belay-hook'),
  () => 'true',
]

/** One line of ours, in every way in which an entry can be weakened that an agent may obey. */
function entryChanges(file: string, path: readonly string[]): readonly Change[] {
  const text = readFileSync(file, 'utf8')
  const change = (what: string, make: (value: Json) => void): Change => ({
    what: `${path.join('.')}: ${what}`,
    make: () => {
      const value = JSON.parse(text) as Json
      make(value)
      writeFileSync(file, JSON.stringify(value, null, 2))
    },
  })
  const [holder, key] = [path.slice(0, -1), path.at(-1) ?? '']
  const handler = at(JSON.parse(text), holder)
  const hasGroup = holder.at(-2) === 'hooks' && /^\d+$/.test(holder.at(-1) ?? '')
  const group = hasGroup ? holder.slice(0, -2) : holder
  const event = holder.findLast(name => !/^(?:\d+|hooks|action)$/.test(name)) ?? ''
  const eventAt = holder.lastIndexOf(event)
  const add = (where: readonly string[], members: Json) =>
    change(`${where === group ? 'group ' : ''}${JSON.stringify(members)}`, value => Object.assign(at(value, where), members))
  return [
    ...LINES.map(edit =>
      change(`the line is \`${edit('LINE')}\``, value => Object.assign(at(value, holder), { [key]: edit(String(handler[key])) })),
    ),
    ...Object.keys(handler)
      .filter(name => /timeout/i.test(name))
      .flatMap(name => [add(holder, { [name]: 1 }), change(`no ${name}`, value => delete at(value, holder)[name])]),
    ...['Bash', '^$', 'never'].map(matcher => add(group, { matcher })),
    ...[{ async: true }, { disabled: true }, { enabled: false }, { if: 'Bash(never)' }, { once: true }, { failClosed: false }].map(
      members => add(holder, members),
    ),
    ...('type' in handler ? [add(holder, { type: 'http' }), add(holder, { type: 'prompt' })] : []),
    change(`the line is under another name`, value => {
      const entry = at(value, holder)
      entry[`${key}X`] = entry[key]
      delete entry[key]
    }),
    ...(eventAt === -1 ? [] : [change('its event is gone', value => delete at(value, holder.slice(0, eventAt))[event])]),
    ...(hasGroup ? [change('the group is empty', value => Object.assign(at(value, group), { hooks: [] }))] : []),
  ]
}

const instead = (put: (file: string) => void) => (file: string) => {
  rmSync(file)
  put(file)
}

const WHOLE: readonly (readonly [string, (file: string) => void])[] = [
  ['gone', file => rmSync(file)],
  ['empty', file => truncateSync(file)],
  ['an empty object', file => writeFileSync(file, '{}')],
  ['of somebody else', file => writeFileSync(file, '#!/bin/sh\nexit 0\n')],
  ['cut in half', file => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['a link to nothing', instead(file => symlinkSync('/dev/null', file))],
  ['a folder', instead(mkdirSync)],
]

/** A name twice in one object: agents read the last one. */
function twice(file: string): readonly Change[] {
  const text = readFileSync(file, 'utf8')
  const end = text.trimEnd().lastIndexOf('}')
  const change = (what: string, changed: string): Change => ({ what: `${file}: ${what}`, make: () => writeFileSync(file, changed) })
  const behind = (member: RegExp, second: string) => change(`${second} behind ${member.source}`, text.replaceAll(member, `$&, ${second}`))
  const events = Object.keys((JSON.parse(text) as { hooks: Json }).hooks).filter(name => /pre|before/i.test(name))
  return [
    ...['{}', '[]', 'null', '{"PreToolUse": []}'].map(value =>
      change(`hooks twice: ${value}`, `${text.slice(0, end).trimEnd()},\n"hooks": ${value}\n}\n`),
    ),
    ...events.flatMap(event =>
      ['[]', 'null', '{}'].map(value => behind(new RegExp(`\\n {4}"${event}": \\[[^]*?\\n {4}\\]`, 'g'), `"${event}": ${value}`)),
    ),
    ...['command', 'bash'].map(name => behind(new RegExp(`"${name}": "(?:[^"\\\\]|\\\\.)*"`, 'g'), `"${name}": "true"`)),
    ...['timeout', 'timeoutSec'].map(name => behind(new RegExp(`"${name}": \\d+`, 'g'), `"${name}": 1`)),
  ]
}

const OWN: readonly (readonly [string, (file: string) => void])[] = [
  ['begun with an end', file => writeFileSync(file, readFileSync(file, 'utf8').replace('\n', '\nexit 0\n'))],
  ['longer by a line', file => writeFileSync(file, `${readFileSync(file, 'utf8')}\ntrue\n`)],
]

const CLIENT: readonly (readonly [string, (file: string) => void])[] = [
  ['another program', file => writeFileSync(file, '#!/bin/sh\nexit 90\n')],
  ['true', instead(file => copyFileSync('/bin/true', file))],
  ['cut in half', file => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['empty', file => truncateSync(file)],
  ['gone', file => rmSync(file)],
  ['a folder', instead(mkdirSync)],
  ['not to be run', file => chmodSync(file, 0o644)],
  [
    'of another machine',
    file => {
      const bytes = readFileSync(file)
      bytes[18] = 0xb7
      writeFileSync(file, bytes)
    },
  ],
]

function changesOf(files: readonly string[], client: string): readonly Change[] {
  const whole = (file: string, list: typeof WHOLE) => list.map(([what, make]) => ({ what: `${file} is ${what}`, make: () => make(file) }))
  return [
    ...files.flatMap(file => {
      const text = readFileSync(file, 'utf8')
      const isJson = text.startsWith('{')
      const lines = isJson ? linesIn(JSON.parse(text)) : []
      const some = [...lines.filter(path => /pre|before/i.test(path.join('.'))).slice(0, 2), ...lines.slice(-1)]
      const mode = isJson || !(statSync(file).mode & 0o100) ? [] : [{ what: `${file} may not be run`, make: () => chmodSync(file, 0o644) }]
      return [
        ...whole(file, WHOLE),
        ...(isJson ? [...some.flatMap(path => entryChanges(file, path)), ...twice(file)] : [...whole(file, OWN), ...mode]),
      ]
    }),
    ...whole(client, CLIENT),
  ]
}

test.each(listTargets().map(({ agent }) => agent))('%s: each change is a FAIL with a remedy', { timeout: 120_000 }, async agent => {
  const { files, client, wrong } = await installed(agent)
  expect([files.length > 0, wrong()]).toEqual([true, []])
  const kept = [...files, client].map(path => ({ path, bytes: readFileSync(path), mode: statSync(path).mode }))
  const silent: string[] = []
  // A change that this agent's file has no place for is none.
  const isOne = () =>
    kept.some(({ path, bytes, mode }) => {
      const now = statSync(path, { throwIfNoEntry: false })
      return now?.isFile() !== true || now.mode !== mode || !readFileSync(path).equals(bytes)
    })
  for (const { what, make } of changesOf(files, client)) {
    make()
    const fails = isOne() ? wrong() : []
    if (isOne() && (fails.length === 0 || fails.some(({ remedy }) => remedy === undefined))) silent.push(what)
    for (const { path, bytes, mode } of kept) {
      rmSync(path, { recursive: true, force: true })
      writeFileSync(path, bytes, { mode })
      chmodSync(path, mode)
    }
  }
  expect(silent).toEqual([])
})

test('git is told to take its hooks elsewhere', async () => {
  const { project, wrong } = await installed('git')
  expect(wrong()).toEqual([])
  spawnSync('git', ['config', 'core.hooksPath', 'other'], { cwd: project })
  expect(wrong()).toEqual(expect.arrayContaining([expect.objectContaining({ state: 'fail', remedy: expect.any(String) })]))
})
