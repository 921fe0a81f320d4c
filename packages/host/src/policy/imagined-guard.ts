// The guard of policies in a project that exists nowhere, so that what is asked of it means the same on every machine. It is the guard of
// every other door, with hooks that would touch the world left out.
import { type FileView, virtualFileView } from '@belay/core/match'
import type { GenesisPolicy } from '@belay/core/policy'
import { dryRun } from '../guard/dry-run.ts'
import { buildGuard } from '../guard/load-guard.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { createDryWorld } from '../guardrail/guardrail-world.ts'

export const IMAGINED_ROOT = '/repo'
export const IMAGINED_HOME = '/home/dev'

export interface ImaginedPlace {
  /** Symbolic links: a path of the project to what it leads to. */
  readonly links?: Readonly<Record<string, string>>
  /** For whoever only asks whether calls are let through, not why. */
  readonly stopsAtRefusal?: boolean
}

export function imaginedGuard(
  policies: readonly GenesisPolicy[],
  { links = {}, stopsAtRefusal = false }: ImaginedPlace = {},
): ProjectGuard {
  const belayHome = `${IMAGINED_HOME}/.belay`
  const { sources, ports } = dryRun(
    {
      loaded: { root: IMAGINED_ROOT, files: [], policies, locked: null, trustProblem: null },
      hooks: [],
      hookFiles: [],
      settings: {},
      diagnostics: [],
      changes: [],
      observesOnly: false,
    },
    false,
  )
  const place = { home: belayHome, etc: '/etc/belay', env: { HOME: IMAGINED_HOME } }
  const guardrails = createDryWorld({ belayHome, userHome: IMAGINED_HOME })
  return buildGuard(sources, place, { config: {}, files: imaginedFiles(links), ports, guardrails, llm: null, stopsAtRefusal })
}

function imaginedFiles(links: Readonly<Record<string, string>>): FileView {
  const view = virtualFileView({ root: IMAGINED_ROOT, links })
  if (!view.ok) throw new Error(view.problem)
  return view.files
}
