// What a person should hear about the files that a guard was made from: errors go to the log, and a policy that is broken or no longer what
// was accepted is an entry in the ledger, once for each change, also when the daemon is started anew.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'
import { describeChange, type PolicyChange } from '../config/policy-change.ts'
import { replaceFile } from '../config/write-rule.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { brokenFiles, type GuardSources } from '../guard/load-guard.ts'
import type { LogLine } from '../terminal/log-line.ts'

export interface LoadReportOptions {
  readonly home: string
  append(draft: EntryDraft): Promise<unknown>
  publish(type: string, data: unknown): void
  log(line: LogLine): void
}

/** Something about one file that is recorded once. */
interface News {
  readonly file: string
  /** Another key is other news. */
  readonly key: string
  readonly message: string
  readonly draft: EntryDraft
  readonly published: unknown
}

export function createLoadReport({ home, append, publish, log }: LoadReportOptions): (sources: GuardSources) => void {
  const folder = join(home, 'run')
  const file = join(folder, 'policy-changes.json')
  const known = new Map(Object.entries(readKnown(file)))

  function note(sources: GuardSources): void {
    const { root } = sources.loaded
    const all = [...sources.changes.map(change => changeNews(root, change)), ...listBroken(sources)]
    const now = new Set(all.map(news => news.file))
    const fresh = all.filter(news => known.get(news.file) !== news.key)
    // Files of this project that are as they should be again.
    const settled = [...known.keys()].filter(name => isOf(name, root, home) && !now.has(name))
    if (fresh.length === 0 && settled.length === 0) return
    for (const name of settled) known.delete(name)
    for (const news of fresh) {
      known.set(news.file, news.key)
      log({ level: 'warn', message: news.message, file: news.file })
      publish('policy', news.published)
      append(news.draft).catch(error => {
        known.delete(news.file)
        log({ level: 'error', message: 'a change of a policy could not be recorded; it is tried again', error: String(error) })
      })
    }
    makeFolder(folder, 0o700)
    replaceFile(file, `${JSON.stringify(Object.fromEntries(known))}\n`)
  }

  return sources => {
    for (const { path, errors, isHeld } of brokenFiles(sources)) {
      log({
        level: 'error',
        message: isHeld
          ? 'a policy is broken; its last good version stays in force'
          : 'a policy is broken and never was good: calls are denied',
        file: path,
        errors: errors.map(describe),
      })
    }
    try {
      note(sources)
    } catch (error) {
      log({ level: 'error', message: 'what became of a policy could not be noted', error: String(error) })
    }
  }
}

function changeNews(root: string, change: PolicyChange): News {
  const { file, kind, hash, found, trustedAt } = change
  const body = { root, file, change: kind, before: hash, after: found, inForce: hash, accepted: false, via: 'disk' }
  return {
    file,
    key: [kind, hash, found ?? '', trustedAt].join(' '),
    message: describeChange(change),
    draft: draftOf(hash, body),
    published: { root, ...change },
  }
}

/** Files that nobody has accepted and that cannot be read: nothing says what they should be, but that they say nothing is recorded too. */
function listBroken({ loaded, diagnostics, changes }: GuardSources): readonly News[] {
  const changed = new Set(changes.map(change => change.file))
  const policies = loaded.files.map(({ path, errors, policy }) => ({ file: path, errors, inForce: policy?.hash ?? null }))
  const failed = diagnostics.filter(({ severity }) => severity === 'error')
  const hooks = [...new Set(failed.map(({ place }) => place.file))].map(file => ({
    file,
    errors: failed.filter(({ place }) => place.file === file),
    inForce: null,
  }))
  return [...policies, ...hooks]
    .filter(({ file, errors }) => errors.length > 0 && !changed.has(file))
    .map(({ file, errors, inForce }) => brokenNews(loaded.root, { file, errors: errors.map(describe), inForce }))
}

interface Broken {
  readonly file: string
  readonly errors: readonly string[]
  /** Of the version that holds instead; null: there never was a good one. */
  readonly inForce: string | null
}

const MAX_ERRORS = 20

function brokenNews(root: string, { file, errors, inForce }: Broken): News {
  const body = { root, file, change: 'broken', inForce, accepted: false, errors: errors.slice(0, MAX_ERRORS), via: 'disk' }
  const held = inForce === null ? 'there is no good version of it' : `its last good version (${inForce.slice(0, 12)}) holds`
  return {
    file,
    key: ['broken', inForce ?? '', ...errors].join(' '),
    message: `${file} is broken: ${held}`,
    draft: draftOf(inForce, body),
    published: { root, file, kind: 'broken', hash: inForce, errors: body.errors },
  }
}

function draftOf(policy: string | null, body: EntryDraft['body']): EntryDraft {
  return { actor: 'belay', session: null, kind: 'policy_change', policy, body }
}

function describe({ place, message }: Diagnostic): string {
  return `${place.line}:${place.column} ${message}`
}

function isOf(file: string, root: string, home: string): boolean {
  return file.startsWith(`${root}/`) || file.startsWith(`${home}/`)
}

function readKnown(file: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}
