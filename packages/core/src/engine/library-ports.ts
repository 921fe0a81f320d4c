// Where calls in this process are judged, and what hooks in code need of policy there.

import { homedir } from 'node:os'
import { join } from 'node:path'
import { createFileView } from '../match/path/node-file-view.ts'
import type { JudgeContext } from '../policy/judgement.ts'
import type { HookPorts } from '../registry/registered-hook.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import type { ContextOf } from './rule-judge.ts'
import { createRulePorts } from './rule-ports.ts'

const CONTEXTS_KEPT = 256

/** `root`: the project that relative patterns are about. One context for each directory: what a judge works out about a place, it keeps by it. */
export function createLibraryContexts(root: string, selfProtection: boolean): ContextOf {
  const home = homedir()
  const belayHome = process.env.BELAY_HOME ?? join(home, '.belay')
  const context = { root, home, belayHome, files: createFileView(), selfProtection }
  const kept = new BoundedMap<string, JudgeContext>(CONTEXTS_KEPT)
  return ({ cwd }) => {
    const known = kept.get(cwd)
    if (known !== undefined) return known
    const made = { ...context, cwd }
    kept.set(cwd, made)
    return made
  }
}

export function createLibraryPorts(root: string): Required<HookPorts> {
  return createRulePorts(createLibraryContexts(root, false))
}
