// The permissions of policies, for callers in the same process.
import type { GenesisPolicy } from '../../policy/genesis/genesis-policy.ts'
import type { JudgeCall } from '../guard-call.ts'
import { createLibraryContexts } from '../library-ports.ts'
import { createRuleJudge } from '../rule-judge.ts'

const DECISIONS_KEPT = 1024

/** `root`: the project that relative patterns are about. */
export function createPolicyJudge(policies: readonly GenesisPolicy[], root: string): JudgeCall {
  return createRuleJudge(policies, createLibraryContexts(root, policies.length > 0), { cacheSize: DECISIONS_KEPT }).judge
}
