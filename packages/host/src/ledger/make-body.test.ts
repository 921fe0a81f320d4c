// A body made by its parts is what it would be as a whole, wherever something stands in it that must not be recorded.
import { type Blob, canonicalJson, createRedactor, encodeBodyJson, joinBody, parseForm, readBodyHead } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { eventWith, plants } from '../../../core/src/ledger/redact/fixtures/plants.ts'
import { createBodyMaker } from './make-body.ts'

const redactor = createRedactor({ key: new Uint8Array(32).fill(7) })
const made = plants(20261118)

const usual = {
  ...{ agent: 'claude-code', agentId: 'claude-code:s1', commitment: null, cwd: '/home/dev/project', hooks: [], judge: '0.1.0' },
  ...{ input: { command: 'ls' }, reason: 'allowed by the rule ls', root: '/home/dev/project', tool: 'Bash', verdict: 'allow' },
}

/** In the form, in what is its own, in both, and as the two members of a pair. */
const places: Readonly<Record<string, (planted: unknown) => Readonly<Record<string, unknown>>>> = {
  form: planted => ({ ...usual, reason: planted }),
  own: planted => ({ ...usual, input: planted }),
  both: planted => ({ ...usual, answer: planted, input: planted }),
  pair: planted => ({ ...usual, name: 'DB_PASSWORD', value: planted }),
  event: planted => ({ ...usual, fields: eventWith(planted as Parameters<typeof eventWith>[0]) }),
  'no form': planted => ({ input: planted }),
  blob: planted => ({ ...usual, $blob: planted, reason: 'x'.repeat(5000) }),
}

/** Blobs are named by salted hashes: what they hold, in place of the name. */
function withBlobs(json: string, blobs: readonly Blob[]): string {
  return blobs.reduce((text, { hash, content }) => text.replaceAll(hash, Buffer.from(content).toString()), json)
}

test.each(Object.entries(places))('a secret planted in %s is taken out as from the whole body', (_, place) => {
  const makeBody = createBodyMaker(redactor)
  for (const { planted } of made) {
    for (const body of [place(planted), usual]) {
      const json = canonicalJson(body)
      const whole = encodeBodyJson(redactor.redactJson(json))
      const { body: stored, blobs, split } = makeBody(json)
      expect(withBlobs(stored, blobs)).toBe(withBlobs(whole.json, whole.blobs))
      expect(split.form === null ? split.own : joinBody(parseForm(split.form), split.own)).toBe(stored)
      expect(split.head).toEqual(readBodyHead(stored))
    }
  }
})

test('without a redactor nothing is taken out', () => {
  const json = canonicalJson({ ...usual, reason: 'password=hunter2hunter2' })
  expect(createBodyMaker(undefined)(json).body).toBe(json)
})
