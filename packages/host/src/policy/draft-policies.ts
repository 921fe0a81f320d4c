// The policies of a project with others in the place of those that hold there, as trusted as if a person had accepted them.
import type { GenesisPolicy } from '@belay/core/policy'
import { type LoadedPolicies, type PolicyFile, type PolicyOwner, policiesOf, underTeam } from '../config/genesis.ts'

export function replacePolicy(loaded: LoadedPolicies, owner: PolicyOwner, policy: GenesisPolicy): LoadedPolicies {
  return replacePolicies(loaded, owner, [policy])
}

/** A team has several files. */
export function replacePolicies(loaded: LoadedPolicies, owner: PolicyOwner, policies: readonly GenesisPolicy[]): LoadedPolicies {
  const drafts = policies.map(
    (policy): PolicyFile => ({ path: policy.file, owner, policy, unaccepted: null, change: null, errors: [], warnings: [] }),
  )
  const given = [...loaded.files.filter(file => file.owner !== owner), ...drafts]
  const hasTeam = given.some(file => file.owner === 'team')
  const files = ORDER.flatMap(each => given.filter(file => file.owner === each)).map(file =>
    hasTeam && file.owner !== 'team' ? underTeam(file) : file,
  )
  return { ...loaded, files, policies: policiesOf(files), locked: files.find(file => file.policy === null)?.errors[0] ?? null }
}

const ORDER: readonly PolicyOwner[] = ['team', 'system', 'user', 'project']
