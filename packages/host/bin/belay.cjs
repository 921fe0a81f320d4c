#!/usr/bin/env node
// A small committed file, so that npm can link it before the first build. Whatever goes wrong here is "could not work", never "no".
// CommonJS, because Node starts it sooner than a module.
'use strict'
// Node opens its debugger, to whoever connects, in a process that gets this signal; not in one that listens to it.
process.on('SIGUSR1', () => undefined)
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { loadBundle } = require('./load-bundle.cjs')

const entry = join(__dirname, '..', 'dist', 'cli.cjs')

run().catch(error => {
  process.stderr.write(
    existsSync(entry) ? `belay: ${error?.stack ?? error}\n` : 'belay: this copy is not built yet\n  run `npm run build`\n',
  )
  process.exitCode = 2
})

async function run() {
  await loadBundle(entry).main(process.argv.slice(2))
}
