// The policies of a project with one file in the place of the one that holds there, as trusted as if a person had accepted it.
import type { GenesisPolicy } from '@belay/core/policy'
import { type LoadedPolicies, type PolicyOwner, policiesOf } from '../config/genesis.ts'

export function replacePolicy(loaded: LoadedPolicies, owner: PolicyOwner, policy: GenesisPolicy): LoadedPolicies {
  const project = { path: policy.file, owner, policy, unaccepted: null, change: null, errors: [], warnings: [] }
  const others = loaded.files.filter(file => file.owner !== owner)
  const files = ORDER.flatMap(each => (each === owner ? [project] : others.filter(file => file.owner === each)))
  return { ...loaded, files, policies: policiesOf(files), locked: files.find(file => file.policy === null)?.errors[0] ?? null }
}

const ORDER: readonly PolicyOwner[] = ['team', 'system', 'user', 'project']
