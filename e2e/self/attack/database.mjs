// The database in the hands of a thief: the daemon is killed, and the file is opened by the library that the package came with.
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'

export function withDatabase(world, work) {
  world.kill('SIGKILL')
  const Database = createRequire(join(world.installed, 'x.js'))('libsql')
  const db = new Database(join(world.belayHome, 'belay.db'))
  try {
    work(db)
  } finally {
    db.close()
  }
}

/** A row that follows the last one by every public rule: only the writer's key is missing. */
export function forgeRow(db, { kind, body, actor = 'human:root' }) {
  const row = db.prepare('SELECT seq, id, time, hash FROM ledger ORDER BY seq DESC LIMIT 1').get()
  const text = canonical(body)
  const salt = 'a salt of the thief'
  const said = name => (typeof body[name] === 'string' ? body[name] : null)
  const head = { judge: said('judge'), rule: body.rule?.id ?? null, tool: said('tool'), verdict: said('verdict') }
  const leaf = {
    ...head,
    actor,
    bodyHash: sha256(salt + text),
    format: 2,
    id: `${row.id.slice(0, -3)}fff`,
    kind,
    policy: null,
    prev: row.hash,
    seq: row.seq + 1,
    session: null,
    time: row.time,
  }
  const { id, policy, prev, seq, session, time, bodyHash } = leaf
  const columns = { actor, id, kind, policy, prev, seq, session, time }
  const forged = { ...columns, body: text, salt, body_hash: bodyHash, hash: sha256(`\0${canonical(leaf)}`) }
  const names = Object.keys(forged)
  db.prepare(`INSERT INTO ledger (${names.join()}) VALUES (${names.map(() => '?').join()})`).run(...names.map(name => forged[name]))
}

/** Nobody is told: verify agrees, before and after the daemon runs again. */
export function unnoticed(world) {
  const before = world.tryBelay(['ledger', 'verify'])
  const up = world.tryBelay(['up', '--detach'])
  const after = world.tryBelay(['ledger', 'verify'])
  const isTold = before.code !== 0 || up.code !== 0 || after.code !== 0
  world.note = [before, up, after].map(({ code, out, err }) => `${code} ${out}${err}`.slice(-300))
  return isTold ? null : `verify agrees: ${after.out.trim()}`
}

/** RFC 8785, as far as our rows need it. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}

const sha256 = text => createHash('sha256').update(text).digest('hex')
