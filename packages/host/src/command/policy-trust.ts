// `belay policy trust [FILE]`: a person says that the project's policy, as it is now, may also loosen and run hooks.
import { resolve } from 'node:path'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy } from '../config/project.ts'
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
  const file = options.file === undefined ? findProjectPolicy(findProject(io.cwd, home).root) : resolve(io.cwd, options.file)
  if (file === null) return fail(io, `there is no project policy for ${io.cwd}`, 'write one with `belay genesis init`')
  const read = readNamedPolicy(io, file)
  if (read.kind === 'unreadable') return fail(io, `${file}: ${read.why}`)
  if (read.kind === 'invalid') {
    printDiagnostics(io, read.errors)
    return fail(io, `${file} is broken, so there is nothing to trust`)
  }
  addTrust(homePaths(home).trust, file, read.policy.hash)
  if (options.json === true) printJson(io, { file, hash: read.policy.hash, trusted: true })
  else printLine(io.stdout, `Trusted ${file} as it is now (${read.policy.hash.slice(0, 12)}). An edit needs trust again.`)
  return 0
}
