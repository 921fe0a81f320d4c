// `belay policy trust [FILE]`: a person says that the policy and hooks, as they are now, hold: they may loosen and run things. With --none that
// they are gone is accepted; with --restore what was trusted last is put back.
import { dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '@belay/core'
import { readConfig } from '../config/config-file.ts'
import { policiesOf } from '../config/genesis.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome, homePaths } from '../config/home.ts'
import type { HookFile, HookFilePlace } from '../config/hook-file.ts'
import { acceptChange, describeChange, type PolicyChange } from '../config/policy-change.ts'
import { findProject, findProjectPolicy, projectPolicyPlaces } from '../config/project.ts'
import { addTrust, dropTrust, hashOf, readTrust, trustedVersion } from '../config/trust.ts'
import { replaceFile } from '../config/write-rule.ts'
import { personOf } from '../daemon/daemon-config.ts'
import { spoolEvent } from '../decision/spool.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { hookPlaces, type SourcesPlace } from '../guard/hook-sources.ts'
import { completeGuard, loadGuard, userHomeOf } from '../guard/load-guard.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { createEventId } from '../shim/event-id.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { guardPlace, readNamedPolicy } from './policies.ts'

export interface TrustOptions {
  readonly file?: string
  /** Accept that files are gone. */
  readonly none?: boolean
  /** Put back what was trusted last. */
  readonly restore?: boolean
  readonly json?: boolean
}

export function runPolicyTrust(options: TrustOptions, io: CommandIo): ExitCode {
  if (options.none === true && options.restore === true) return fail(io, '--none and --restore say the opposite', 'choose one of them')
  if (options.none === true) return acceptNone(options, io)
  return options.restore === true ? restore(options, io) : acceptFiles(options, io)
}

function acceptFiles(options: TrustOptions, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const { root } = findProject(io.cwd, home)
  const gone = changesHere(options, io).filter(({ kind }) => kind === 'removed')
  const files = options.file === undefined ? trustable(io) : [resolve(io.cwd, options.file)]
  if (files.length === 0) {
    const [first] = gone
    if (first !== undefined) return fail(io, describeChange(first), acceptChange(first))
    return fail(io, `there is no policy and no hooks.toml for ${io.cwd}`, 'write a policy with `belay genesis init`')
  }
  const trusted: { file: string; hash: string }[] = []
  for (const file of files) {
    const hash = hashOfFile(file, io, root)
    if (hash === null) return 2
    trusted.push({ file, hash })
  }
  for (const { file, hash } of trusted) {
    addTrust(homePaths(home).trust, file, hash)
    record(io, { root, file, change: 'trusted', after: hash })
  }
  // A policy in the other place counts no longer, now that somebody has looked at this one.
  if (options.file === undefined) dropOthers(root, home)
  if (options.json === true) printJson(io, { trusted, stillHeld: gone.map(({ file }) => file) })
  else {
    for (const { file, hash } of trusted)
      printLine(io.stdout, `Trusted ${file} as it is now (${hash.slice(0, 12)}). An edit needs trust again.`)
    for (const change of gone) printLine(io.stderr, `note: ${describeChange(change)}; ${acceptChange(change)}`)
  }
  return 0
}

function acceptNone(options: TrustOptions, io: CommandIo): ExitCode {
  const { trust } = homePaths(findHome(io.env))
  const { root } = findProject(io.cwd, findHome(io.env))
  const gone = changesHere(options, io).filter(({ kind }) => kind === 'removed')
  if (gone.length === 0) return fail(io, 'no file that was trusted is gone', '`belay policy trust` accepts files as they are now')
  for (const { file, hash } of gone) {
    dropTrust(trust, file)
    record(io, { root, file, change: 'trusted', before: hash, after: null })
  }
  const files = gone.map(({ file }) => file)
  if (options.json === true) printJson(io, { gone: files })
  else for (const file of files) printLine(io.stdout, `Accepted that ${file} is gone. What it said no longer holds.`)
  return 0
}

function restore(options: TrustOptions, io: CommandIo): ExitCode {
  const store = readTrust(homePaths(findHome(io.env)).trust)
  if (store.problem !== null) return fail(io, store.problem)
  const changes = changesHere(options, io)
  if (changes.length === 0) return fail(io, 'every file is as it was trusted', 'there is nothing to put back')
  for (const { file } of changes) {
    makeFolder(dirname(file))
    replaceFile(file, trustedVersion(store, file)?.text ?? '')
  }
  const files = changes.map(({ file }) => file)
  if (options.json === true) printJson(io, { restored: files })
  else for (const file of files) printLine(io.stdout, `Put back ${file} as it was trusted.`)
  return 0
}

function changesHere(options: TrustOptions, io: CommandIo): readonly PolicyChange[] {
  const { changes } = loadGuard(io.cwd, guardPlace(io))
  const named = options.file === undefined ? null : resolve(io.cwd, options.file)
  return named === null ? changes : changes.filter(({ file }) => file === named)
}

/** Of the project all that is there and holds hooks or rules; of the user what differs from what was accepted, or never was. */
function trustable(io: CommandIo): readonly string[] {
  const home = findHome(io.env)
  const { root } = findProject(io.cwd, home)
  const policy = findProjectPolicy(root)
  const store = readTrust(homePaths(home).trust)
  const isChanged = (file: string): boolean => {
    const known = trustedVersion(store, file)
    return known !== null && known.hash !== textHash(file)
  }
  const drawn = drawnFiles(io, policy).filter(({ path, owner }) => owner === 'project' || isChanged(path))
  const files = [...(policy === null ? [] : [policy]), ...(isChanged(homePaths(home).policy) ? [homePaths(home).policy] : [])]
  return [...files, ...drawn.map(({ path }) => path)].filter(file => textHash(file) !== null)
}

/** Every file with hooks that the policies draw in, with the one that is being trusted taken as if it were. */
function drawnFiles(io: CommandIo, policy: string | null): readonly HookFile[] {
  const { loaded } = loadGuard(io.cwd, guardPlace(io))
  const drafted = loaded.files.map(file =>
    file.path === policy ? { ...file, policy: file.unaccepted ?? file.policy, unaccepted: null } : file,
  )
  const policies = policiesOf(drafted).map(each => (each.file === policy ? { ...each, trusted: true } : each))
  const { hookFiles } = completeGuard({ ...loaded, files: drafted, policies }, guardPlace(io))
  return hookFiles.filter(
    ({ source, hooks, errors, change }) => source === 'hooks_toml' || hooks.length + errors.length > 0 || change !== null,
  )
}

function dropOthers(root: string, home: string): void {
  const policy = findProjectPolicy(root)
  for (const place of projectPolicyPlaces(root)) {
    if (policy !== null && place !== policy && textHash(place) !== null) dropTrust(homePaths(home).trust, place)
  }
}

function textHash(file: string): string | null {
  const read = readPolicyText(file)
  return read.kind === 'text' ? hashOf(read.text) : null
}

interface Acceptance {
  readonly root: string
  readonly file: string
  readonly change: 'trusted'
  readonly before?: string
  readonly after: string | null
}

/** Into the ledger through the spool: this works with the daemon away too. */
function record(io: CommandIo, body: Acceptance): void {
  const home = findHome(io.env)
  const read = readConfig(homePaths(home).config)
  const draft = {
    actor: personOf(read.ok ? read.config : {}),
    session: null,
    kind: 'policy_change',
    policy: body.after,
    body: createBodyRedactor(home)({ ...body, inForce: body.after, accepted: true, via: 'command' }),
  }
  spoolEvent(join(home, 'spool'), { eventId: createEventId(Date.now()), draft }, Date.now())
}

/** null: it cannot be trusted, and the reason has been printed. */
function hashOfFile(file: string, io: CommandIo, root: string): string | null {
  const place = hookPlaces(placesOf(io, root)).find(({ path }) => path === file)
  if (place !== undefined) return hashOfHooks(place, io)
  const read = readNamedPolicy(io, file)
  if (read.kind === 'valid') return read.policy.hash
  if (read.kind === 'invalid') return refuseBroken(file, read.errors, io)
  fail(io, `${file}: ${read.why}`)
  return null
}

function hashOfHooks({ path, parse }: HookFilePlace, io: CommandIo): string | null {
  const read = readPolicyText(path)
  if (read.kind !== 'text') {
    fail(io, `${path} cannot be read, so there is nothing to trust`)
    return null
  }
  const errors = parse(read.text).diagnostics.filter(({ severity }) => severity === 'error')
  return errors.length > 0 ? refuseBroken(path, errors, io) : hashOf(read.text)
}

function refuseBroken(file: string, errors: readonly Diagnostic[], io: CommandIo): null {
  printDiagnostics(io, errors)
  fail(io, `${file} is broken, so there is nothing to trust`)
  return null
}

function placesOf(io: CommandIo, root: string): SourcesPlace {
  return { root, home: findHome(io.env), userHome: userHomeOf(io.env) }
}
