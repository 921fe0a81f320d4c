import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Kinds of tests: plain ones need Node, git and npm; `.system.` ones need tools of the machine; `.shared.` ones need ../shared. `.pictures.`
// ones take the pictures of the documentation.
const kinds = ['system', 'shared', 'pictures']
const wanted = process.env.BELAY_TEST
const suffix = wanted === undefined ? 'test.ts' : `${wanted}.test.ts`
const unwanted = kinds.filter(kind => kind !== wanted).map(kind => `**/*.${kind}.test.ts`)

/** Their tests put back what they change of the process, so that one runs many files: loading the sources anew for each takes longer than most. */
const SHARED = ['core', 'host', 'dashboard']
const REST = ['packages/hub/src', 'examples', 'e2e']

export default defineConfig({
  // Tests run on the sources, so that a stack trace names the line that was written.
  resolve: {
    alias: [
      { find: /^@belay\/core$/, replacement: fileURLToPath(new URL('./packages/core/src/index.ts', import.meta.url)) },
      {
        find: /^@belay\/core\/actor$/,
        replacement: fileURLToPath(new URL('./packages/core/src/policy/genesis/actor-match.ts', import.meta.url)),
      },
      {
        find: /^@belay\/core\/(value|policy|match|ledger|team|event|adapter|dialect)$/,
        replacement: fileURLToPath(new URL('./packages/core/src/$1/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    exclude: ['**/node_modules/**', '**/dist/**', ...unwanted],
    projects: [
      ...SHARED.map(name => ({ extends: true as const, test: { name, include: [`packages/${name}/src/**/*.${suffix}`], isolate: false } })),
      { extends: true, test: { name: 'rest', include: REST.map(folder => `${folder}/**/*.${suffix}`) } },
    ],
    // Most tests wait for processes more than they compute; the default leaves one core idle, which is half of a small machine.
    maxWorkers: '100%',
    // These end what hangs. A machine may be slow, and what is waited for comes when it comes: neither is a failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
})
