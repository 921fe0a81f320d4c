import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { exportCheckpoint, parseCheckpointTarget } from './export-checkpoint.ts'
import { splitNotes } from './split-notes.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-export-'))
afterAll(() => rmSync(folder, { recursive: true }))

const noteOf = (size: number): string =>
  `example/ledger\n${size}\n${Buffer.alloc(32, size).toString('base64')}\n\n\u2014 example/ledger ${Buffer.alloc(68, size).toString('base64')}\n`

test.each([
  ['last.note', { type: 'file', file: '/home/ana/last.note' }],
  ['file:/mnt/last.note', { type: 'file', file: '/mnt/last.note' }],
  ['git:../repo', { type: 'git', repository: '/home/repo' }],
  ['git:', { type: 'git', repository: '/home/ana' }],
  ['https://example.com/x', { type: 'webhook', url: 'https://example.com/x' }],
])('%s is a place', (text, target) => {
  expect(parseCheckpointTarget(text, '/home/ana')).toEqual(target)
})

describe('a file', () => {
  test('holds the last checkpoint, and never goes back', async () => {
    const file = join(folder, 'deep', 'last.note')
    const target = { type: 'file', file } as const
    expect(await exportCheckpoint(target, noteOf(5))).toBeUndefined()
    expect(await exportCheckpoint(target, noteOf(7))).toBeUndefined()
    expect(await exportCheckpoint(target, noteOf(6))).toContain('holds a checkpoint of 7 records, this one has 6')
    expect(readFileSync(file, 'utf8')).toBe(noteOf(7))
  })

  test('that cannot be written is reported', async () => {
    expect(await exportCheckpoint({ type: 'file', file: '/dev/null/last.note' }, noteOf(1))).toContain('checkpoint not exported')
    if (process.platform === 'linux')
      expect(await exportCheckpoint({ type: 'file', file: '/proc/belay/last.note' }, noteOf(1))).toContain('/proc takes no folders')
  })
})

test('a repository gets a note on its HEAD', async () => {
  const repository = join(folder, 'repository')
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' })
  execFileSync('git', ['init', '-q', repository])
  git('config', 'user.email', 'ana@example.com')
  git('config', 'user.name', 'Ana')
  expect(await exportCheckpoint({ type: 'git', repository }, noteOf(1))).toContain('checkpoint not exported')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  expect(await exportCheckpoint({ type: 'git', repository }, noteOf(2))).toBeUndefined()
  expect(git('notes', '--ref', 'belay', 'show', 'HEAD').trim()).toBe(noteOf(2).trim())
  // It grows, each checkpoint stands there once, and it never goes back.
  for (const size of [3, 3]) expect(await exportCheckpoint({ type: 'git', repository }, noteOf(size))).toBeUndefined()
  expect(await exportCheckpoint({ type: 'git', repository }, noteOf(1))).toContain('holds a checkpoint of 3 records, this one has 1')
  expect(splitNotes(git('notes', '--ref', 'belay', 'show', 'HEAD'))).toEqual([noteOf(2), noteOf(3)])
})

test.each([
  ['one', noteOf(1), [noteOf(1)]],
  ['one without its last line end', noteOf(1).trimEnd(), [noteOf(1)]],
  ['two apart', `${noteOf(1)}\n${noteOf(2)}`, [noteOf(1), noteOf(2)]],
  ['two close together', noteOf(1) + noteOf(2), [noteOf(1), noteOf(2)]],
  ['something else', 'hello\n', ['hello\n']],
  ['nothing', '', ['']],
])('a text with %s falls apart', (_name, text, notes) => {
  expect(splitNotes(text)).toEqual(notes)
})

describe('a webhook', () => {
  test('is sent the note; an answer that is no success is reported', async () => {
    const bodies: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(request.url === '/ok' ? 200 : 500).end()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await exportCheckpoint({ type: 'webhook', url: `${url}/ok` }, noteOf(3))).toBeUndefined()
    expect(await exportCheckpoint({ type: 'webhook', url: `${url}/broken` }, noteOf(3))).toContain('answered 500')
    expect(bodies).toEqual([noteOf(3), noteOf(3)])
    await new Promise(resolve => server.close(resolve))
    expect(await exportCheckpoint({ type: 'webhook', url }, noteOf(3))).toContain('checkpoint not exported')
  })
})
