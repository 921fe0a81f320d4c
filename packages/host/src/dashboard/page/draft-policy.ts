// A project's policy as it stands in the editor: read by the same parser, put in the place of the file, and as trusted as that is.
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { sha256Hex } from '@belay/core/ledger'
import { type Diagnostic, parseGenesis } from '@belay/core/policy'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { readPolicyText } from '../../config/genesis-text.ts'
import { homePaths } from '../../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../../config/project.ts'
import { keepsTrust as keepsTrustIn, readTrust } from '../../config/trust.ts'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import type { Lint } from '../../page/policy.ts'
import { replacePolicy } from '../../policy/draft-policies.ts'
import { needText, type Params, paramOf } from '../../rpc/param.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import type { PageParts } from './page-parts.ts'
import { invalid } from './read-filter.ts'

export interface DraftPolicy {
  readonly guard: ProjectGuard
  readonly lint: readonly Lint[]
  /** The text has errors: the policy in force stands in for it. */
  readonly isBroken: boolean
}

export const MAX_POLICY_CHARACTERS: number = 1024 * 1024

/** The root of the project that a directory belongs to. */
export function needRoot({ home }: Pick<PageParts, 'home'>, params: Params): string {
  const root = needText(params, 'root')
  if (!isAbsolute(root)) throw invalid('root must be an absolute path.')
  if (!existsSync(root)) throw new RpcError(RPC_REFUSED, `there is no directory ${root}`)
  return findProject(root, home).root
}

/** An empty text is a text. */
export function readPolicyParam(params: Params): string | null {
  const text = paramOf(params, 'text')
  if (text === undefined || text === null) return null
  if (typeof text !== 'string') throw invalid('text must be a text.')
  if (text.length > MAX_POLICY_CHARACTERS) throw invalid(`text is longer than ${MAX_POLICY_CHARACTERS} characters.`)
  return text
}

export function policyFileOf(root: string): string {
  return findProjectPolicy(root) ?? newProjectPolicy(root)
}

/** `text` null: as it stands on disk. */
export function draftPolicy(parts: Pick<PageParts, 'guards' | 'home'>, root: string, text: string | null): DraftPolicy {
  const current = parts.guards.get(root)
  if (text === null) {
    const lint = current.loaded.files.flatMap(file => [...file.errors, ...file.warnings].map(lintOf))
    return { guard: current.guard, lint, isBroken: false }
  }
  const file = policyFileOf(root)
  const parsed = parseGenesis(text, file, genesisChecks)
  if (!parsed.ok) return { guard: current.guard, lint: [...parsed.errors, ...parsed.warnings].map(lintOf), isBroken: true }
  const policy = { ...parsed.policy, trusted: keepsTrustOf(parts.home, file) }
  const guard = parts.guards.build(replacePolicy(current.loaded, 'project', policy))
  return { guard, lint: parsed.warnings.map(lintOf), isBroken: false }
}

/** Of the file as it is now. */
export function keepsTrustOf(home: string, file: string): boolean {
  const read = readPolicyText(file)
  return keepsTrust(home, file, read.kind === 'text' ? read.text : null)
}

/** Whoever changes a file keeps the trust in what it held; a file that is not there yet is the person's own. */
export function keepsTrust(home: string, file: string, before: string | null): boolean {
  return keepsTrustIn(readTrust(homePaths(home).trust), file, before === null ? null : sha256Hex(before))
}

export function lintOf({ severity, message, place, remedy }: Diagnostic): Lint {
  return {
    file: place.file,
    line: place.line,
    column: place.column,
    severity,
    message: remedy === undefined ? message : `${message} (${remedy})`,
  }
}
