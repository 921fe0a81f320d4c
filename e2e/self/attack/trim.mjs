// Item 11: what is gone from the ledger must have gone by a trim that is recorded and sealed; hashes that stay behind are no excuse.
import { forgeRow, unnoticed, withDatabase } from './database.mjs'

const hello = { command: 'echo hello' }
/** So long that its record keeps it beside the entry. */
const long = { command: `: ${'x'.repeat(20_000)}` }

/** Out of the way while something is changed, and back as they were. */
function withoutTriggers(db, work) {
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
  work()
  for (const { sql } of triggers) db.exec(sql)
}

const CALL = "(SELECT min(seq) FROM ledger WHERE kind = 'pre_tool_use')"

/** As our own trimming leaves it. */
function dropCall(db) {
  withoutTriggers(db, () => {
    db.exec(`INSERT INTO leaves (seq, hash) SELECT seq, unhex(hash) FROM ledger WHERE seq = ${CALL}`)
    for (const table of ['deliveries', 'blobs']) db.exec(`DELETE FROM ${table} WHERE seq = ${CALL}`)
    db.exec(`DELETE FROM ledger WHERE seq = ${CALL}`)
  })
}

function emptyBlobs(db) {
  const { changes } = db.prepare('UPDATE blobs SET salt = NULL, content = NULL').run()
  if (changes === 0) throw new Error('there is no value beside an entry')
}

const claim = db =>
  forgeRow(db, {
    kind: 'ledger_trimmed',
    body: { beforeSeq: 1_000_000, blobs: 1000, entries: 1000, entriesBefore: 1_000_000 },
  })

const trim = (name, work, patch, more = {}) => ({
  item: 11,
  name,
  patch,
  // Sealed, as what is trimmed always is.
  moves: () => [hello, long, hello, world => world.kill('SIGTERM'), world => world.up(), world => withDatabase(world, work)],
  won: unnoticed,
  isRecorded: false,
  ...more,
})

const DAY_MS = 86_400_000

/** Entries that go, and one that stays, from days ago; then a person trims. */
const trimmedForReal = [
  world => world.upAt(-5 * DAY_MS),
  hello,
  world => world.put('p/.belay/genesis.key', `${world.read('p/.belay/genesis.key')}# changed\n`),
  hello,
  world => world.setClock(0),
  hello,
  world => world.kill('SIGTERM'),
  world => world.put('h/.belay/config.toml', '[retention]\nentries_days = 1\n'),
  world => world.up(),
  world => {
    const { entries } = JSON.parse(world.belay(['ledger', 'gc', '--json']))
    if (!(entries > 0)) throw new Error('nothing was dropped')
  },
]

/** A change of policy is never trimmed. */
function dropStaying(db) {
  withoutTriggers(db, () => {
    db.exec(`INSERT INTO leaves (seq, hash) SELECT seq, unhex(hash) FROM ledger WHERE seq = ${CHANGE}`)
    db.exec(`DELETE FROM deliveries WHERE seq = ${CHANGE}`)
    const { changes } = db.prepare(`DELETE FROM ledger WHERE seq = ${CHANGE}`).run()
    if (changes === 0) throw new Error('no change of policy is recorded')
  })
}

const CHANGE = "(SELECT min(seq) FROM ledger WHERE kind = 'policy_change')"

export const TRIM = [
  trim('an entry replaced by its hash, as if it had been trimmed', dropCall, 'what is gone was trimmed', { isShort: true }),
  trim('values emptied, as if they had been trimmed', emptyBlobs, 'what is gone was trimmed'),
  trim(
    'an entry replaced by its hash, with a row that says it was trimmed',
    db => {
      dropCall(db)
      claim(db)
    },
    'any trim counts',
    { isShort: true },
  ),
  trim(
    'values emptied, with a row that says they were trimmed',
    db => {
      emptyBlobs(db)
      claim(db)
    },
    'any trim counts',
  ),
  trim('an entry that stays replaced by its hash, behind a real trim', dropStaying, 'trims are not counted', {
    isDown: true,
    moves: () => [...trimmedForReal, world => withDatabase(world, dropStaying)],
  }),
]
