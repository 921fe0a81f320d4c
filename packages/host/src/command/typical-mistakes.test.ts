// Forty policies with mistakes that people make: each message says where, what is wrong, and what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestIo } from './fixtures/test-io.ts'
import { TYPICAL_MISTAKES } from './fixtures/typical-mistakes.ts'
import { runProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-mistake-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly line: number
  readonly column: number
  readonly message: string
  readonly remedy?: string
}

async function check(text: string): Promise<{ readonly code: number; readonly said: readonly Said[] }> {
  const file = join(folder, 'genesis.key')
  writeFileSync(file, text)
  const { io, written } = createTestIo({ env: { HOME: folder, BELAY_HOME: join(folder, '.belay') }, cwd: folder, etc: folder })
  const code = await runProgram(['genesis', 'validate', file, '--json'], io)
  const { errors, warnings } = JSON.parse(written.out)
  return { code, said: [...errors, ...warnings] }
}

/** A key at another level is missing where it belongs, and unknown where it stands. */
const TWO = 'a command at the wrong level'

test.each(TYPICAL_MISTAKES)('%s', async (title, text, line, said, remedy) => {
  const found = (await check(text)).said
  const named = found.find(each => said.test(each.message))
  expect([named?.line, named?.message, named?.remedy]).toEqual([line, expect.stringMatching(said), expect.stringMatching(remedy)])
  // Nothing is said that only follows from it.
  expect(found.length).toBe(title === TWO ? 2 : 1)
  // Whatever else is said of it has a place and a remedy too.
  expect(found.filter(each => each.line < 1 || each.column < 1 || (each.remedy ?? '') === '')).toEqual([])
})
