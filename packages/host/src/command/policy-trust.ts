// `belay policy trust [FILE]`: a person says that the project's policy and hooks, as they are now, may also loosen and run things.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy } from '../config/project.ts'
import { projectHookFile } from '../config/project-hooks.ts'
import { addTrust } from '../config/trust.ts'
import { printDiagnostics } from './diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from './io.ts'
import { readNamedPolicy } from './policies.ts'

export interface TrustOptions {
  readonly file?: string
  readonly json?: boolean
}

export function runPolicyTrust(options: TrustOptions, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const files = options.file === undefined ? trustable(findProject(io.cwd, home).root) : [resolve(io.cwd, options.file)]
  if (files.length === 0) return fail(io, `there is no policy and no hooks.toml for ${io.cwd}`, 'write a policy with `belay genesis init`')
  const trusted: { file: string; hash: string }[] = []
  for (const file of files) {
    const hash = hashOf(file, io)
    if (hash === null) return 2
    trusted.push({ file, hash })
  }
  for (const { file, hash } of trusted) addTrust(homePaths(home).trust, file, hash)
  if (options.json === true) printJson(io, { trusted })
  else
    for (const { file, hash } of trusted)
      printLine(io.stdout, `Trusted ${file} as it is now (${hash.slice(0, 12)}). An edit needs trust again.`)
  return 0
}

function trustable(root: string): readonly string[] {
  const hooks = projectHookFile(root)
  const policy = findProjectPolicy(root)
  return [...(policy === null ? [] : [policy]), ...(existsSync(hooks) ? [hooks] : [])]
}

/** null: it cannot be trusted, and the reason has been printed. */
function hashOf(file: string, io: CommandIo): string | null {
  if (basename(file) === 'hooks.toml') return createHash('sha256').update(readFileSync(file)).digest('hex')
  const read = readNamedPolicy(io, file)
  if (read.kind === 'valid') return read.policy.hash
  if (read.kind === 'invalid') {
    printDiagnostics(io, read.errors)
    fail(io, `${file} is broken, so there is nothing to trust`)
  } else fail(io, `${file}: ${read.why}`)
  return null
}
