// npm run test:system: what needs a C compiler, tmux, perl, python3, nc, zsh, fish, Debian's PostgreSQL and pgbouncer, namespaces or a small tmpfs. `.ci/run` installs what is
// missing. With names of files only those; without, the attacks on the guard itself too, in their short form.
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

ensureInstalled()
ensureBuilt()
const { reportAttacks } = await import('../e2e/self/report.mjs')
const names = process.argv.slice(2)
const { passes, failures, status } = runVitest(['.system.test.ts', ...names], { BELAY_TEST: 'system' }, { apart: true })
// The hub's whole suite again: on Debian's PostgreSQL, and behind its pgbouncer in transaction mode.
const hubs =
  names.length > 0
    ? []
    : [
        runVitest(['packages/hub/src', 'e2e/team'], { BELAY_TEST_POSTGRES: 'debian' }, { apart: true }),
        runVitest(['packages/hub/src', 'e2e/team-histories'], { BELAY_TEST_POSTGRES: 'debian', BELAY_TEST_POOLER: '1' }, { apart: true }),
      ]
const attacks = names.length === 0 ? await reportAttacks({ isShort: true }) : { passes: 0, failures: 0 }
const parts = [{ passes, failures, status }, ...hubs, { ...attacks, status: attacks.failures === 0 ? 0 : 1 }]
const sum = what => parts.reduce((total, part) => total + part[what], 0)
console.log(`${sum('passes')} passed, ${sum('failures')} failed`)
process.exit(parts.find(part => part.status !== 0)?.status ?? 0)
