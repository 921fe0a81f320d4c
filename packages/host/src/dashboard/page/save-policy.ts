// page.save and page.allow: a person changes a policy from the page. Written whole or not at all, as trusted as the file was, and recorded
// with both hashes and the difference; what cannot be recorded is taken back.
import { rmSync } from 'node:fs'
import { sha256Hex } from '@belay/core/ledger'
import { parseGenesis } from '@belay/core/policy'
import { createTwoFilesPatch } from 'diff'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { readPolicyText } from '../../config/genesis-text.ts'
import { homePaths } from '../../config/home.ts'
import { findProjectPolicy } from '../../config/project.ts'
import { addTrust, dropTrust } from '../../config/trust.ts'
import { replaceFile, writeRule } from '../../config/write-rule.ts'
import type { AddedRule, Saved } from '../../page/policy.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { keepsTrust, lintOf, policyFileOf } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'

export interface SaveOptions {
  readonly root: string
  readonly text: string
  /** Of the text the editor began with; null: there was no file. */
  readonly baseHash: string | null
}

export async function savePolicy(parts: PageParts, { root, text, baseHash }: SaveOptions): Promise<Saved> {
  const file = policyFileOf(root)
  const read = readPolicyText(file)
  if (read.kind === 'unreadable') return { kind: 'refused', why: read.problem.message, lint: [lintOf(read.problem)] }
  const before = read.kind === 'text' ? read.text : null
  const beforeHash = before === null ? null : sha256Hex(before)
  if (beforeHash !== baseHash) return { kind: 'conflict', file, hash: beforeHash, text: before ?? '' }
  const parsed = parseGenesis(text, file, genesisChecks)
  if (!parsed.ok) {
    const lint = [...parsed.errors, ...parsed.warnings].map(lintOf)
    return { kind: 'refused', why: 'the text has errors, and a broken policy is not saved', lint }
  }
  const isTrusted = keepsTrust(parts.home, file, before)
  replaceFile(file, text)
  if (isTrusted) addTrust(homePaths(parts.home).trust, file, parsed.policy.hash)
  const seq = await recordChange(parts, { root, file, before, after: text, isTrusted })
  return { kind: 'saved', file, hash: parsed.policy.hash, seq }
}

export interface AllowOptions {
  readonly root: string
  readonly actor: string
  readonly pattern: string
}

/** In the project's policy, else in the user's. */
export async function allowAlways(parts: PageParts, { root, actor, pattern }: AllowOptions): Promise<AddedRule> {
  const paths = homePaths(parts.home)
  const project = findProjectPolicy(root)
  const file = project ?? paths.policy
  const written = writeRule({ file, isProject: project !== null, trust: paths.trust }, { effect: 'allow', pattern, actor })
  if (written.kind === 'refused')
    throw new RpcError(RPC_REFUSED, written.remedy === undefined ? written.why : `${written.why} (${written.remedy})`)
  if (written.kind === 'present') throw new RpcError(RPC_REFUSED, `${file} has this rule for ${written.actor} already`)
  const { before, after, isTrusted } = written
  const seq = await recordChange(parts, { root, file, before: before === '' ? null : before, after, isTrusted })
  return { pattern, actor: written.actor, file, isTrusted, seq }
}

interface Change {
  readonly root: string
  readonly file: string
  readonly before: string | null
  readonly after: string
  readonly isTrusted: boolean
}

async function recordChange(
  { ledger, guards, person, home }: PageParts,
  { root, file, before, after, isTrusted }: Change,
): Promise<number> {
  const body = {
    root,
    file,
    before: before === null ? null : sha256Hex(before),
    after: sha256Hex(after),
    diff: createTwoFilesPatch(before === null ? '/dev/null' : file, file, before ?? '', after, undefined, undefined, { context: 3 }),
    via: 'dashboard',
  }
  try {
    const entry = await ledger.append({
      actor: person,
      session: null,
      kind: 'policy_change',
      policy: guards.get(root).guard.policyHash,
      body,
    })
    return entry.seq
  } catch (error) {
    if (before === null) rmSync(file, { force: true })
    else replaceFile(file, before)
    // What was trusted a moment ago is not there any more.
    if (isTrusted && before === null) dropTrust(homePaths(home).trust, file)
    if (isTrusted && before !== null) addTrust(homePaths(home).trust, file, sha256Hex(before))
    throw error
  }
}
