import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { cosign, readCosignature } from './cosignature.ts'
import { createNoteKey, findSigners, parseNote, signNote } from './note.ts'

function makeSigner(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...createNoteKey(name, publicKey), privateKey }
}
const witness = makeSigner('hub.example')
const TEXT = 'belay.local/ledger/1\n7\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'
const TIME = Date.parse('2026-11-17T10:00:00Z')

test('a cosignature says when, and holds for this text, this time and this key alone', () => {
  const line = cosign(TEXT, witness, TIME)
  expect(readCosignature(TEXT, line, witness)).toBe(TIME)
  expect(readCosignature(TEXT.replace('7', '8'), line, witness)).toBeUndefined()
  expect(readCosignature(TEXT, line, makeSigner('hub.example'))).toBeUndefined()
  expect(readCosignature(TEXT, line, { ...witness, name: 'other' })).toBeUndefined()
  const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
  bytes[11] = (bytes[11] ?? 0) ^ 1
  expect(readCosignature(TEXT, `\u2014 hub.example ${bytes.toString('base64')}`, witness)).toBeUndefined()
})

test('neither a signature of a note nor of a checkpoint passes for it', () => {
  const note = signNote(TEXT, [witness])
  const [line = ''] = note.slice(TEXT.length + 1).split('\n')
  expect(readCosignature(TEXT, line, witness)).toBeUndefined()
  expect(findSigners(parseNote(note) ?? { text: '', signatures: [] }, [witness])).toHaveLength(1)
  expect(parseNote(`${TEXT}\n${cosign(TEXT, witness, TIME)}`)).toBeUndefined()
})
