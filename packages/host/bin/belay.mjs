#!/usr/bin/env node
// A small committed file, so that npm can link it before the first build. Whatever goes wrong here is "could not work", never "no".
import('../dist/cli.js')
  .then(cli => cli.main(process.argv.slice(2)))
  .catch(error => {
    const isUnbuilt = error?.code === 'ERR_MODULE_NOT_FOUND' && /dist[\\/]cli\.js'/.test(error.message)
    process.stderr.write(isUnbuilt ? 'belay: this copy is not built yet\n  run `npm run build`\n' : `belay: ${error?.stack ?? error}\n`)
    process.exitCode = 2
  })
