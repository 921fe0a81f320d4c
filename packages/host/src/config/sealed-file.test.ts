// Processes that seal for the first time at the same moment: one key stands, and what each of them sealed stays sealed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSealed, writeSealed } from './sealed-file.ts'

const [WORKERS, ROUNDS] = [4, 80]
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sealed-'))
  const bundle = await rolldown({ input: fileURLToPath(new URL('sealed-file.ts', import.meta.url)), platform: 'node', logLevel: 'silent' })
  await bundle.write({ file: join(folder, 'sealed-file.mjs'), format: 'esm' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** All begin each round together. */
const CODE = `
const { parentPort, workerData: { folder, at, shared, workers, rounds } } = require('node:worker_threads')
import(folder + '/sealed-file.mjs').then(({ writeSealed }) => {
  const count = new Int32Array(shared)
  for (let round = 0; round < rounds; round++) {
    Atomics.add(count, 0, 1)
    while (Atomics.load(count, 0) < workers * (round + 1));
    writeSealed({ home: folder + '/' + round, file: folder + '/' + round + '/' + at + '.json', key: 'x.key' }, { at })
  }
  parentPort.postMessage('done')
})`

test('what several seal at once for the first time stays sealed', async () => {
  const shared = new SharedArrayBuffer(4)
  const data = { folder, shared, workers: WORKERS, rounds: ROUNDS }
  const ends = Array.from(
    { length: WORKERS },
    (_, at) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(CODE, { eval: true, workerData: { ...data, at } })
        worker.on('error', reject)
        worker.on('exit', resolve)
      }),
  )
  await Promise.all(ends)
  const lost = Array.from({ length: ROUNDS * WORKERS }, (_, at) => [Math.floor(at / WORKERS), at % WORKERS] as const).filter(
    ([round, at]) =>
      readSealed({ home: join(folder, `${round}`), file: join(folder, `${round}`, `${at}.json`), key: 'x.key' }).kind !== 'sealed',
  )
  expect(lost).toEqual([])
})

test('what is no key is replaced by one', () => {
  const place = { home: join(folder, 'damaged'), file: join(folder, 'damaged', 'x.json'), key: 'x.key' }
  mkdirSync(join(place.home, 'keys'), { recursive: true })
  writeFileSync(join(place.home, 'keys', 'x.key'), 'no key')
  writeSealed(place, { a: 1 })
  expect([readSealed(place).kind, readFileSync(join(place.home, 'keys', 'x.key'), 'utf8').trim().length]).toEqual(['sealed', 64])
})
