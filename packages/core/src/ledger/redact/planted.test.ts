// Plants generated secrets in every field of an event, in every spelling the agents' payloads use, and looks for them in
// what would be stored.
import { expect, test } from 'vitest'
import { canonicalJson } from '../canonical-json.ts'
import { base64, eventWith, plants } from './fixtures/plants.ts'
import { createRedactor } from './redactor.ts'

const seed = Number(process.env.BELAY_REDACT_SEED ?? 20261115)
const rounds = Number(process.env.BELAY_REDACT_ROUNDS ?? 1)
const redactor = createRedactor({ key: new Uint8Array(32).fill(7) })

test(`no planted secret survives (seed ${seed})`, () => {
  const leaks: string[] = []
  let count = 0
  for (let round = 0; round < rounds; round += 1) {
    for (const { label, secret, planted } of plants(seed + round)) {
      count += 1
      const stored = redactor.redactJson(canonicalJson(eventWith(planted)))
      const encoded = base64(secret).replace(/=+$/, '')
      if (stored.includes(secret) || stored.includes(encoded)) leaks.push(`${label}: ${stored.slice(0, 200)}`)
    }
  }
  expect(leaks).toEqual([])
  expect(count).toBeGreaterThan(300 * rounds)
})

test('what is stored is the same when redacted again', () => {
  for (const { planted } of plants(seed)) {
    const once = redactor.redactValue(eventWith(planted))
    expect(redactor.redactValue(once)).toEqual(once)
  }
})
