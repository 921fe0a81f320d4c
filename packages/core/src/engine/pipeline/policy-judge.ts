// The permissions of policies, for callers in the same process. Rules are compiled once per actor.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createFileView } from '../../match/path/node-file-view.ts'
import { compileRules } from '../../policy/compile-rules.ts'
import { createJudge, type Judge } from '../../policy/create-judge.ts'
import { effectivePermissions } from '../../policy/genesis/effective-permissions.ts'
import type { GenesisPolicy } from '../../policy/genesis/genesis-policy.ts'
import type { JudgeCall } from '../guard-call.ts'

const DECISIONS_KEPT = 1024

/** `root`: the project that relative patterns are about. */
export function createPolicyJudge(policies: readonly GenesisPolicy[], root: string): JudgeCall {
  const home = homedir()
  const belayHome = process.env.BELAY_HOME ?? join(home, '.belay')
  const context = { root, home, belayHome, files: createFileView(), selfProtection: policies.length > 0 }
  const judges = new Map<string, Judge>()
  return (call, event) => {
    let judge = judges.get(event.actor)
    if (judge === undefined) {
      judge = createJudge(compileRules(effectivePermissions(policies, event.actor)), { cacheSize: DECISIONS_KEPT })
      judges.set(event.actor, judge)
    }
    return judge(call, { ...context, cwd: event.cwd })
  }
}
