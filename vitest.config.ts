import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Tests of packages run on the sources, so that a stack trace names the line that was written.
  resolve: {
    alias: [
      { find: /^@belay\/core$/, replacement: new URL('./packages/core/src/index.ts', import.meta.url).pathname },
      {
        find: /^@belay\/core\/(policy|match|ledger|event|adapter)$/,
        replacement: new URL('./packages/core/src/$1/index.ts', import.meta.url).pathname,
      },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'e2e/**/*.test.ts'],
    testTimeout: 30_000,
  },
})
