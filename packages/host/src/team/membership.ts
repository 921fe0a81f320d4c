// What this machine knows of its team: where the hub is, who it is there, and how much it sends. The keys of the team are pinned when it joins.
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNoteKey, type NoteSigner } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { forgetTeamPolicy } from '../config/team-policy.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { replaceFile } from '../disk/write-file.ts'
import { acknowledgedFile } from '../ledger/acknowledged.ts'

/** `index`: who, when, tool, verdict, rule and hashes; `bodies`: all of an entry but its large values; `none`: only how the machine is. */
export const UPLOADS = ['index', 'bodies', 'none'] as const
export type Upload = (typeof UPLOADS)[number]

export function isUpload(text: string): text is Upload {
  return (UPLOADS as readonly string[]).includes(text)
}

export interface Membership {
  readonly url: string
  readonly machine: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly upload: Upload
  /** JSON pointers into bodies. What stands there is not sent. */
  readonly erase: readonly string[]
  readonly kibPerSecond: number
  /** Whether people of the team see and decide what waits here; absent: they do. */
  readonly approvals?: boolean
  /** Whether what a session leaves for the next one is sent, so that another machine can take it up; absent: it is. */
  readonly handOvers?: boolean
  /** Certificates in PEM by one of which the hub is known; absent: by those that Node knows. */
  readonly ca?: string
  readonly rootKey: string
  readonly hubKey: string
  /** Of the login key. */
  readonly keyName: string
  readonly joinedAt: string
}

const folderOf = (home: string): string => join(home, 'team')
const membershipFile = (home: string): string => join(folderOf(home), 'membership.json')
const keyFile = (home: string): string => join(folderOf(home), 'login.pem')
export const stateFile = (home: string): string => join(folderOf(home), 'state.json')
export const cosignedFile = (home: string): string => join(folderOf(home), 'cosigned.note')

export function readMembership(home: string): Membership | undefined {
  const file = membershipFile(home)
  if (!existsSync(file)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(value) && typeof value.url === 'string' && typeof value.machine === 'string'
      ? (value as unknown as Membership)
      : undefined
  } catch {
    return undefined
  }
}

export function writeMembership(home: string, membership: Membership): void {
  replaceFile(membershipFile(home), `${JSON.stringify(membership, null, 2)}\n`, 0o600)
}

export function createLoginKey(home: string): NoteSigner {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  makeFolder(folderOf(home), 0o700)
  writeFileSync(keyFile(home), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return { ...createNoteKey(`belay.machine/${randomBytes(8).toString('hex')}`, publicKey), privateKey }
}

export function readLoginKey(home: string, { keyName }: Membership): NoteSigner {
  const privateKey = createPrivateKey(readFileSync(keyFile(home)))
  return { ...createNoteKey(keyName, createPublicKey(privateKey)), privateKey }
}

export function forgetMembership(home: string): void {
  forgetTeamPolicy(home)
  for (const file of [membershipFile(home), keyFile(home), stateFile(home), acknowledgedFile(home)]) rmSync(file, { force: true })
}
