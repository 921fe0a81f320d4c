// npm test: installs, builds, and runs every test that needs only Node, git and npm. It always runs them: parts of the suite are random on
// purpose. Arguments go to vitest.
import { ensureBuilt, ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

ensureInstalled()
ensureBuilt()
const { passes, failures, status } = runVitest(process.argv.slice(2))
console.log(`${passes} passed, ${failures} failed`)
process.exit(status)
