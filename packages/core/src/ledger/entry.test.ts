import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBlobReferences, hashBlob } from './blob.ts'
import { checkEntry, type Fault, startChain } from './check-chain.ts'
import { BLOB_BYTES, encodeBody } from './encode-body.ts'
import { chainEntry, type Entry, encodeLeaf, GENESIS_HASH, prepareEntry } from './entry.ts'

function makeEntry(seq: number, prev: string, body: Record<string, unknown> = { n: seq }): Entry {
  const draft = { actor: 'agent:executor', session: 's"1', kind: 'decision', policy: null, body: encodeBody(body).json }
  return chainEntry(prepareEntry(draft, `id-${seq}`, seq, seq > 3 ? 'salt' : null), seq, prev)
}

/** The first three of the first format. */
function makeChain(length: number): Entry[] {
  const entries: Entry[] = []
  for (let seq = 1; seq <= length; seq++) entries.push(makeEntry(seq, entries.at(-1)?.hash ?? GENESIS_HASH))
  return entries
}

function walk(entries: readonly Entry[]): Fault | undefined {
  let state = startChain(GENESIS_HASH)
  for (const [i, entry] of entries.entries()) {
    const step = checkEntry(state, entry, i + 1)
    if (step.kind === 'bad') return step.fault
    state = step.state
  }
  return undefined
}

describe('an entry', () => {
  test('of the first format is hashed as the RFC 8785 JSON of all its columns but the hash, after a zero byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.jsonValue()), (name, body) => {
        const draft = { actor: name, session: name, kind: name, policy: name, body: encodeBody(body).json }
        const entry = chainEntry(prepareEntry(draft, 'x', 0, null), 7, GENESIS_HASH)
        const { hash, body: json, salt: _salt, ...columns } = entry
        const leaf = canonicalize({ ...columns, body: JSON.parse(json) }) ?? ''
        expect(encodeLeaf(entry, 7, GENESIS_HASH)).toBe(leaf)
        expect(hash).toBe(createHash('sha256').update('\0').update(leaf).digest('hex'))
      }),
    )
  })

  test('of the second format is hashed as the RFC 8785 JSON of its head, which holds the hash of salt and body', () => {
    const text = fc.option(fc.string({ unit: 'binary' }).filter(name => !name.includes('\0')))
    const heads = fc.record({ judge: text, rule: fc.record({ id: text }), tool: text, verdict: text })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.jsonValue()), heads, (name, other, said) => {
        const { json } = encodeBody({ ...other, ...said })
        const draft = { actor: name, session: name, kind: name, policy: name, body: json }
        const entry = chainEntry(prepareEntry(draft, 'x', 0, 'salt'), 7, GENESIS_HASH)
        const { hash, body: _body, salt: _salt, ...columns } = entry
        const { judge, rule, tool, verdict } = JSON.parse(json)
        const leaf = canonicalize({ ...columns, format: 2, judge, rule: rule.id, tool, verdict }) ?? ''
        expect(encodeLeaf(entry, 7, GENESIS_HASH)).toBe(leaf)
        expect(hash).toBe(createHash('sha256').update('\0').update(leaf).digest('hex'))
        expect(entry.bodyHash).toBe(createHash('sha256').update('salt').update(json).digest('hex'))
      }),
    )
  })

  test('names from outside lose what databases lose', () => {
    const draft = { actor: 'a\0b', session: '\ud800', kind: 'k\n', policy: null, body: '{}' }
    const { actor, session, kind } = prepareEntry(draft, 'x', 0, null)
    expect({ actor, session, kind }).toEqual({ actor: 'a\ufffdb', session: '\ufffd', kind: 'k\ufffd' })
  })
})

describe('a chain', () => {
  const chain = makeChain(6)
  const forged = makeEntry(3, chain[1]?.hash ?? '', { n: 'forged' })
  const at = (i: number) => chain[i] as Entry

  test.each<[string, Entry[], Fault | undefined]>([
    ['untouched', chain, undefined],
    [
      'an edited body',
      chain.with(2, { ...at(2), body: '{"n":4}' }),
      { seq: 3, kind: 'body_hash', what: 'its body does not give its body hash' },
    ],
    [
      'an edited time',
      chain.with(2, { ...at(2), time: at(1).time }),
      { seq: 3, kind: 'row_hash', what: 'its columns do not give its hash' },
    ],
    [
      'an edited body of the second format',
      chain.with(4, { ...at(4), body: '{"n":4}' }),
      { seq: 5, kind: 'body_hash', what: 'its body does not give its body hash' },
    ],
    ['another salt', chain.with(4, { ...at(4), salt: 'x' }), { seq: 5, kind: 'body_hash', what: 'its body does not give its body hash' }],
    ['a row made anew', chain.with(2, forged), { seq: 4, kind: 'chain', what: 'its prev is not the hash of the row before it' }],
    ['a removed row', chain.toSpliced(2, 1), { seq: 3, kind: 'gap', what: 'row 3 is missing' }],
    ['removed rows', chain.toSpliced(1, 3), { seq: 2, kind: 'gap', what: 'rows 2 to 4 are missing' }],
    ['an inserted row', chain.toSpliced(3, 0, at(2)), { seq: 3, kind: 'chain', what: 'row 3 stands where row 4 belongs' }],
    [
      'swapped contents',
      chain.with(1, { ...at(4), seq: 2 }).with(4, { ...at(1), seq: 5 }),
      { seq: 2, kind: 'chain', what: 'its prev is not the hash of the row before it' },
    ],
  ])('%s', (_name, entries, fault) => {
    expect(walk(entries)).toEqual(fault)
  })

  test('a row whose body hash never was that of its body', () => {
    const draft = { ...at(0), bodyHash: GENESIS_HASH }
    expect(walk([chainEntry(draft, 1, GENESIS_HASH)])).toEqual({ seq: 1, kind: 'body_hash', what: 'its body does not give its body hash' })
  })
})

describe('large values become blobs', () => {
  const long = '\u20ac'.repeat(BLOB_BYTES / 3 + 1)

  test('a long string', () => {
    const { json, blobs } = encodeBody({ tool: 'Write', input: { file_path: 'a', content: long } })
    const [blob] = blobs
    expect(blob && hashBlob(blob.salt, blob.content)).toBe(blob?.hash)
    expect(blob?.content.toString()).toBe(long)
    expect(JSON.parse(json)).toEqual({
      tool: 'Write',
      input: { file_path: 'a', content: { $blob: blob?.hash, bytes: blob?.content.length } },
    })
    expect(findBlobReferences(json)).toEqual([{ hash: blob?.hash, bytes: blob?.content.length }])
  })

  test('a long list of short values', () => {
    const list = Array.from({ length: 2000 }, (_, i) => i)
    const { json, blobs } = encodeBody({ list })
    expect(JSON.parse(json)).toEqual({ list: { $blob: blobs[0]?.hash, bytes: blobs[0]?.content.length, json: true } })
    expect(JSON.parse(blobs[0]?.content.toString() ?? '')).toEqual(list)
  })

  test('equal values get unequal hashes', () => {
    const [first, second] = encodeBody({ a: long, b: long }).blobs
    expect(first?.hash).not.toBe(second?.hash)
  })

  test('nobody can slip in a reference', () => {
    const { json, blobs } = encodeBody({ input: { $blob: 'f'.repeat(64), bytes: 1, $$blob: 2 } })
    expect(blobs).toEqual([])
    expect(JSON.parse(json)).toEqual({ input: { $$blob: 'f'.repeat(64), bytes: 1, $$$blob: 2 } })
    expect(findBlobReferences(json)).toEqual([])
  })

  test('an encoded body is canonical, small, and gives every value back', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(value, fc.constant(long), fc.array(fc.constant(long))), { maxKeys: 5 }), body => {
        const { json, blobs } = encodeBody(body)
        expect(json).toBe(canonicalize(JSON.parse(json)))
        const contents = new Map(blobs.map(blob => [blob.hash, blob.content.toString()]))
        const restored = JSON.parse(json, (_key, inner) => {
          if (typeof inner?.$blob !== 'string') return inner
          const content = contents.get(inner.$blob) ?? ''
          return inner.json ? JSON.parse(content) : content
        })
        expect(restored).toEqual(JSON.parse(JSON.stringify(body)))
      }),
    )
  })
})
