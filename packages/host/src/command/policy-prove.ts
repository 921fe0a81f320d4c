// `belay policy prove 'never ...'`: is there a call that the policy lets through and that does what must never happen?
import { type GenesisPolicy, matchesActor } from '@belay/core/policy'
import { IMAGINED_ROOT, imaginedGuard } from '../policy/imagined-guard.ts'
import { type Proof, proveProperty, readProperty } from '../policy/prove/prove-property.ts'
import { trustedPrograms } from '../policy/prove/trusted-program.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { asTrusted, loadForCommand, readNamedPolicy } from './policies.ts'

export interface PolicyProveOptions {
  readonly property: string
  readonly policy?: string
  readonly actor: string
  readonly depth: string
  readonly json?: boolean
}

const MAX_DEPTH = 3

export function runPolicyProve(options: PolicyProveOptions, io: CommandIo): ExitCode {
  const property = readProperty(options.property)
  if (!property.ok) return fail(io, property.why, property.remedy)
  const depth = Number(options.depth)
  if (!Number.isInteger(depth) || depth < 0 || depth > MAX_DEPTH)
    return fail(io, `--depth ${options.depth}: a whole number from 0 to ${MAX_DEPTH} is expected`)
  const policies = readPolicies(options, io)
  if (policies === null) return 2
  const onProgress = (done: number, all: number): void => {
    if (io.isTty) io.stderr.write(`\r${done} of ${all} shapes `)
  }
  const proof = proveProperty(imaginedGuard(policies), property, { actor: options.actor, depth, cwd: IMAGINED_ROOT, onProgress })
  if (io.isTty) io.stderr.write('\r\u001b[K')
  const trusted = trustedPrograms(policies, options.actor)
  if (options.json === true) printJson(io, { ...proof, trusted, defaults: defaultsOf(policies) })
  else printProof(io, proof, { trusted, policies })
  return proof.counterExample === null ? 0 : 1
}

function readPolicies({ policy, actor }: PolicyProveOptions, io: CommandIo): readonly GenesisPolicy[] | null {
  if (policy === undefined) {
    const policies = asTrusted(io, loadForCommand(io).policies)
    if (policies.length === 0) fail(io, `no policy holds in ${io.cwd}`, 'name a file: --policy FILE')
    return policies.length === 0 ? null : policies
  }
  const read = readNamedPolicy(io, policy)
  if (read.kind === 'valid') {
    const blocks = read.policy.permissions?.actors ?? []
    if (!blocks.some(block => matchesActor(block.actor, actor))) printLine(io.stderr, `note: no block of ${policy} speaks of ${actor}`)
    return [read.policy]
  }
  if (read.kind === 'invalid') printDiagnostics(io, read.errors)
  fail(io, `${policy}: ${read.kind === 'unreadable' ? read.why : 'is no valid policy'}`)
  return null
}

function defaultsOf(policies: readonly GenesisPolicy[]): readonly string[] {
  return [...new Set(policies.flatMap(({ permissions }) => permissions?.default ?? []))]
}

function printProof(
  io: CommandIo,
  proof: Proof,
  { trusted, policies }: { readonly trusted: ReturnType<typeof trustedPrograms>; readonly policies: readonly GenesisPolicy[] },
): void {
  const { property, counterExample, shapes, depth, actor } = proof
  if (counterExample !== null) {
    const { command } = counterExample.call.input
    printLine(io.stdout, `${property}: it can, as ${actor}:`)
    printLine(
      io.stdout,
      `  ${typeof command === 'string' ? command : `${counterExample.call.tool} ${JSON.stringify(counterExample.call.input)}`}`,
    )
    printLine(io.stdout, `  ${counterExample.verdict === 'none' ? 'nothing stops it' : 'it is allowed'}: ${counterExample.reason}`)
    return
  }
  printLine(io.stdout, `${property}: none among ${shapes} shapes up to depth ${depth}, as ${actor}`)
  for (const { program, rule, why } of trusted) printLine(io.stdout, `  trusted: ${program} (${rule}): ${why}`)
  if (defaultsOf(policies).some(each => each === 'none' || each === 'allow')) {
    printLine(io.stdout, '  trusted: every program that no rule speaks of (the default is not deny or ask)')
  }
}
