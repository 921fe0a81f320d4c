// `belay policy test [FILE...]`: the tests beside a policy, by the guard that judges agents.
import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { githubAnnotations, renderJunit } from '../policy/case/report-junit.ts'
import { type TestedFile, testPolicy } from '../policy/case/test-policy.ts'
import { printDiagnostics, toJson } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { findCaseFiles } from './case-files.ts'

export interface PolicyTestOptions {
  readonly files: readonly string[]
  readonly mutate?: boolean
  /** Percent of the mutants that must be found. */
  readonly failUnder: string
  readonly junit?: string
  readonly github?: boolean
  readonly json?: boolean
}

export async function runPolicyTest(options: PolicyTestOptions, io: CommandIo): Promise<ExitCode> {
  const wanted = Number(options.failUnder)
  if (!(wanted >= 0 && wanted <= 100)) return fail(io, `--fail-under ${options.failUnder}: a percentage from 0 to 100 is expected`)
  const files = options.files.length > 0 ? options.files.map(file => resolve(io.cwd, file)) : findCaseFiles(io)
  if (files.length === 0) {
    return fail(io, 'there is no test file (*.test.yaml) beside the policy of this project', 'write one: docs/guide/policy-tests.md')
  }
  const tested: TestedFile[] = []
  for (const file of files) tested.push(await testPolicy(file, { mutate: options.mutate === true, onProgress: progressOf(io, file) }))
  clearProgress(io)
  if (options.junit !== undefined) writeFileSync(resolve(io.cwd, options.junit), renderJunit(tested))
  if (options.json === true) printJson(io, describeJson(tested, wanted))
  else for (const each of tested) printTested(io, each)
  if (options.github === true || io.env.GITHUB_ACTIONS === 'true') {
    for (const line of githubAnnotations(tested, io.cwd)) printLine(options.json === true ? io.stderr : io.stdout, line)
  }
  if (tested.some(({ errors }) => errors.length > 0)) return 2
  return tested.every(each => isGood(each, wanted)) ? 0 : 1
}

function isGood(tested: TestedFile, wanted: number): boolean {
  const { errors, results, mutation } = tested
  return (
    errors.length === 0 &&
    results.every(({ failures }) => failures.length === 0) &&
    (mutation === null || percentKilled(mutation) >= wanted)
  )
}

function percentKilled({ mutants, survived }: NonNullable<TestedFile['mutation']>): number {
  return mutants === 0 ? 100 : ((mutants - survived.length) / mutants) * 100
}

function progressOf(io: CommandIo, file: string): (done: number, all: number) => void {
  return (done, all) => {
    if (io.isTty && done % 10 === 0) io.stderr.write(`\r${relative(io.cwd, file)}: mutant ${done} of ${all} `)
  }
}

function clearProgress(io: CommandIo): void {
  if (io.isTty) io.stderr.write('\r\u001b[K')
}

function printTested(io: CommandIo, { file, errors, results, coverage, mutation, never }: TestedFile): void {
  printDiagnostics(io, errors)
  const shown = relative(io.cwd, file)
  if (errors.length > 0) printLine(io.stdout, `${shown}: ${paint(io, 'red', 'cannot be run')}`)
  if (errors.length > 0) return
  for (const { place, message } of results.flatMap(({ failures }) => failures)) {
    printLine(io.stderr, `${relative(io.cwd, place.file)}:${place.line}:${place.column}: ${message}`)
  }
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const passed = `${results.length - failed} passed`
  printLine(io.stdout, `${shown}: ${failed === 0 ? paint(io, 'green', passed) : `${passed}, ${paint(io, 'red', `${failed} failed`)}`}`)
  if (coverage !== null) {
    printLine(io.stdout, `  ${coverage.rules - coverage.uncovered.length} of ${coverage.rules} rules decide a test`)
    for (const { rule, effect, line } of coverage.uncovered) printLine(io.stdout, `    none: ${effect} ${rule}${at(line)}`)
  }
  if (never.length > 0)
    printLine(
      io.stdout,
      `  ${never.length} never ${never.length === 1 ? 'line' : 'lines'}: belay policy prove tries ${never.length === 1 ? 'it' : 'them'}`,
    )
  if (mutation === null) return
  printLine(
    io.stdout,
    `  ${mutation.mutants - mutation.survived.length} of ${mutation.mutants} mutants are found (${percentKilled(mutation).toFixed(1)} %)`,
  )
  for (const { kind, what, into, line } of mutation.survived) {
    printLine(io.stdout, `    no test fails: ${what}${at(line)} ${kind}${into === null ? '' : ` to ${into}`}`)
  }
}

function at(line: number | null): string {
  return line === null ? '' : ` (line ${line})`
}

function describeJson(tested: readonly TestedFile[], wanted: number): unknown {
  return {
    ok: tested.every(each => isGood(each, wanted)),
    files: tested.map(each => ({
      file: each.file,
      policy: each.policy,
      ok: isGood(each, wanted),
      errors: each.errors.map(toJson),
      tests: each.results.map(({ name, place, failures, steps }) => ({
        name,
        line: place.line,
        ok: failures.length === 0,
        failures: failures.map(({ place: { line }, message }) => ({ line, message })),
        steps: steps.map(({ title, decision, reason, rules, hooks }) => ({
          call: title,
          decision,
          reason,
          rules: rules.map(({ id, text }) => ({ id, text })),
          hooks,
        })),
      })),
      coverage: each.coverage,
      mutation: each.mutation === null ? null : { ...each.mutation, killedPercent: percentKilled(each.mutation) },
    })),
  }
}
