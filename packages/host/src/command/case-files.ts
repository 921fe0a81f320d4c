// The test files of a project's policies.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findHome } from '../config/home.ts'
import { findProject, projectPolicyPlaces } from '../config/project.ts'
import type { CommandIo } from '../terminal/io.ts'

/** In the folders that hold a project's policy, and in policies/. */
export function findCaseFiles(io: CommandIo): readonly string[] {
  const { root } = findProject(io.cwd, findHome(io.env))
  const folders = new Set([...projectPolicyPlaces(root).map(place => dirname(place)), join(root, 'policies')])
  return [...folders].flatMap(folder => listFolder(folder).map(name => join(folder, name)))
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => /\.test\.ya?ml$/.test(name))
  } catch {
    return []
  }
}
