// Benchmarks and the example work wherever the project lies: a folder may hold blanks and signs that mean something in a URL.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MockLanguageModelV3 } from 'ai/test'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay a %20 b-'))
for (const name of ['packages', 'node_modules']) symlinkSync(join(root, name), join(folder, name))
cpSync(join(root, 'bench'), join(folder, 'bench'), { recursive: true, filter: path => !path.includes('node_modules') })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As little as they can measure. */
const little = { BELAY_BENCH_TURNS: '1', BELAY_BENCH_SIZES: '10', BELAY_BENCH_RECORDS: '6400', BELAY_BENCH_DIR: folder }

test.each(['permission', 'startup', 'ledger'])('bench/%s.mjs', name => {
  const print = () =>
    execFileSync(process.execPath, ['--expose-gc', join(folder, 'bench', `${name}.mjs`)], {
      env: { ...process.env, ...little },
      encoding: 'utf8',
      stdio: 'pipe',
    })
  expect(print()).toMatch(/\d/)
})

test('the agent of examples/', async () => {
  // Inside the project, where what it imports is found.
  const copy = join(root, '.cache', `a %20 b-${process.pid}`)
  mkdirSync(copy, { recursive: true })
  try {
    cpSync(join(root, 'examples/agent-loop'), copy, { recursive: true })
    const { runAgent } = (await import(join(copy, 'agent-loop.ts'))) as typeof import('../examples/agent-loop/agent-loop.ts')
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }),
    })
    expect(await runAgent('go', { cwd: copy, approve: () => ({ decision: 'deny' }), model })).toMatchObject({ answer: 'done' })
  } finally {
    rmSync(copy, { recursive: true })
  }
})
