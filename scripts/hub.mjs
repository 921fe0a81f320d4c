// npm run hub: installs, builds and shows a team: a hub on a throw-away PostgreSQL, three machines, agents at work, and the page.
// `npm run hub -- --once` checks itself and ends.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt, ensureInstalled, root } from './lib/ensure.mjs'

ensureInstalled()
ensureBuilt()
const { main } = await import(pathToFileURL(join(root, 'packages/hub/dist/cli.js')).href)
await main(['demo', ...process.argv.slice(2)])
