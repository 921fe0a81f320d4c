import { createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { createNoteKey, findSigners, formatNoteKey, type NoteSigner, parseNote, parseNoteKey, signNote } from './note.ts'

function createSigner(name: string): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { ...createNoteKey(name, publicKey), privateKey }
}

const signer = createSigner('belay.example/ledger')
const checkpoint = { origin: 'belay.example/ledger', size: 1234, root: hash('sha256', 'root', 'buffer') }
const text = formatCheckpoint(checkpoint)
const note = signNote(text, [signer])

describe('a signed checkpoint', () => {
  test('has the form of C2SP, byte for byte', () => {
    expect(text).toBe(`belay.example/ledger\n1234\n${checkpoint.root.toString('base64')}\n`)
    const [blank, line, end] = note.slice(text.length).split('\n')
    expect([blank, end]).toEqual(['', ''])
    const [dash, name, encoded] = (line ?? '').split(' ')
    const bytes = Buffer.from(encoded ?? '', 'base64')
    const x = Buffer.from(signer.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
    const keyId = hash('sha256', Buffer.concat([Buffer.from('belay.example/ledger\n\x01'), x]), 'buffer').subarray(0, 4)
    expect([dash, name, bytes.subarray(0, 4)]).toEqual(['\u2014', 'belay.example/ledger', keyId])
    expect(verify(null, Buffer.from(text), signer.publicKey, bytes.subarray(4))).toBe(true)
  })

  test('reads back', () => {
    const parsed = parseNote(note)
    expect(parsed?.text).toBe(text)
    expect(parseCheckpoint(text)).toEqual(checkpoint)
    expect(parsed && findSigners(parsed, [createSigner('other'), signer])).toEqual([signer])
  })

  test('several keys may sign, and each is known by name and id', () => {
    const second = createSigner(signer.name)
    const parsed = parseNote(signNote(text, [signer, second]))
    expect(parsed && findSigners(parsed, [second])).toEqual([second])
    expect(parsed && findSigners(parsed, [createSigner(signer.name)])).toEqual([])
  })

  test('no byte of it can change', () => {
    const bytes = Buffer.from(note)
    for (let i = 0; i < bytes.length; i++) {
      const edited = Buffer.from(bytes)
      edited[i] = (edited[i] ?? 0) ^ 1
      const parsed = parseNote(edited.toString())
      expect(parsed === undefined || findSigners(parsed, [signer]).length === 0, `byte ${i}`).toBe(true)
    }
  })
})

test.each(['', 'no signatures\n', 'text\n\nnot a signature\n', `${text}\n\u2014 name AAAA\n`, note.slice(0, -1)])(
  '%j is no note',
  broken => {
    expect(parseNote(broken)).toBeUndefined()
  },
)

test.each(['', 'origin\n12\n', 'origin\n012\nAAAA\n', 'origin\n-1\nAAAA\n', 'origin\n1\nAAAA\n', '\n1\nAAAA\n'])(
  '%j is no checkpoint',
  broken => {
    expect(parseCheckpoint(broken)).toBeUndefined()
  },
)

test('a key is handed on as one line', () => {
  const line = formatNoteKey(signer)
  expect(line).toMatch(/^belay\.example\/ledger\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/)
  const parsed = parseNoteKey(`${line}\n`)
  expect(parsed && { name: parsed.name, id: parsed.id }).toEqual({ name: signer.name, id: signer.id })
  expect(parsed?.publicKey.equals(createPublicKey(signer.privateKey))).toBe(true)
  expect(parseNoteKey(line.replace('example', 'Example'))).toBeUndefined()
  expect(parseNoteKey('nonsense')).toBeUndefined()
})

test('a name that a note cannot carry is refused', () => {
  expect(() => createNoteKey('two words', signer.publicKey)).toThrow('"two words"')
  expect(() => createNoteKey('x', generateKeyPairSync('x25519').publicKey)).toThrow('Ed25519')
  expect(() => signNote('no newline', [signer])).toThrow('ends with a newline')
})
