// npm run test:system: what needs a C compiler, tmux, perl, nc or a small tmpfs. `.ci/run` installs what is missing.
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

ensureInstalled()
ensureBuilt()
const { passes, failures, status } = runVitest(['.system.test.ts', ...process.argv.slice(2)], { BELAY_TEST: 'system' })
console.log(`${passes} passed, ${failures} failed`)
process.exit(status)
