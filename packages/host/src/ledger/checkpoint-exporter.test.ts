import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { createCheckpointExporter } from './checkpoint-exporter.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-exporter-'))
afterAll(() => rmSync(folder, { recursive: true }))

const checkpoint = (size: number) => ({
  n: size,
  size,
  note: `example/ledger\n${size}\n${Buffer.alloc(32, size).toString('base64')}\n\n\u2014 example/ledger ${Buffer.alloc(68, size).toString('base64')}\n`,
})

test('the first goes out by itself, and so does the last of many in a row', async () => {
  const file = join(folder, 'many.note')
  const warnings: string[] = []
  const { add } = createCheckpointExporter([{ type: 'file', file }], warning => warnings.push(warning))
  const isThere = (size: number) => vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(checkpoint(size).note), { timeout: 30_000 })
  add(checkpoint(1))
  await isThere(1)
  for (let size = 2; size <= 9; size++) {
    add(checkpoint(size))
    await nextTurn()
  }
  await isThere(9)
  expect(warnings).toEqual([])
})

test('whoever settles finds the last one there', async () => {
  const file = join(folder, 'settled.note')
  const { add, settle } = createCheckpointExporter([{ type: 'file', file }], () => undefined)
  for (let size = 1; size <= 5; size++) {
    add(checkpoint(size))
    await nextTurn()
    if (size % 2 === 1) await settle()
  }
  expect(readFileSync(file, 'utf8')).toBe(checkpoint(5).note)
})
