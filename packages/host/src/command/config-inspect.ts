// `belay config inspect FILE`: what a hook configuration says, and what its own agent would make of it.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { suggestRemedy } from '@belay/core/policy'
import { dialectIds, findDialect } from '../config/dialect/dialect-table.ts'
import { type InspectedHook, type Inspection, inspectConfig } from '../config/inspect-config.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from './io.ts'
import { columns } from './style.ts'

export interface InspectCommandOptions {
  readonly file: string
  readonly dialect?: string
  readonly json?: boolean
}

export function runConfigInspect({ file, dialect, json }: InspectCommandOptions, io: CommandIo): ExitCode {
  const known = dialect === undefined ? null : findDialect(dialect)
  if (dialect !== undefined && known === null) return fail(io, `there is no dialect \`${dialect}\``, suggestRemedy(dialect, dialectIds()))
  let bytes: Uint8Array
  try {
    bytes = readFileSync(resolve(io.cwd, file))
  } catch (error) {
    return fail(io, `${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const inspection = inspectConfig(bytes, { path: file, ...(known === null ? {} : { dialect: known.id }) })
  if (json === true) printJson(io, inspection)
  else printInspection(io, file, inspection)
  return 0
}

function printInspection(io: CommandIo, file: string, inspection: Inspection): void {
  const { allow, ask, deny } = inspection.permissions
  printLine(io.stdout, `${file}: ${inspection.dialect}, ${PARSE[inspection.parse]}`)
  printLine(io.stdout, `${inspection.hooks} hooks in ${inspection.groups} groups; rules: ${allow} allow, ${ask} ask, ${deny} deny`)
  if (inspection.active.length > 0) printLine(io.stdout, `\nIts agent runs\n${columns(inspection.active.map(row), '  ')}`)
  if (inspection.inert.length > 0) {
    printLine(
      io.stdout,
      `\nIts agent ignores\n${columns(
        inspection.inert.map(hook => [...row(hook), `because ${hook.why}`]),
        '  ',
      )}`,
    )
  }
  for (const { severity, line, column, message, remedy } of inspection.diagnostics) {
    printLine(io.stdout, `\n${file}:${line}:${column}: ${severity}: ${message}${remedy === undefined ? '' : `\n  ${remedy}`}`)
  }
}

const PARSE = { strict: 'parses', tolerant: 'parses only leniently', invalid: 'does not parse' } as const

function row({ line, event, matcher, type, text }: InspectedHook): readonly string[] {
  return [`${line}`, event, matcher ?? '*', type, text.length > 60 ? `${text.slice(0, 59)}…` : text]
}
