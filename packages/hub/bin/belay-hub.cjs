#!/usr/bin/env node
// A small committed file, so that npm can link it before the first build.
'use strict'
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const entry = join(__dirname, '..', 'dist', 'cli.js')

import(pathToFileURL(entry).href)
  .then(({ main }) => main(process.argv.slice(2)))
  .catch(error => {
    process.stderr.write(
      existsSync(entry) ? `belay-hub: ${error?.stack ?? error}\n` : 'belay-hub: this copy is not built yet\n  run `npm run build`\n',
    )
    process.exitCode = 2
  })
