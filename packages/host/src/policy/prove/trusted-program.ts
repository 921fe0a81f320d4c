// Programs that allow rules let run and that do what files or packages say: a search over commands cannot see into those.
import { effectivePermissions, type GenesisPolicy } from '@belay/core/policy'

export interface TrustedProgram {
  readonly program: string
  readonly rule: string
  readonly why: string
}

const PROJECT = 'it runs code of the project'
const PACKAGES = 'it runs code of packages'

const WHY: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['npm', 'pnpm', 'yarn', 'bun', 'npx', 'pip', 'poetry', 'uv', 'cargo', 'go', 'gem', 'bundle', 'mvn', 'gradle', 'dotnet', 'composer'].map(
      name => [name, PACKAGES],
    ),
  ),
  ...Object.fromEntries(
    [
      'make',
      'node',
      'python',
      'python3',
      'deno',
      'ruby',
      'perl',
      'php',
      'pytest',
      'jest',
      'vitest',
      'tsx',
      'ts-node',
      'just',
      'rake',
      'tox',
      'bash',
      'sh',
    ].map(name => [name, PROJECT]),
  ),
  git: 'it runs hooks and filters that the repository configures',
  docker: 'it runs what an image holds',
}

export function trustedPrograms(policies: readonly GenesisPolicy[], actor: string): readonly TrustedProgram[] {
  const found = new Map<string, TrustedProgram>()
  for (const { spec, text } of effectivePermissions(policies, actor).allow) {
    const program = spec?.kind === 'command' ? (spec.pattern.split(' ')[0] ?? '') : ''
    const why = WHY[program]
    if (why !== undefined && !found.has(program)) found.set(program, { program, rule: text, why })
  }
  return [...found.values()]
}
