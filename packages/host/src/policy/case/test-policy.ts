// One test file against the policy that it names: which cases pass, which rules they are about, and which faults of the policy they would find.
import { type Diagnostic, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { genesisChecks } from '../../config/genesis-checks.ts'
import { readPolicyText } from '../../config/genesis-text.ts'
import { rulesOf } from '../rules-of.ts'
import { listMutants, type Mutant } from './mutate-policy.ts'
import { type CaseFile, type NeverLine, readCases } from './read-cases.ts'
import { type CaseResult, passes, runCases } from './run-cases.ts'

export interface TestedFile {
  readonly file: string
  readonly policy: string | null
  /** Why nothing could be run. */
  readonly errors: readonly Diagnostic[]
  readonly results: readonly CaseResult[]
  readonly coverage: RuleCoverage | null
  readonly mutation: Mutation | null
  /** Proved by `policy prove`. */
  readonly never: readonly NeverLine[]
}

export interface RuleCoverage {
  readonly rules: number
  readonly uncovered: readonly { readonly rule: string; readonly effect: string; readonly line: number | null }[]
}

export interface Mutation {
  readonly mutants: number
  readonly survived: readonly Omit<Mutant, 'policy'>[]
}

export interface TestOptions {
  readonly mutate: boolean
  /** How far a long run is. */
  onProgress?(done: number, all: number): void
}

export async function testPolicy(file: string, options: TestOptions): Promise<TestedFile> {
  const read = await readCaseFile(file)
  if (!read.ok) return unread(file, null, read.errors)
  const { policy } = read.file
  const parsed = readPolicy(policy)
  if (!parsed.ok) return unread(file, policy, parsed.errors)
  const results = await runCases(read.file, parsed.policy)
  const isGood = results.every(({ failures }) => failures.length === 0)
  return {
    file,
    policy,
    errors: [],
    never: read.file.never,
    results,
    coverage: coverRules(parsed.policy, results),
    // Faults that tests would find mean nothing while the tests themselves fail.
    mutation: options.mutate && isGood ? await findSurvivors(read.file, parsed.policy, { ...options, results }) : null,
  }
}

function unread(file: string, policy: string | null, errors: readonly Diagnostic[]): TestedFile {
  return { file, policy, errors, results: [], coverage: null, mutation: null, never: [] }
}

export async function readCaseFile(file: string): ReturnType<typeof readCases> {
  const read = readPolicyText(file)
  if (read.kind === 'text') return readCases(read.text, file)
  return { ok: false, errors: [read.kind === 'missing' ? problemOf(file, 'there is no such file') : read.problem] }
}

export function readPolicy(file: string): ReturnType<typeof parseGenesis> {
  const read = readPolicyText(file)
  if (read.kind === 'text') return parseGenesis(read.text, file, genesisChecks)
  const error =
    read.kind === 'missing' ? problemOf(file, 'there is no such policy', 'name it in the test file: policy: FILE') : read.problem
  return { ok: false, errors: [error], warnings: [] }
}

function problemOf(file: string, message: string, remedy?: string): Diagnostic {
  return { severity: 'error', message, place: { file, line: 1, column: 1 }, ...(remedy === undefined ? {} : { remedy }) }
}

/** A rule is covered where it decided a case. */
function coverRules(policy: GenesisPolicy, results: readonly CaseResult[]): RuleCoverage {
  const decided = new Set(results.flatMap(({ steps }) => steps.flatMap(({ rules }) => rules.map(({ id }) => id))))
  const rules = rulesOf(policy)
  const uncovered = rules.filter(({ rule }) => !decided.has(rule.id))
  return {
    rules: rules.length,
    uncovered: uncovered.map(({ rule }) => ({ rule: rule.text, effect: rule.effect, line: rule.place?.line ?? null })),
  }
}

async function findSurvivors(
  file: CaseFile,
  policy: GenesisPolicy,
  { onProgress, results }: TestOptions & { readonly results: readonly CaseResult[] },
): Promise<Mutation> {
  const mutants = listMutants(policy)
  const decidedBy = results.map(({ steps }) => new Set(steps.flatMap(({ rules }) => rules.map(({ id }) => id))))
  const survived: Omit<Mutant, 'policy'>[] = []
  for (const [index, { policy: mutated, ...mutant }] of mutants.entries()) {
    onProgress?.(index, mutants.length)
    // Most are found by a case that the rule decides.
    const isNear = (at: number): boolean => mutant.rule !== null && decidedBy[at]?.has(mutant.rule) === true
    const near = file.cases.filter((_, at) => isNear(at))
    const far = file.cases.filter((_, at) => !isNear(at))
    if (await passes({ ...file, cases: [...near, ...far] }, mutated)) survived.push(mutant)
  }
  return { mutants: mutants.length, survived }
}
