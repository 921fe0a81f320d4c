// The thread that writes dies under a running daemon. Threads need files that Node can load, so the daemon is bundled as for the command.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'

const source = fileURLToPath(new URL('..', import.meta.url))
const core = join(source, '..', '..', 'core', 'src')
const temp = mkdtempSync(join(tmpdir(), 'belay-death-'))

beforeAll(async () => {
  const entries = ['policy', 'match', 'ledger', 'event', 'adapter', 'dialect', 'value'].map(name => [
    `@belay/core/${name}`,
    join(core, name, 'index.ts'),
  ])
  const bundle = await rolldown({
    input: {
      daemon: join(source, 'daemon', 'start-daemon.ts'),
      'ledger/thread/ledger.worker': join(source, 'ledger', 'thread', 'ledger.worker.ts'),
    },
    platform: 'node',
    external: [/^libsql/],
    resolve: {
      conditionNames: ['node', 'import', 'default'],
      mainFields: ['module', 'main'],
      alias: { ...Object.fromEntries(entries), '@belay/core': join(core, 'index.ts') },
    },
  })
  await bundle.write({ dir: temp, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunk/[name].cjs' })
  symlinkSync(join(source, '..', '..', '..', 'node_modules'), join(temp, 'node_modules'))
  // By these a package knows its own place.
  for (const name of ['bin', 'native']) symlinkSync(join(source, '..', name), join(temp, name))
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

test('the daemon says so and ends, leaving no socket behind', () => {
  const home = join(temp, 'home')
  writeFileSync(
    join(temp, 'run.mjs'),
    `import { readdirSync } from 'node:fs'
    import { startDaemon } from './daemon.cjs'
    const threads = []
    process.on('worker', thread => threads.push(thread))
    const lines = []
    const log = line => lines.push(line)
    const home = ${JSON.stringify(home)}
    const env = { HOME: home, BELAY_HOME: home, PATH: process.env.PATH }
    const { daemon } = await startDaemon({ home, etc: home, env, port: 0, version: '0.0.0', log })
    threads[0].postMessage(7)
    const ended = await daemon.stopped.then(() => 'well', () => 'badly')
    const sockets = readdirSync(home, { recursive: true }).filter(file => file.endsWith('.sock'))
    process.stdout.write(JSON.stringify({ ended, sockets, errors: lines.filter(line => line.level === 'error').map(line => line.message) }))`,
  )
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync(process.execPath, ['run.mjs'], { cwd: temp, encoding: 'utf8', env, timeout: 240_000 })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  expect(JSON.parse(stdout)).toEqual({
    ended: 'badly',
    sockets: [],
    errors: [expect.stringMatching(/^the thread that writes .* ended: .*; the daemon ends$/), 'the daemon ended badly'],
  })
})
