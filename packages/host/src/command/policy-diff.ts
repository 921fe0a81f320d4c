// `belay policy diff A B`: in words, and by calls that come out differently.
import type { GenesisPolicy } from '@belay/core/policy'
import { diffPolicies } from '../policy/diff-policies.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paintDecision } from '../terminal/style.ts'
import { readNamedPolicy } from './policies.ts'

export interface PolicyDiffOptions {
  readonly before: string
  readonly after: string
  readonly json?: boolean
}

export function runPolicyDiff({ before, after, json }: PolicyDiffOptions, io: CommandIo): ExitCode {
  const [old, now] = [before, after].map(file => readPolicy(file, io))
  if (old == null || now == null) return 2
  const difference = diffPolicies(old, now)
  const isSame = difference.words.length === 0 && difference.examples.length === 0
  if (json === true) printJson(io, { same: isSame, ...difference })
  else if (isSame) printLine(io.stdout, 'nothing is different')
  else {
    for (const line of difference.words) printLine(io.stdout, line)
    if (difference.examples.length > 0) printLine(io.stdout, '\nsuch as:')
    for (const { actor, tool, text, before: was, after: is } of difference.examples) {
      printLine(io.stdout, `  ${paintDecision(io, was)} -> ${paintDecision(io, is)}  ${actor}: ${tool} ${text.replaceAll('\n', '\\n')}`)
    }
  }
  return isSame ? 0 : 1
}

function readPolicy(file: string, io: CommandIo): GenesisPolicy | null {
  const read = readNamedPolicy(io, file)
  if (read.kind === 'valid') return read.policy
  if (read.kind === 'invalid') printDiagnostics(io, read.errors)
  fail(io, `${file}: ${read.kind === 'unreadable' ? read.why : 'is not a valid policy'}`)
  return null
}
