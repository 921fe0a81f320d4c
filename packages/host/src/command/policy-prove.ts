// `belay policy prove 'never ...'`: is there a call that the policy lets through and that does what must never happen?
import { relative, resolve } from 'node:path'
import { type GenesisPolicy, matchesActor } from '@belay/core/policy'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { readCaseFile, readPolicy } from '../policy/case/test-policy.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../policy/imagined-guard.ts'
import { type Proof, type Property, proveProperty, readProperty } from '../policy/prove/prove-property.ts'
import { trustedPrograms } from '../policy/prove/trusted-program.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { findCaseFiles } from './case-files.ts'
import { asTrusted, loadForCommand, readNamedPolicy } from './policies.ts'

export interface PolicyProveOptions {
  /** Default: the never lines of test files. */
  readonly property?: string
  readonly policy?: string
  readonly actor: string
  readonly depth: string
  readonly json?: boolean
}

const MAX_DEPTH = 3

export async function runPolicyProve(options: PolicyProveOptions, io: CommandIo): Promise<ExitCode> {
  const depth = Number(options.depth)
  if (!Number.isInteger(depth) || depth < 0 || depth > MAX_DEPTH)
    return fail(io, `--depth ${options.depth}: a whole number from 0 to ${MAX_DEPTH} is expected`)
  const asked = options.property === undefined ? await readNeverLines(options, io) : readAsked(options.property, options, io)
  if (asked === null) return 2
  const proved = asked.map(each => ({ ...each, proof: prove(each, depth, io) }))
  if (options.json === true) printJson(io, options.property === undefined ? proved.map(describe) : proved.map(describe)[0])
  else printProofs(io, proved)
  return proved.every(({ proof }) => proof.counterExample === null) ? 0 : 1
}

/** What is to be proved, of which policies, for whom. */
interface Asked {
  readonly property: Property & { readonly ok: true }
  readonly policies: readonly GenesisPolicy[]
  readonly guard: ProjectGuard
  readonly actor: string
}

interface Proved extends Asked {
  readonly proof: Proof
}

function prove({ property, guard, actor }: Asked, depth: number, io: CommandIo): Proof {
  const onProgress = (done: number, all: number): void => {
    if (io.isTty) io.stderr.write(`\r${done} of ${all} shapes `)
  }
  const proof = proveProperty(guard, property, { actor, depth, cwd: IMAGINED_ROOT, onProgress })
  if (io.isTty) io.stderr.write('\r\u001b[K')
  return proof
}

function describe({ proof, policies, actor }: Proved): object {
  const [first] = policies
  return { ...proof, policy: first?.file ?? null, trusted: trustedPrograms(policies, actor), defaults: defaultsOf(policies) }
}

function readAsked(text: string, options: PolicyProveOptions, io: CommandIo): readonly Asked[] | null {
  const property = readProperty(text)
  if (!property.ok) {
    fail(io, property.why, property.remedy)
    return null
  }
  const policies = readPolicies(options, io)
  return policies === null ? null : [{ property, policies, guard: imaginedGuard(policies, { stopsAtRefusal: true }), actor: options.actor }]
}

/** Of the test file beside the policy, or of every test file of the project. */
async function readNeverLines({ policy }: PolicyProveOptions, io: CommandIo): Promise<readonly Asked[] | null> {
  const files = policy === undefined ? findCaseFiles(io) : [resolve(io.cwd, policy).replace(/(?:\.key)?$/, '.test.yaml')]
  const asked: Asked[] = []
  for (const file of files) {
    const read = await readCaseFile(file)
    const parsed = read.ok ? readPolicy(read.file.policy) : read
    if (!read.ok || !parsed.ok) {
      printDiagnostics(io, parsed.ok ? [] : parsed.errors)
      fail(io, `${relative(io.cwd, file)} cannot be used`)
      return null
    }
    const policies = [parsed.policy]
    const guard = imaginedGuard(policies, { stopsAtRefusal: true })
    // What stands there twice, also under the actor that the file means anyway, is proved once.
    const lines = new Map(read.file.never.map(line => [JSON.stringify([line.property, line.actor]), line]))
    for (const { property, actor } of lines.values()) {
      const found = readProperty(property)
      if (found.ok) asked.push({ property: found, policies, guard, actor })
    }
  }
  if (asked.length > 0) return asked
  const where =
    files.length === 0
      ? 'there is no test file (*.test.yaml)'
      : `no test file has a never line: ${files.map(file => relative(io.cwd, file)).join(', ')}`
  fail(io, where, "write one (never: [network, Write(.env*)]), or name what must never happen: belay policy prove 'never Write(.env*)'")
  return null
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
  fail(io, `${policy}: ${read.kind === 'unreadable' ? read.why : 'is not a valid policy'}`)
  return null
}

function defaultsOf(policies: readonly GenesisPolicy[]): readonly string[] {
  return [...new Set(policies.flatMap(({ permissions }) => permissions?.default ?? []))]
}

/** What had to be trusted is said once for all that rests on it. */
function printProofs(io: CommandIo, proved: readonly Proved[]): void {
  for (const each of proved) printProof(io, each)
  const held = proved.filter(({ proof }) => proof.counterExample === null)
  for (const line of new Set(held.flatMap(trustedLines))) printLine(io.stdout, line)
}

function trustedLines({ policies, actor }: Proved): readonly string[] {
  const programs = trustedPrograms(policies, actor).map(({ program, rule, why }) => `  trusted: ${program} (${rule}): ${why}`)
  const isOpen = defaultsOf(policies).some(each => each === 'none' || each === 'allow')
  return isOpen ? [...programs, '  trusted: every program that no rule speaks of (the default is not deny or ask)'] : programs
}

function printProof(io: CommandIo, { proof, actor }: Proved): void {
  const { property, counterExample, shapes, depth } = proof
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
}
