// The rules that hold for one actor, over all policy files.
// Invariants: no file can loosen what another forbids; an untrusted file, and any file beside the policy of a team, can only tighten.
import { createHash } from 'node:crypto'
import type { DefaultDecision, Permissions, Rule } from '../rule.ts'
import { bestActorMatch, matchesActor } from './actor-match.ts'
import type { ActorBlock, GenesisPolicy } from './genesis-policy.ts'
import { roleMessage } from './role-message.ts'

const STRICTNESS: readonly DefaultDecision[] = ['allow', 'none', 'ask', 'deny']

export function effectivePermissions(policies: readonly GenesisPolicy[], actor: string): Permissions {
  const matching = policies.flatMap(policy => matchingBlocks(policy, actor))
  return {
    allow: policies.flatMap(policy => allowRules(policy, actor)),
    ask: matching.flatMap(block => block.ask),
    deny: matching.flatMap(block => block.deny.map(rule => withRoleMessage(rule, actor, block))),
    default: strictestDefault(policies),
    hash: combinedHash(policies),
    untrusted: without(policies, actor, ({ trusted }) => !trusted),
    overruled: without(policies, actor, ({ trusted, isUnderTeam }) => trusted && isUnderTeam === true),
    declared: policies.flatMap(({ tools, trusted, isUnderTeam }) =>
      tools.map(({ name, as }) => ({ name, as, isTrusted: trusted && isUnderTeam !== true })),
    ),
  }
}

/** Which blocks speak to an actor: for two actors of the same text the same rules hold. */
export function actorKind(policies: readonly GenesisPolicy[], actor: string): string {
  const blocksOf = ({ permissions }: GenesisPolicy): string => {
    const actors = permissions?.actors ?? []
    const best = bestActorMatch(actors, actor)
    return actors.flatMap((block, at) => (matchesActor(block.actor, actor) ? [block === best ? `${at}!` : `${at}`] : [])).join(' ')
  }
  return policies.map(blocksOf).join('/')
}

/** One identity for several files: that of the one file, else of their hashes in order. */
export function combinedHash(policies: readonly GenesisPolicy[]): string {
  const [only] = policies
  if (only !== undefined && policies.length === 1) return only.hash
  return createHash('sha256')
    .update(policies.map(policy => policy.hash).join('\n'))
    .digest('hex')
}

function matchingBlocks(policy: GenesisPolicy, actor: string): readonly ActorBlock[] {
  return policy.permissions?.actors.filter(block => matchesActor(block.actor, actor)) ?? []
}

function allowRules(policy: GenesisPolicy, actor: string): readonly Rule[] {
  return mayAllow(policy) ? writtenAllow(policy, actor) : []
}

function mayAllow({ trusted, isUnderTeam }: GenesisPolicy): boolean {
  return trusted && isUnderTeam !== true
}

/** Files of this kind that would allow this actor something. */
function without(policies: readonly GenesisPolicy[], actor: string, isOfKind: (policy: GenesisPolicy) => boolean): readonly string[] {
  return policies.filter(policy => isOfKind(policy) && writtenAllow(policy, actor).length > 0).map(({ file }) => file)
}

function writtenAllow({ permissions }: GenesisPolicy, actor: string): readonly Rule[] {
  return permissions === null ? [] : (bestActorMatch(permissions.actors, actor)?.allow ?? [])
}

function strictestDefault(policies: readonly GenesisPolicy[]): DefaultDecision {
  const said = policies.flatMap(policy => (policy.permissions === null ? [] : [defaultOf(policy, policy.permissions.default)]))
  if (said.length === 0) return 'none'
  return said.reduce((strictest, each) => (STRICTNESS.indexOf(each) > STRICTNESS.indexOf(strictest) ? each : strictest))
}

function defaultOf(policy: GenesisPolicy, said: DefaultDecision): DefaultDecision {
  return said === 'allow' && !mayAllow(policy) ? 'none' : said
}

function withRoleMessage(rule: Rule, actor: string, block: ActorBlock): Rule {
  const message = rule.message ?? roleMessage(rule, actor, block.role)
  return message === null ? rule : { ...rule, message }
}
