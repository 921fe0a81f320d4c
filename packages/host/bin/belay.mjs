#!/usr/bin/env node
// A small committed file, so that npm can link it before the first build.
import('../dist/cli.js').then(
  cli => cli.main(process.argv.slice(2)),
  error => {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    process.stderr.write('belay: this copy is not built yet\n  run `npm run build`\n')
    process.exitCode = 2
  },
)
