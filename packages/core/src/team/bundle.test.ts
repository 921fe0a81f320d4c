import { expect, test } from 'vitest'
import { endorsePublisher, type NewBundle, readBundle, refuseOrder } from './bundle.ts'
import { isHalted, isMeantFor, shareOf } from './bundle-manifest.ts'
import { chooseBundles } from './choose-bundle.ts'
import { type Manifest, makeBundle, makeSigner } from './fixtures/make-bundle.ts'

const root = makeSigner('belay.team/1')
const signer = makeSigner('belay.publisher/ana')
const NOW = Date.parse('2026-01-01T00:00:00Z')
const until = '2026-06-01T00:00:00.000Z'
const endorsement = endorsePublisher({ person: 'ana', key: signer, until }, root)
const POLICY = 'version: "2.0"\npermissions: {default: ask}\n'

const make = (manifest: Manifest = {}, more: Partial<NewBundle> = {}): string =>
  makeBundle({ createdAt: '2025-12-31T00:00:00.000Z', ...manifest }, { files: { 'genesis.key': POLICY }, signer, endorsement, ...more })
const read = (text: string, now: number | null = NOW) => readBundle(text, { root, now })
const good = (text: string) => {
  const found = read(text)
  if (!found.ok) throw new Error(found.why)
  return found.bundle
}

test('a bundle is read as it was made', () => {
  const halt = { newDeniesPer1000: 5, minCalls: 20 }
  const manifest = { selector: { site: 'lab' }, percentage: 10, halt, maxStale: { hours: 24, mode: 'ask-new' as const }, note: 'why' }
  const bundle = good(make(manifest))
  expect(bundle.manifest).toMatchObject({ version: 1, ...manifest })
  expect([...bundle.files]).toEqual([['genesis.key', POLICY]])
  expect(bundle.publisher).toMatchObject({ person: 'ana', until })
  expect(bundle.hash).toMatch(/^[0-9a-f]{64}$/)
})

const other = makeSigner('belay.publisher/eve')
const REFUSED: readonly (readonly [string, string, string])[] = [
  ['no JSON', 'x', 'damaged'],
  ['another format', '{"belay_bundle":2}', 'damaged'],
  ['a changed file', make().replace('default: ask', 'default: allow'), 'damaged'],
  ['a file more', make().replace('"genesis.key": "version', '"more.key": "", "genesis.key": "version'), 'damaged'],
  ['a file less', make().replace(/"files": \{\n {2}"genesis.key": "version[^\n]*\n/, '"files": {\n'), 'damaged'],
  ['a changed manifest', make().replace('"percentage": 100', '"percentage": 99'), 'signature'],
  ['another version', make({ version: 2, previous: 'a'.repeat(64) }).replace('"version": 2', '"version": 3'), 'signature'],
  ['a key that nobody knows', make().replace('"percentage"', '"pecentage"'), 'damaged'],
  [
    'signed by itself',
    make({}, { signer: other, endorsement: endorsePublisher({ person: 'eve', key: other, until }, other) }),
    'signature',
  ],
  ["another's endorsement", make({}, { signer: other }), 'signature'],
  ['signed by the root itself', make({}, { signer: root, endorsement }), 'signature'],
  ['a folder in a name', make({}, { files: { '../genesis.key': POLICY } }), 'damaged'],
  ['no file', make({}, { files: {} }), 'damaged'],
  ['a first bundle that follows one', make({ previous: 'a'.repeat(64) }), 'damaged'],
  ['a wrong mode', make({ mode: 'both' as 'enforce' }), 'damaged'],
  ['101 percent', make({ percentage: 101 }), 'damaged'],
  ['a time that is none', make({ expires: 'soon' }), 'damaged'],
]
test.each(REFUSED)('%s is refused', (_name, text, fault) => {
  expect(read(text)).toMatchObject({ ok: false, fault })
})

test('an endorsement ends, but not for a bundle that was made before', () => {
  expect(read(make({ createdAt: until }), null)).toMatchObject({ ok: false, fault: 'endorsement' })
  expect(read(make(), Date.parse(until))).toMatchObject({ ok: false, fault: 'endorsement' })
  expect(read(make(), null)).toMatchObject({ ok: true })
})

test('each character of a bundle counts: any other one is refused, or says the same', () => {
  const text = make({ percentage: 10 })
  const bundle = good(text)
  for (let at = 0; at < text.length; at++) {
    const flipped = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
    const found = read(flipped)
    if (found.ok) expect({ ...found.bundle, publisher: null }).toEqual({ ...bundle, publisher: null })
  }
})

test('the next bundle is the one behind the last, and no other', () => {
  const first = good(make())
  const second = good(make({ version: 2, previous: first.hash }))
  const third = good(make({ version: 3, previous: second.hash }))
  expect(refuseOrder(first, null)).toBeUndefined()
  expect(refuseOrder(second, { version: 1, hash: first.hash })).toBeUndefined()
  expect(refuseOrder(second, { version: 2, hash: second.hash })).toBeUndefined()
  expect(refuseOrder(second, null)).toContain('withheld')
  expect(refuseOrder(third, { version: 1, hash: first.hash })).toContain('withheld')
  expect(refuseOrder(second, { version: 3, hash: third.hash })).toContain('lower')
  expect(refuseOrder(second, { version: 1, hash: 'a'.repeat(64) })).toContain('another bundle 1')
  expect(refuseOrder(good(make({ note: 'x' })), { version: 1, hash: first.hash })).toContain('two bundles')
})

test('a wider roll-out holds every machine of a narrower one, and about as many as it says', () => {
  const machines = Array.from({ length: 1000 }, (_, n) => `machine-${n}`)
  const at = (percentage: number) => {
    const { manifest } = good(make({ percentage, selector: { site: 'lab' } }))
    return machines.filter(machine => isMeantFor(manifest, { machine, labels: { site: 'lab', os: 'linux' } }))
  }
  const [none, few, many, all] = [at(0), at(10), at(50), at(100)]
  expect([none.length, all.length]).toEqual([0, 1000])
  expect(few.length).toBeGreaterThan(60)
  expect(few.length).toBeLessThan(150)
  expect(few.every(machine => many.includes(machine))).toBe(true)
  const { manifest } = good(make({ selector: { site: 'lab' } }))
  expect(isMeantFor(manifest, { machine: 'm', labels: { site: 'office' } })).toBe(false)
  expect(shareOf('m')).toBe(shareOf('m'))
})

test('the halt rule needs enough calls, and more new denies than it names', () => {
  const rule = { newDeniesPer1000: 10, minCalls: 100 }
  expect(isHalted(rule, { calls: 99, newDenies: 99 })).toBe(false)
  expect(isHalted(rule, { calls: 100, newDenies: 1 })).toBe(false)
  expect(isHalted(rule, { calls: 100, newDenies: 2 })).toBe(true)
  expect(isHalted({ ...rule, newDeniesPer1000: 0 }, { calls: 100, newDenies: 1 })).toBe(true)
})

const machine = { machine: 'machine-1', labels: {}, halted: [], pinned: null, now: NOW }
const share = shareOf('machine-1')
type Version = Partial<NewBundle['manifest']>
const chain = (...manifests: readonly Version[]) => {
  let previous: string | null = null
  return manifests.map((manifest, at) => {
    const bundle = good(make({ ...manifest, version: at + 1, previous }))
    previous = bundle.hash
    return bundle
  })
}
const LATER = '2026-02-01T00:00:00.000Z'
const EARLIER = '2025-12-31T12:00:00.000Z'
const HALT = { newDeniesPer1000: 5, minCalls: 20 }
const wide = Math.ceil(share)

test.each<[string, readonly Version[], object, { inForce: number | null; compared: number | null; isExpired?: boolean }]>([
  ['the newest', [{}, {}], {}, { inForce: 2, compared: null }],
  ['none', [], {}, { inForce: null, compared: null }],
  ['not for this label', [{}, { selector: { site: 'lab' } }], {}, { inForce: 1, compared: null }],
  ['not in this share', [{}, { percentage: 0 }], {}, { inForce: 1, compared: null }],
  ['not yet', [{}, { notBefore: LATER }], {}, { inForce: 1, compared: null }],
  ['over: the one before', [{}, { expires: EARLIER }], {}, { inForce: 1, compared: null }],
  ['over, and none before: it stays', [{ expires: EARLIER }], {}, { inForce: 1, compared: null, isExpired: true }],
  ['only observed', [{}, { mode: 'observe' }], {}, { inForce: 1, compared: 2 }],
  ['observed before, now enforced', [{}, { mode: 'observe' }, {}], {}, { inForce: 3, compared: null }],
  ['a roll-out is compared with the one before', [{}, { percentage: wide, halt: HALT }], {}, { inForce: 2, compared: 1 }],
  ['a roll-out that was halted', [{}, { percentage: wide, halt: HALT }], { halted: [2] }, { inForce: 1, compared: null }],
  ['one that is everywhere cannot be halted', [{}, { halt: HALT }], { halted: [2] }, { inForce: 2, compared: null }],
  ['one without a rule cannot be halted', [{}, { percentage: wide }], { halted: [2] }, { inForce: 2, compared: null }],
  ['a pin keeps what came later out', [{}, {}, {}], { pinned: 2 }, { inForce: 2, compared: null }],
])('in force: %s', (_name, manifests, context, expected) => {
  const { inForce, compared, isExpired } = chooseBundles(chain(...manifests), { ...machine, ...context })
  const found = { inForce: inForce?.manifest.version ?? null, compared: compared?.manifest.version ?? null, isExpired }
  expect(found).toEqual({ isExpired: false, ...expected })
})
