// Looks a program up by its base name.
import { codeTable } from './code-table.ts'
import { commandOptionTable } from './command-option-table.ts'
import { containerTable } from './container-table.ts'
import { effectTable } from './effect-table.ts'
import { fileTable } from './file-table.ts'
import { GIT_SHELL, git } from './git-table.ts'
import { githubTable } from './github-table.ts'
import { interpreterTable } from './interpreter-table.ts'
import { launcherTable } from './launcher-table.ts'
import { networkTable } from './network-table.ts'
import { otherName } from './other-name.ts'
import { ownTable } from './own-table.ts'
import { packageTable } from './package-table.ts'
import type { Program, ProgramTable } from './program.ts'
import { runnerTable } from './runner-table.ts'
import { searchTable } from './search-table.ts'
import { sessionTable } from './session-table.ts'
import { wrapperTable } from './wrapper-table.ts'

const programs = joinTables([
  // What other tables say more of, they say below.
  interpreterTable,
  effectTable,
  commandOptionTable,
  wrapperTable,
  launcherTable,
  containerTable,
  runnerTable,
  sessionTable,
  fileTable,
  searchTable,
  networkTable,
  codeTable,
  packageTable,
  githubTable,
  ownTable,
  { git, 'git-shell': GIT_SHELL },
])

/** One after the other, without lists of pairs: this is done before the first call of every client. */
function joinTables(tables: readonly ProgramTable[]): ReadonlyMap<string, Program> {
  const found = new Map<string, Program>()
  for (const table of tables) for (const name of Object.keys(table)) found.set(name, table[name] as Program)
  return found
}

const LOADER = /^ld(?:-[\w-]+)?\.so(?:\.\d+)*$/
const VERSIONED = /^(i?python|pypy|node|perl|ruby|php|lua|cpp|gcc|clang|pip)[\d.-]+(?:dbg|d|m|t)?$/

/** One look tells for most words that none of them fits. */
const ODD = /^(?:ld|g[a-z]|uu|i?python|pypy|node|perl|ruby|php|lua|cpp|clang|pip)/

let lastName = ''
let lastFound: Program | undefined

/** Of one command it is asked again and again. */
export function findProgram(given: string): Program | undefined {
  if (given === lastName) return lastFound
  lastFound = lookUp(given)
  lastName = given
  return lastFound
}

function lookUp(given: string): Program | undefined {
  const name = given.endsWith('.exe') ? given.slice(0, -4) : given
  const known = programs.get(name)
  if (known === undefined && !ODD.test(name)) return undefined
  const found = known ?? programs.get(LOADER.test(name) ? 'ld.so' : (VERSIONED.exec(name)?.[1] ?? ''))
  const other = found === undefined ? otherName(name) : undefined
  if (other !== undefined) return lookUp(other)
  return found?.same === undefined ? found : programs.get(found.same)
}

let dangerous: ReadonlySet<string> | null = null

/** Whether some program has a verb of this name that does more than a broad rule covers. */
export function isDangerVerb(name: string): boolean {
  dangerous ??= new Set(
    [...programs.values()].flatMap(({ verbs = {} }) => Object.keys(verbs).filter(verb => verbs[verb]?.danger !== undefined)),
  )
  return dangerous.has(name)
}
