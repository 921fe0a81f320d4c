// `belay config inspect FILE`: what a hook configuration says, and what its own agent would make of it.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { dialectIds, findDialect } from '@belay/core/dialect'
import { suggestRemedy } from '@belay/core/policy'
import { errorText } from '@belay/core/value'
import { inspectConfig } from '../config/inspect-config.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { renderInspection } from './inspect-render.ts'

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
    return fail(io, `${file}: ${errorText(error)}`)
  }
  const inspection = inspectConfig(bytes, { path: file, ...(known === null ? {} : { dialect: known.id }) })
  if (json === true) printJson(io, inspection)
  else printLine(io.stdout, renderInspection(inspection))
  return 0
}
