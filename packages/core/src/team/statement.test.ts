import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createNoteKey, formatNoteKey } from '../ledger/note.ts'
import { createJoinToken, fingerprintKey, parseJoinToken } from './join-token.ts'
import { isStatement, readEndorsedKey, signStatement } from './statement.ts'

function makeSigner(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...createNoteKey(name, publicKey), privateKey }
}
const root = makeSigner('belay.team/1')

test('a statement holds for its purpose, its lines and its signer alone', () => {
  const note = signStatement('login', ['machine', 'challenge'], root)
  expect(isStatement(note, 'login', ['machine', 'challenge'], root)).toBe(true)
  expect(isStatement(note, 'machine', ['machine', 'challenge'], root)).toBe(false)
  expect(isStatement(note, 'login', ['machine', 'other'], root)).toBe(false)
  expect(isStatement(note, 'login', ['machine', 'challenge'], makeSigner('belay.team/1'))).toBe(false)
  expect(isStatement('', 'login', [], root)).toBe(false)
})

test('no line can pass for two', () => {
  const note = signStatement('login', ['a\nb'], root)
  expect(isStatement(note, 'login', ['a', 'b'], root)).toBe(false)
  expect(isStatement(note, 'login', ['a b'], root)).toBe(true)
})

test('an endorsed key is read from what the root signed, and from nothing else', () => {
  const hub = makeSigner('belay.hub/1')
  const note = signStatement('hub', [formatNoteKey(hub)], root)
  expect(readEndorsedKey(note, 'hub', root)?.id).toBe(hub.id)
  expect(readEndorsedKey(note, 'machine', root)).toBeUndefined()
  expect(readEndorsedKey(note, 'hub', makeSigner('belay.team/1'))).toBeUndefined()
  expect(readEndorsedKey(note.replace(formatNoteKey(hub), formatNoteKey(makeSigner('belay.hub/1'))), 'hub', root)).toBeUndefined()
})

test('a token to join names the root of its team', () => {
  const token = createJoinToken(root)
  expect(parseJoinToken(` ${token}\n`)).toEqual({ secret: expect.stringMatching(/^[\w-]{32}$/), rootFingerprint: fingerprintKey(root) })
  for (const text of ['', 'belay-join-x.y', token.slice(1), `${token}0`]) expect(parseJoinToken(text)).toBeUndefined()
})
