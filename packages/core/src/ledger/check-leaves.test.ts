import { expect, test } from 'vitest'
import { checkLeaves, completeEntry } from './check-leaves.ts'
import { chainEntry, type Entry, GENESIS_HASH, prepareEntry } from './entry.ts'

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

/** As rows are kept: without what follows from the rest. */
function strip(entries: readonly Entry[]): Entry[] {
  return entries.map(entry => ({ ...entry, prev: '', bodyHash: '' }))
}

const chain = makeChain(5)
const at = (i: number) => chain[i] as Entry

test('good rows give their hashes', () => {
  const leaves = Buffer.concat(chain.map(entry => Buffer.from(entry.hash, 'hex')))
  const good = { leaves, firstPrev: GENESIS_HASH, lastHash: at(4).hash }
  expect(checkLeaves(chain, 1, GENESIS_HASH)).toEqual(good)
  expect(checkLeaves(strip(chain), 1, GENESIS_HASH)).toEqual(good)
  expect(checkLeaves(chain.slice(2), 3, at(1).hash)).toEqual({ leaves: leaves.subarray(64), firstPrev: at(1).hash, lastHash: at(4).hash })
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
])('%s: to be looked at one by one', (_name, entries) => {
  expect(checkLeaves(entries, 1, GENESIS_HASH)).toBeUndefined()
})

test.each<[string, Entry[]]>([
  ['an edited body', chain.with(2, { ...at(2), body: '{"n":9}' })],
  ['another salt', chain.with(2, { ...at(2), salt: 'x' })],
  ['an edited actor', chain.with(2, { ...at(2), actor: 'human:nobody' })],
  ['another hash', chain.with(2, { ...at(2), hash: at(1).hash })],
  ['a row missing', chain.toSpliced(2, 1)],
  ['rows exchanged', chain.with(1, at(2)).with(2, at(1))],
])('%s, where rows keep only what does not follow from the rest: to be looked at one by one', (_name, entries) => {
  expect(checkLeaves(strip(entries), 1, GENESIS_HASH)).toBeUndefined()
})

test('rows that do not follow what came before', () => {
  expect(checkLeaves(chain, 1, at(0).hash)).toBeUndefined()
  expect(checkLeaves(strip(chain), 1, at(0).hash)).toBeUndefined()
  expect(checkLeaves(chain, 2, GENESIS_HASH)).toBeUndefined()
})

test('a row is completed by the one before it and its own body', () => {
  const [, ...rest] = strip(chain)
  expect(rest.map((row, i) => completeEntry(row, at(i).hash))).toEqual(chain.slice(1))
})
