// npm run bench [name ...]: installs the peers into bench/ and prints one table per benchmark. Ratios hold inside one run;
// absolute figures move from machine to machine.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, hashFiles, must, readStamp, root, run, writeStamp } from '../scripts/lib/ensure.mjs'

const folder = join(root, 'bench')
const names = readdirSync(folder)
  .filter(file => file.endsWith('.mjs') && file !== 'run.mjs' && file !== 'compare-builds.mjs')
  .map(file => file.replace('.mjs', ''))
const wanted = process.argv.slice(2).filter(arg => !arg.startsWith('-'))
const unknown = wanted.filter(name => !names.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark called ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  process.exit(2)
}

ensureInstalled()
ensureBuilt()
ensurePeers()

// A certificate file costs every Node start about 50 ms and has nothing to do with what is measured.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
let status = 0
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n## ${name}\n`)
  status = Math.max(status, run(process.execPath, ['--expose-gc', join(folder, `${name}.mjs`)], { env }))
}
process.exit(status)

function ensurePeers() {
  const lock = join(folder, 'package-lock.json')
  const hash = hashFiles([lock])
  if (existsSync(join(folder, 'node_modules')) && readStamp('peers') === hash) return
  console.error('Installing the peers to measure beside ...')
  must('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'])
  writeStamp('peers', hash)
}
