// `belay import AGENT`: the agent's own permission rules and hooks become part of the policy, so that they hold for every agent's calls
// and in every proof.
import { readFileSync } from 'node:fs'
import { parseGenesis } from '@belay/core/policy'
import { createTwoFilesPatch } from 'diff'
import { findTarget } from '../agent/agents.ts'
import type { InstallScope } from '../agent/target.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { EMPTY_POLICY } from '../config/genesis-edit.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { addTrust, keepsTrust, readTrust, trustedVersion } from '../config/trust.ts'
import { replaceFile } from '../disk/write-file.ts'
import { shimPath } from '../install/choose-shim.ts'
import { type Imported, type ImportFile, importConfig } from '../install/import-config.ts'
import { addImported } from '../install/import-edit.ts'
import { findImportFiles } from '../install/import-files.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { failUnknown, placeOf } from './install.ts'

export interface ImportOptions {
  readonly agent: string
  /** The project's policy gets what stands in the project's files, the user's what stands in the user's. */
  readonly scope?: InstallScope
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function runImport(options: ImportOptions, io: CommandIo): ExitCode {
  const target = findTarget(options.agent)
  if (target === null) return failUnknown(options.agent, io)
  const scope = options.scope ?? 'project'
  const { looked, found } = findImportFiles(target, { ...placeOf(io, scope), shim: shimPath(findHome(io.env)) })
  if (found.length === 0) {
    printLine(io.stderr, `belay: ${options.agent} has no configuration in the ${scope}'s scope here`)
    if (looked.length > 0) printLine(io.stderr, `  looked for ${looked.join(', ')}`)
    return 1
  }
  const files = found.map(path => ({ path, text: readFileSync(path, 'utf8') }))
  const imported = importConfig(target.agent, files)
  return writeImported(options, { scope, files, imported }, io)
}

interface Import {
  readonly scope: InstallScope
  readonly files: readonly ImportFile[]
  readonly imported: Imported
}

function writeImported(options: ImportOptions, { scope, files, imported }: Import, io: CommandIo): ExitCode {
  const paths = homePaths(findHome(io.env))
  const { projectRoot } = placeOf(io, scope)
  const file = scope === 'user' ? paths.policy : (findProjectPolicy(projectRoot) ?? newProjectPolicy(projectRoot))
  const read = readPolicyText(file)
  if (read.kind === 'unreadable') return fail(io, `${file}: ${read.problem.message}`, read.problem.remedy)
  const before = read.kind === 'text' ? read.text : null
  const edited = addImported(before ?? EMPTY_POLICY, imported)
  if (!edited.ok) return fail(io, `${file}: nothing can be added: ${edited.why}`, 'fix it first (belay genesis validate)')
  const parsed = parseGenesis(edited.text, file, genesisChecks)
  if (!parsed.ok) {
    printDiagnostics(io, parsed.errors)
    return fail(io, `${file}: what ${options.agent} says cannot be added here`)
  }
  const old = before === null ? null : parseGenesis(before, file, genesisChecks)
  const trust = readTrust(paths.trust)
  const wasTrusted =
    old === null || old.ok
      ? keepsTrust(trust, file, old?.policy.hash ?? null) || (scope === 'user' && trustedVersion(trust, file) === null)
      : false
  if (options.dryRun !== true && edited.text !== before) {
    replaceFile(file, edited.text)
    if (wasTrusted) addTrust(paths.trust, file, parsed.policy.hash)
  }
  if (options.json === true)
    printJson(io, {
      file,
      from: files.map(({ path }) => path),
      rules: edited.rules,
      hooks: edited.hooks,
      skipped: imported.skipped,
      trusted: wasTrusted,
    })
  else {
    if (options.dryRun === true) printLine(io.stdout, createTwoFilesPatch(file, file, before ?? '', edited.text, 'now', 'then').trimEnd())
    printLine(io.stdout, `${file}: ${edited.rules} rules and ${edited.hooks} hooks from ${files.map(({ path }) => path).join(', ')}`)
    for (const { file: from, line, what, why } of imported.skipped) printLine(io.stdout, `skipped ${from}:${line} ${what}: ${why}`)
  }
  return 0
}
