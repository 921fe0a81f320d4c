// `belay policy lint [FILE]`: rules that do nothing, say two things, or let through more than they look like.
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { errorText } from '@belay/core/value'
import { replaceFile } from '../config/write-rule.ts'
import { docsOf, type Finding, LINT_CODES } from '../policy/lint/finding.ts'
import { fixText } from '../policy/lint/fix-text.ts'
import { type LintedFile, lintFile } from '../policy/lint/lint-file.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { loadForCommand } from './policies.ts'

export interface PolicyLintOptions {
  readonly files: readonly string[]
  readonly fix?: boolean
  /** Commander's --no-prove. */
  readonly prove: boolean
  readonly json?: boolean
}

interface LintResult extends LintedFile {
  readonly file: string
  readonly fixed: readonly Finding[]
}

export function runPolicyLint(options: PolicyLintOptions, io: CommandIo): ExitCode {
  const files =
    options.files.length > 0 ? options.files.map(file => resolve(io.cwd, file)) : loadForCommand(io).files.map(({ path }) => path)
  if (files.length === 0) return fail(io, `no policy holds in ${io.cwd}`, 'name a file: belay policy lint FILE')
  const results: LintResult[] = []
  for (const file of files) {
    const text = readText(file)
    if (text === null) return fail(io, `${file} cannot be read`)
    const lint = (of: string) => lintFile(of, file, { prove: options.prove, onProgress: progressOf(io) })
    const first = lint(text)
    const fixed = options.fix === true ? fixText(text, first.findings) : { text, fixed: [] }
    const unwritten = fixed.text === text ? null : writeFixed(file, fixed.text)
    if (unwritten !== null)
      return fail(io, `${relative(io.cwd, file)} cannot be changed: ${unwritten}`, 'without --fix its findings are shown')
    results.push({ file, ...(fixed.text === text ? first : lint(fixed.text)), fixed: fixed.fixed })
  }
  if (io.isTty) io.stderr.write('\r\u001b[K')
  if (options.json === true)
    printJson(io, {
      files: results.map(({ file, rules, findings, accepted, fixed }) => ({
        ...{ file, rules, findings: findings.map(describe) },
        ...{ accepted: accepted.map(describe), fixed: fixed.map(describe) },
      })),
    })
  else for (const each of results) printResult(io, each)
  return results.every(({ findings }) => findings.length === 0) ? 0 : 1
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** null: it is written. */
function writeFixed(file: string, text: string): string | null {
  try {
    replaceFile(file, text)
    return null
  } catch (error) {
    return errorText(error).replace(/, open .*$/, '')
  }
}

function progressOf(io: CommandIo): (done: number, all: number) => void {
  return (done, all) => {
    if (io.isTty) io.stderr.write(`\rlooking for ways around rule ${done + 1} of ${all} `)
  }
}

function describe(finding: Finding) {
  const { code, place, message, example, remedy, fix } = finding
  return {
    code,
    severity: LINT_CODES[code],
    ...place,
    message,
    example: example ?? null,
    remedy: remedy ?? null,
    fixable: fix !== undefined,
    docs: docsOf(code),
  }
}

function printResult(io: CommandIo, { file, rules, findings, accepted, fixed }: LintResult): void {
  const shown = relative(io.cwd, file)
  for (const { code, place, message, example, remedy } of findings) {
    const severity = LINT_CODES[code]
    printLine(
      io.stdout,
      `${shown}:${place.line}:${place.column}: ${paint(io, severity === 'error' ? 'red' : 'yellow', severity)} ${code}: ${message}`,
    )
    if (example !== undefined) printLine(io.stdout, `  such as: ${example.replaceAll('\n', '\\n')}`)
    if (remedy !== undefined) printLine(io.stdout, `  ${remedy}`)
  }
  for (const { code, message } of fixed) printLine(io.stdout, `${shown}: fixed ${code}: ${message}`)
  printLine(
    io.stdout,
    `${shown}: ${rules} rules, ${findings.length === 0 ? paint(io, 'green', 'nothing found') : `${findings.length} found`}${accepted.length === 0 ? '' : `, ${accepted.length} accepted by a comment`}`,
  )
}
