// npm run torture -- NAME [seed]: one campaign at full size, minutes instead of the seconds it takes among the tests. The seed is printed and
// repeats a run.
import { ensureInstalled } from './lib/ensure.mjs'
import { runVitest } from './lib/vitest.mjs'

const CAMPAIGNS = {
  daemon: { files: ['packages/host/src/daemon/torture'], size: '1' },
  store: { files: ['packages/host/src/store/crash.test.ts'], size: '300' },
}

const [name = '', seed] = process.argv.slice(2)
const campaign = CAMPAIGNS[name]
if (campaign === undefined) {
  console.error(`No campaign called ${name || 'nothing'}. There are: ${Object.keys(CAMPAIGNS).join(', ')}.`)
  process.exit(2)
}
ensureInstalled()
const env = { BELAY_TORTURE: campaign.size, ...(seed === undefined ? {} : { BELAY_SEED: seed }) }
// One after the other: each wants the machine for itself.
const { passes, failures, status } = runVitest(['--no-file-parallelism', '--reporter=default', ...campaign.files], env)
console.log(`${passes} passed, ${failures} failed`)
process.exit(status)
