// `belay genesis init`: writes a first policy for the stack it finds, and trusts what it wrote.
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseGenesis } from '@belay/core/policy'
import { renderPolicy } from '../config/genesis-template.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { findStacks } from '../config/project-stack.ts'
import { addTrust } from '../config/trust.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { renderCases } from '../policy/case/case-template.ts'
import { SCHEMA_FOLDER, type SchemaName, schemaText } from '../policy/schema/schemas.ts'
import { type CommandIo, type ExitCode, fail, hint, printJson, printLine } from '../terminal/io.ts'

export interface InitOptions {
  readonly force?: boolean
  readonly json?: boolean
}

export function runGenesisInit(options: InitOptions, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const { root } = findProject(io.cwd, home)
  const existing = findProjectPolicy(root)
  if (existing !== null && options.force !== true) {
    printLine(io.stderr, `belay: ${existing} is already there`)
    printLine(io.stderr, '  edit it, or overwrite it with --force')
    return 1
  }
  const made = writePolicy(io, root)
  if (made === null) return 2
  const { file, tests, hash, stacks } = made
  if (options.json === true) printJson(io, { file, tests: tests.path, hash, stacks, trusted: true, overwrote: existing !== null })
  else printNext(io, file, stacks)
  return 0
}

interface WrittenPolicy {
  readonly file: string
  /** Beside it. */
  readonly tests: { readonly path: string; readonly isNew: boolean }
  /** Schemas for editors. */
  readonly schemas: readonly string[]
  readonly hash: string
  readonly stacks: readonly string[]
}

/** A first policy for what is built in `root`, trusted. Null: it cannot be, and why was said. */
export function writePolicy(io: CommandIo, root: string): WrittenPolicy | null {
  const home = findHome(io.env)
  const file = findProjectPolicy(root) ?? newProjectPolicy(root)
  const found = findStacks(root)
  const stacks = found.map(stack => stack.name)
  const text = renderPolicy(found)
  const parsed = parseGenesis(text, file)
  if (!parsed.ok) {
    fail(io, `the policy for ${stacks.join(', ')} does not parse: please report this`)
    return null
  }
  // A policy that cannot be trusted is not left behind.
  makeFolder(home, 0o700)
  accessSync(home, constants.W_OK)
  makeFolder(dirname(file))
  writeFileSync(file, text)
  addTrust(homePaths(home).trust, file, parsed.policy.hash)
  return { file, tests: writeTests(file), schemas: writeSchemas(file, ['genesis', 'test', 'hooks']), hash: parsed.policy.hash, stacks }
}

function printNext(io: CommandIo, file: string, names: readonly string[]): void {
  printLine(io.stdout, `Wrote ${file}${names.length === 0 ? '' : ` for ${names.join(', ')}`}. It is trusted on this machine.`)
  printLine(io.stdout, 'Try it:')
  printLine(io.stdout, hint(io, '  belay hooks simulate --tool Bash --args "git push --force" --actor agent:claude-code'))
  printLine(io.stdout, hint(io, '  belay explain -- rm -rf build'))
  printLine(io.stdout, hint(io, '  belay policy test'))
}

/** Beside the policy, unless somebody has written tests already. */
function writeTests(policy: string): WrittenPolicy['tests'] {
  const path = testsOf(policy)
  const isNew = !existsSync(path)
  if (isNew) writeFileSync(path, renderCases())
  return { path, isNew }
}

/** The first line of a file names its schema: editors then complete and check while a person types. */
export function writeSchemas(file: string, names: readonly SchemaName[]): readonly string[] {
  const folder = join(dirname(file), SCHEMA_FOLDER)
  makeFolder(folder)
  return names.map(name => {
    const path = join(folder, `${name}.json`)
    writeFileSync(path, schemaText(name))
    return path
  })
}

function testsOf(policy: string): string {
  return policy.replace(/\.key$/, '.test.yaml')
}
