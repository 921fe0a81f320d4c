#!/usr/bin/env node
// Checks a proof from `belay ledger prove`, or from the page of a hub, with nothing but Node's own crypto: no code of Belay, no network, no database.
//   node verify-proof.mjs PROOF.json [KEY]
// KEY is the public key (name+id+base64) as you got it from somewhere you trust. Without it the keys inside the proof are used,
// and all that is shown is that the proof agrees with itself. Exit code 0: the entry is in the ledger; 1: it is not proved.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest()

// RFC 8785: JSON with sorted keys and no spaces.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${pairs.join(',')}}`
}

// RFC 6962: a leaf is hashed after a zero byte, a node after a one.
const hashLeaf = text => sha256(Buffer.of(0), Buffer.from(text))
const hashNode = (left, right) => sha256(Buffer.of(1), left, right)

function rootFrom(leaf, index, size, path) {
  if (size === 1) return path.length === 0 ? leaf : undefined
  let split = 1
  while (split * 2 < size) split *= 2
  const sibling = path.at(-1)
  if (sibling === undefined) return undefined
  const rest = path.slice(0, -1)
  if (index < split) {
    const left = rootFrom(leaf, index, split, rest)
    return left && hashNode(left, sibling)
  }
  const right = rootFrom(leaf, index - split, size - split, rest)
  return right && hashNode(sibling, right)
}

// c2sp.org/signed-note: the text, an empty line, signature lines "- name base64(key id, signature)".
function isSigned(note, key) {
  const [name, id, encoded] = [key.split('+')[0], key.split('+')[1], key.split('+').slice(2).join('+')]
  const bytes = Buffer.from(encoded, 'base64')
  const keyId = sha256(Buffer.from(`${name}\n`), bytes).subarray(0, 4)
  if (bytes.length !== 33 || bytes[0] !== 1 || keyId.toString('hex') !== id) return false
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.subarray(1).toString('base64url') }, format: 'jwk' })
  const end = note.lastIndexOf('\n\n')
  const text = Buffer.from(note.slice(0, end + 1))
  return note
    .slice(end + 2)
    .split('\n')
    .some(line => {
      const [, signer, signature] = /^\u2014 (\S+) (\S+)$/.exec(line) ?? []
      if (signer !== name) return false
      const signed = Buffer.from(signature, 'base64')
      return signed.subarray(0, 4).equals(keyId) && verify(null, text, publicKey, signed.subarray(4))
    })
}

// A large value stands beside the entry; its body names it by the hash of 16 random bytes and the value.
function findBadBlob(blobs, body) {
  const named = JSON.stringify(body)
  return Object.entries(blobs ?? {}).find(([hash, blob]) => {
    if (!named.includes(`"$blob":"${hash}"`)) return true
    return blob !== null && sha256(Buffer.from(blob.salt, 'base64'), Buffer.from(blob.content)).toString('hex') !== hash
  })?.[0]
}

// In the second format the leaf is the entry without its body and salt: it holds the hash of the two, and repeats some of the body.
function leafOf({ hash: _hash, body, salt, ...head }) {
  return hashLeaf(canonical(head.format === 2 ? head : { ...head, body }))
}

function isHeadOfBody({ format, judge, rule, tool, verdict, body }) {
  const text = value => (typeof value === 'string' && !value.includes('\0') ? value : null)
  const said = [text(body.judge), text(body.rule?.id), text(body.tool), text(body.verdict)]
  return format !== 2 || canonical(said) === canonical([judge, rule, tool, verdict])
}

// A hub that was sent heads only proves the head, which names the body by its hash.
const isHeadOnly = ({ format, body }) => format === 2 && body === undefined

function findBadBody({ entry, blobs }) {
  if (isHeadOnly(entry)) return undefined
  const salted = (entry.format === 2 ? entry.salt : '') + canonical(entry.body)
  if (sha256(Buffer.from(salted)).toString('hex') !== entry.bodyHash) return 'the body does not give its hash'
  if (!isHeadOfBody(entry)) return 'the entry says something else than its body'
  const badBlob = findBadBlob(blobs, entry.body)
  return badBlob === undefined ? undefined : `the large value ${badBlob} is not the one that the entry names`
}

function check(proof, keys) {
  const columns = proof.entry
  const leaf = leafOf(columns)
  if (leaf.toString('hex') !== columns.hash) return 'the entry does not give its hash'
  const badBody = findBadBody(proof)
  if (badBody !== undefined) return badBody
  if (columns.seq !== proof.index + 1) return 'the proof is for another row'
  const [, size, root] = proof.checkpoint.split('\n')
  if (Number(size) !== proof.size) return 'the checkpoint is of another size'
  const reached = rootFrom(
    leaf,
    proof.index,
    proof.size,
    proof.path.map(step => Buffer.from(step, 'hex')),
  )
  if (!reached?.equals(Buffer.from(root, 'base64'))) return 'the path does not lead to the root of the checkpoint'
  if (!keys.some(key => isSigned(proof.checkpoint, key))) return 'the checkpoint is not signed by this key'
  return undefined
}

const [file, key] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: node verify-proof.mjs PROOF.json [KEY]')
  process.exit(2)
}
const proof = JSON.parse(readFileSync(file, 'utf8'))
const failure = check(proof, key === undefined ? proof.keys : [key])
if (failure !== undefined) {
  console.log(`not proved: ${failure}`)
  process.exit(1)
}
console.log(`entry ${proof.entry.seq} is in the ledger (${proof.size} entries at the checkpoint)`)
if (isHeadOnly(proof.entry)) console.log('its body is not part of this proof; the machine that recorded it has it')
if (key === undefined) console.log('the key came with the proof: compare it with one you were given elsewhere')
