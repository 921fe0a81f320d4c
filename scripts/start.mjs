// npm start: installs, builds and shows a guarded session live. `npm start -- --once` checks itself and ends.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, root } from './lib/ensure.mjs'

ensureInstalled()
ensureBuilt()
const { main } = await import(pathToFileURL(join(root, 'packages/host/dist/demo.cjs')).href)
process.exit(await main(process.argv.slice(2), root))
