// Looks a program up by its base name.
import { codeTable } from './code-table.ts'
import { containerTable } from './container-table.ts'
import { fileTable } from './file-table.ts'
import { git } from './git-table.ts'
import { githubTable } from './github-table.ts'
import { launcherTable } from './launcher-table.ts'
import { networkTable } from './network-table.ts'
import { packageTable } from './package-table.ts'
import type { Program } from './program.ts'
import { runnerTable } from './runner-table.ts'
import { searchTable } from './search-table.ts'
import { sessionTable } from './session-table.ts'
import { wrapperTable } from './wrapper-table.ts'

const programs = new Map<string, Program>(
  [
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
    { git },
  ].flatMap(table => Object.entries(table)),
)

const VERSIONED = /^(python|pypy|node|perl|ruby|php|lua|gcc|clang|pip)[\d.-]+$/

export function findProgram(given: string): Program | undefined {
  const name = given.endsWith('.exe') ? given.slice(0, -4) : given
  const found = programs.get(name) ?? programs.get(VERSIONED.exec(name)?.[1] ?? '')
  return found?.same === undefined ? found : programs.get(found.same)
}
