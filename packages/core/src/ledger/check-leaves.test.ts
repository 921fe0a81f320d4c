import { expect, test } from 'vitest'
import { checkLeaves, LEAF_MARK } from './check-leaves.ts'
import { chainEntry, type Entry, encodeLeaf, GENESIS_HASH, prepareEntry } from './entry.ts'

/** The first two of the first format. */
function makeChain(length: number): Entry[] {
  const entries: Entry[] = []
  for (let seq = 1; seq <= length; seq++) {
    const draft = { actor: 'agent:"é"', session: null, kind: 'decision', policy: null, body: `{"n":${seq}}` }
    entries.push(
      chainEntry(prepareEntry(draft, `id-${seq}`, seq, seq > 2 ? `salt-${seq}` : null), seq, entries.at(-1)?.hash ?? GENESIS_HASH),
    )
  }
  return entries
}

function write(entries: readonly Entry[]) {
  const rows = entries.map(entry => String.fromCharCode(LEAF_MARK) + encodeLeaf(entry, entry.seq, entry.prev))
  const join = (texts: readonly string[]) => Buffer.from(texts.join(''))
  const [hashes, prevs] = [join(entries.map(entry => entry.hash)), join(entries.map(entry => entry.prev))]
  const salted = entries.filter(entry => entry.salt !== null)
  const bodies = join(salted.map(entry => `${String.fromCharCode(LEAF_MARK)}${entry.salt}${entry.body}`))
  return { bytes: join(rows), hashes, prevs, count: entries.length, bodies, bodyHashes: join(salted.map(entry => entry.bodyHash)) }
}

const chain = makeChain(5)
const at = (i: number) => chain[i] as Entry

test('good rows give their hashes', () => {
  const leaves = Buffer.concat(chain.map(entry => Buffer.from(entry.hash, 'hex')))
  const good = { leaves, firstPrev: GENESIS_HASH, lastHash: at(4).hash }
  expect(checkLeaves(write(chain))).toEqual(good)
  expect(checkLeaves(write(chain), GENESIS_HASH)).toEqual(good)
})

test.each<[string, Entry[]]>([
  ['an edited body', chain.with(2, { ...at(2), body: '{"n":9}' })],
  ['an edited body of the first format', chain.with(1, { ...at(1), body: '{"n":9}' })],
  ['another salt', chain.with(2, { ...at(2), salt: 'x' })],
  ['another body hash', chain.with(2, { ...at(2), bodyHash: at(3).bodyHash })],
  ['no salt', chain.with(2, { ...at(2), salt: null })],
  ['a salt', chain.with(1, { ...at(1), salt: 'x' })],
  ['an edited actor', chain.with(2, { ...at(2), actor: 'human:nobody' })],
  ['another hash', chain.with(2, { ...at(2), hash: at(1).hash })],
  ['a row missing', chain.toSpliced(2, 1)],
  ['rows exchanged', chain.with(1, at(2)).with(2, at(1))],
  ['a row twice', chain.toSpliced(2, 0, at(2))],
  ['a hash that is too short', chain.with(4, { ...at(4), hash: at(4).hash.slice(1) })],
  ['a prev that is too long', chain.with(2, { ...at(2), prev: `${at(2).prev}0` })],
  ['hashes in capitals', chain.with(4, { ...at(4), hash: at(4).hash.toUpperCase() })],
  ['a mark inside a row', chain.with(2, { ...at(2), body: `{"n":"${String.fromCharCode(LEAF_MARK)}"}` })],
])('%s: to be looked at one by one', (_name, entries) => {
  expect(checkLeaves(write(entries))).toBeUndefined()
})

test('rows that do not follow what came before', () => {
  expect(checkLeaves(write(chain), at(0).hash)).toBeUndefined()
})
