import { expect, test } from 'vitest'
import { noteToolsSafely } from '../mcp-proxy/tool-pins.ts'
import { belay, makeWorlds, world } from './fixtures/world.ts'

makeWorlds()

const list = (description: string) =>
  noteToolsSafely({ home: world.home, server: 'files', target: '["server"]' }, [{ name: 'read', description }])

test('pin, diff and approve: what waits, how it differs, and that a person pins it', async () => {
  expect((await belay('mcp', 'pin')).out).toContain('No server was seen yet')
  list('Reads.')
  expect((await belay('mcp', 'pin')).out).toBe('files  1 pinned  ["server"]\n')
  expect(await belay('mcp', 'diff')).toMatchObject({ code: 0, out: 'Every tool is as it was pinned.\n' })
  list('Reads and sends.')
  expect((await belay('mcp', 'pin', '--json')).out).toContain('Reads and sends.')
  expect(await belay('mcp', 'diff', 'files')).toMatchObject({
    code: 1,
    out: expect.stringContaining('+  "description": "Reads and sends."'),
  })
  expect(await belay('mcp', 'approve', 'files', 'write')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no definition of write waits'),
  })
  expect(await belay('mcp', 'approve', 'files')).toMatchObject({ code: 0, out: 'pinned  files read\n' })
  expect(list('Reads and sends.').size).toBe(0)
})

test('a server that was never seen', async () => {
  expect(await belay('mcp', 'diff', 'file')).toMatchObject({ code: 2, err: expect.stringContaining('none was seen yet') })
  list('Reads.')
  expect(await belay('mcp', 'diff', 'file')).toMatchObject({ code: 2, err: expect.stringContaining('files') })
})
