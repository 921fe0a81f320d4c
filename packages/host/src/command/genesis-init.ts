// `belay genesis init`: writes a first policy for the stack it finds, and trusts what it wrote.
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseGenesis } from '@belay/core/policy'
import { renderPolicy } from '../config/genesis-template.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject, findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { findStacks } from '../config/project-stack.ts'
import { addTrust } from '../config/trust.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { renderCases } from '../policy/case/case-template.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'

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
  const file = existing ?? newProjectPolicy(root)
  const stacks = findStacks(root)
  const text = renderPolicy(stacks)
  const parsed = parseGenesis(text, file)
  if (!parsed.ok) return fail(io, `the policy for ${stacks.map(stack => stack.name).join(', ')} does not parse: please report this`)
  // A policy that cannot be trusted is not left behind.
  makeFolder(home, 0o700)
  accessSync(home, constants.W_OK)
  makeFolder(dirname(file))
  writeFileSync(file, text)
  addTrust(homePaths(home).trust, file, parsed.policy.hash)
  const tests = writeTests(file)
  const names = stacks.map(stack => stack.name)
  if (options.json === true)
    printJson(io, { file, tests, hash: parsed.policy.hash, stacks: names, trusted: true, overwrote: existsSync(file) && existing !== null })
  else printNext(io, file, names)
  return 0
}

function printNext(io: CommandIo, file: string, names: readonly string[]): void {
  printLine(io.stdout, `Wrote ${file}${names.length === 0 ? '' : ` for ${names.join(', ')}`}. It is trusted on this machine.`)
  printLine(io.stdout, 'Try it:')
  printLine(io.stdout, '  belay hooks simulate --tool Bash --args "git push --force" --actor agent:claude-code')
  printLine(io.stdout, '  belay explain -- rm -rf build')
  printLine(io.stdout, '  belay policy test')
}

/** Beside the policy, unless somebody has written tests already. */
function writeTests(policy: string): string {
  const file = testsOf(policy)
  if (!existsSync(file)) writeFileSync(file, renderCases())
  return file
}

export function testsOf(policy: string): string {
  return policy.replace(/\.key$/, '.test.yaml')
}
