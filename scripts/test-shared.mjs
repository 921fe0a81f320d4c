// npm run test:shared: holds the loaders and the permission engine against the real files in ../shared, where they are present.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

if (!existsSync(join(root, '..', 'shared', 'corpus'))) {
  console.log('There is no ../shared/corpus beside this clone: nothing to hold the loaders against.')
  process.exit(0)
}
ensureInstalled()
ensureBuilt()
const { passes, failures, status } = runVitest(['.shared.test.ts', ...process.argv.slice(2)], { BELAY_TEST: 'shared' })
console.log(`${passes} passed, ${failures} failed`)
process.exit(status)
