// node e2e/self/run.mjs [--short] [--real] [--only TEXT] [--resume] [--verbose]: attacks on the guard itself, by hand.
import { parseArgs } from 'node:util'
import { reportAttacks } from './report.mjs'

const flag = { type: 'boolean', default: false }
const { values } = parseArgs({ options: { short: flag, real: flag, verbose: flag, resume: flag, only: { type: 'string', default: '' } } })
const { passes, failures } = await reportAttacks({
  isShort: values.short,
  isReal: values.real,
  isVerbose: values.verbose,
  isResumed: values.resume,
  only: values.only,
})
console.log(`${passes} passed, ${failures} failed`)
process.exit(failures === 0 && passes > 0 ? 0 : 1)
