// Whether a cut or a replaced ledger would be seen: checkpoints must lie where the cutter cannot reach, and a new start is never silent.
import { readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import type { Finding } from '../install/finding.ts'
import { listOldCheckpoints } from '../ledger/old-checkpoint.ts'

export function checkLedger(home: string): readonly Finding[] {
  const about = { agent: null, check: 'ledger' }
  const replaced = listOldCheckpoints(home).map(
    ({ size, keptIn }): Finding => ({
      ...about,
      state: 'warn',
      message: `it was started anew: an earlier one had at least ${size} records (${keptIn})`,
      remedy: 'find out why (belay ledger query --kind ledger_started_anew), then remove that file',
    }),
  )
  const read = readConfig(homePaths(home).config)
  const places = read.ok ? (read.config.ledger?.export ?? []) : []
  if (places.length > 0) return [...replaced, { ...about, state: 'ok', message: `checkpoints also go to ${places.join(', ')}` }]
  const message = 'checkpoints are kept in this home only: whoever can write there could cut the record unseen'
  return [...replaced, { ...about, state: 'note', message, remedy: 'belay init --checkpoints git:. (or a file elsewhere, or a URL)' }]
}
