// npm run test:system: what needs a C compiler, tmux, perl, python3, nc, zsh, fish, Debian's PostgreSQL and pgbouncer, namespaces or a small tmpfs. `.ci/run` installs what is
// missing. With names of files only those; without, the attacks on the guard itself too, in their short form.
import { reportAttacks } from '../e2e/self/report.mjs'
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

ensureInstalled()
ensureBuilt()
const names = process.argv.slice(2)
const { passes, failures, status } = runVitest(['.system.test.ts', ...names], { BELAY_TEST: 'system' }, { apart: true })
const attacks = names.length === 0 ? await reportAttacks({ isShort: true }) : { passes: 0, failures: 0 }
console.log(`${passes + attacks.passes} passed, ${failures + attacks.failures} failed`)
process.exit(status !== 0 ? status : attacks.failures === 0 ? 0 : 1)
