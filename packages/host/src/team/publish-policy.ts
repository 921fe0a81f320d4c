// Makes the next bundle of the team and hands it to the hub. It is signed here: the hub only carries it.
import { formatNoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { type BundleManifest, createBundle, readBundle } from '@belay/core/team'
import { errorText, isObject } from '@belay/core/value'
import { callHub, sayRefused } from './hub-client.ts'
import type { Membership } from './membership.ts'

export interface Publishing {
  readonly membership: Membership
  /** Of a person who may publish. */
  readonly token: string
  readonly signer: NoteSigner
}

export type NewPolicy = Omit<BundleManifest, 'version' | 'previous' | 'createdAt' | 'files'>

/** Text: why it is not made. */
export async function makeNext(
  { membership, token, signer }: Publishing,
  policy: NewPolicy,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly text: string; readonly version: number } | string> {
  const endorsement = await findEndorsement({ membership, token, signer })
  if (typeof endorsement !== 'object') return endorsement
  const last = await fetchBundle(membership, token, null)
  if (typeof last === 'string') return last
  const version = (last?.version ?? 0) + 1
  const manifest = { ...policy, version, previous: last?.hash ?? null, createdAt: new Date().toISOString() }
  const text = createBundle({ manifest, files, signer, endorsement: endorsement.text })
  const root = parseNoteKey(membership.rootKey)
  const read = root && readBundle(text, { root, now: Date.now() })
  return read?.ok === true ? { text, version } : (read?.why ?? "the key of the team's root cannot be read")
}

export async function sendBundle({ membership, token }: Omit<Publishing, 'signer'>, text: string): Promise<string | undefined> {
  const answer = await call(membership, token, 'POST /v1/bundles', { bundle: text })
  if (typeof answer === 'string') return answer
  return answer.status === 200 ? undefined : sayRefused(answer)
}

/** One that was published, checked; null: there is none. Text: why it cannot be had. */
export async function fetchBundle(membership: Membership, token: string, version: number | null) {
  const answer = await call(membership, token, `GET /v1/bundle${version === null ? '' : `?version=${version}`}`)
  if (typeof answer === 'string') return answer
  if (answer.status === 404) return version === null ? null : sayRefused(answer)
  const root = parseNoteKey(membership.rootKey)
  if (answer.status !== 200 || typeof answer.body.text !== 'string' || !root) return sayRefused(answer)
  const read = readBundle(answer.body.text, { root, now: null })
  if (!read.ok) return `the hub handed out a bundle that nobody published: ${read.why}`
  return { version: read.bundle.manifest.version, hash: read.bundle.hash, bundle: read.bundle }
}

async function findEndorsement({ membership, token, signer }: Publishing): Promise<{ readonly text: string } | string> {
  const answer = await call(membership, token, 'GET /v1/publishers')
  if (typeof answer === 'string') return answer
  if (answer.status !== 200 || !Array.isArray(answer.body.publishers)) return sayRefused(answer)
  const key = formatNoteKey(signer)
  const found = answer.body.publishers.find(each => isObject(each) && each.key === key)
  return isObject(found) && typeof found.endorsement === 'string'
    ? { text: found.endorsement }
    : `the team's root has not endorsed your key; an administrator runs: belay-hub publisher add YOUR-NAME ${key}`
}

async function call(membership: Membership, token: string, request: string, body?: unknown) {
  return callHub({ hub: membership, request, token, ...(body !== undefined && { body }) }).catch(
    error => `the hub at ${membership.url} does not answer: ${errorText(error)}`,
  )
}
