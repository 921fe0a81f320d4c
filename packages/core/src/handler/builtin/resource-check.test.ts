import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HookResult } from '../../hook/hook-result.ts'
import { ask, none } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import { resultOf, runBuiltinHook } from '../fixtures/run-builtin-hook.ts'
import type { Config } from './config-value.ts'
import { checkLoad } from './resource-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-builtin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bash = (command: string) => makeEvent({ cwd: folder, fields: { toolName: 'Bash', toolInput: { command } } })
const NOTHING = { verdict: none() }

describe('resource_check', () => {
  const big = join(folder, 'tree', 'big.bin')
  mkdirSync(join(folder, 'tree', 'deep'), { recursive: true })
  writeFileSync(big, Buffer.alloc(2000))
  writeFileSync(join(folder, 'tree', 'deep', 'a'), '')
  writeFileSync(join(folder, 'tree', 'deep', 'b'), '')
  const onFile = (file_path: string, content?: string) =>
    makeEvent({ cwd: folder, fields: { toolName: 'Write', toolInput: { file_path, content } } })

  it.each<[Config, HookEvent, HookResult | string]>([
    [{ min_free_disk: 1 }, bash('ls'), NOTHING],
    [{ min_free_disk: '1000000TB' }, bash('ls'), 'at least 1000000.0 TB are required'],
    [{ max_load: 1_000_000 }, bash('ls'), NOTHING],
    [{ max_file_size: '2KB' }, onFile(big), NOTHING],
    [{ max_file_size: '1.5KB' }, onFile('tree/big.bin'), `${big} has 2.0 KB, the limit is 1.5 KB`],
    [{ max_file_size: 3 }, onFile('new.txt', 'long'), 'the new content has 4 bytes, the limit is 3 bytes'],
    [{ max_file_size: 3 }, onFile('new.txt', 'abc'), NOTHING],
    [{ max_file_count: 3, path: 'tree' }, bash('ls'), NOTHING],
    [{ max_file_count: 2, path: 'tree' }, bash('ls'), `${join(folder, 'tree')} holds more than 2 files`],
  ])('%j', async (config, event, expected) => {
    const result = await resultOf('resource_check', config, event)
    expect(result).toEqual(
      typeof expected === 'string' ? { verdict: { decision: 'deny', reason: expect.stringContaining(expected) } } : expected,
    )
  })

  it('asks where the config says so, and names everything it found', async () => {
    const { verdict } = await resultOf(
      'resource_check',
      { max_file_count: 0, max_file_size: 1, path: 'tree', decision: 'ask' },
      onFile(big),
    )
    expect(verdict).toEqual(ask(`${big} has 2.0 KB, the limit is 1 bytes; ${join(folder, 'tree')} holds more than 0 files`))
  })

  it.each([
    [null, 99, null],
    [2, 2, null],
    [2, 2.5, 'the load of this machine is 2.50, the limit is 2'],
  ])('max_load %s with a load of %s', (most, load, finding) => {
    expect(checkLoad(most, load)).toBe(finding)
  })

  it('fails when it cannot look', async () => {
    expect(await runBuiltinHook('resource_check', { max_file_count: 1, path: 'absent' }, bash('ls'))).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('ENOENT'),
    })
  })
})
