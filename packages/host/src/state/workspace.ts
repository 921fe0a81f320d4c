// The part of a project that a directory lies in: the nearest folder with a manifest of its own.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'pom.xml', 'build.gradle', 'composer.json', 'Gemfile']

/** Relative to the root; null: the project is one whole. */
export function findWorkspace(directory: string, root: string): string | null {
  for (let folder = directory; folder.startsWith(`${root}/`); folder = dirname(folder)) {
    if (MANIFESTS.some(name => existsSync(join(folder, name)))) return relative(root, folder)
  }
  return null
}
