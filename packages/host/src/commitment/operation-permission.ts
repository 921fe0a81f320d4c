// Who may do which operation: grants of genesis 1.0, and rules such as `mentu_approve(*)` of 2.0 judged like any call.
import type { HookEvent } from '@belay/core'
import { bestActorMatch, type GenesisPolicy, matchesActor } from '@belay/core/policy'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { OperationRequest } from './operation.ts'
import { isPerson } from './transition.ts'

export interface PermissionCase {
  readonly request: OperationRequest
  readonly policies: readonly GenesisPolicy[]
  readonly guard: Pick<ProjectGuard, 'judge'>
}

/** Why not; null: nothing stands against it. */
export function refuseOperation(given: PermissionCase): string | null {
  return refuseByGrants(given.policies, given.request) ?? refuseByRules(given)
}

/** 1.0 called some of them otherwise. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { release: ['unclaim'], close: ['close_direct'] }

function refuseByGrants(policies: readonly GenesisPolicy[], { name, actor }: OperationRequest): string | null {
  const names = [name, ...(OTHER_NAMES[name] ?? [])]
  for (const { operations, permissions, file } of policies) {
    const concerning = operations.filter(grant => names.includes(grant.operation))
    if (concerning.some(grant => grant.effect === 'deny' && isFor(grant.actor, actor))) {
      return `${actor} may not ${name} (${file})`
    }
    const allowing = concerning.filter(grant => grant.effect === 'allow')
    if (allowing.some(grant => isFor(grant.actor, actor))) continue
    // Where operations are listed by actor, what is not listed is not granted.
    const byActor = permissions?.actors.filter(block => operations.some(grant => grant.actor === block.actor)) ?? []
    if (allowing.length > 0 || byActor.length > 0) return `${actor} may not ${name}: ${grantedTo(allowing, actor, byActor)} (${file})`
  }
  return null
}

/** In 1.0 a name has no kind: `alice` is whoever bears it. */
function isFor(granted: string, actor: string): boolean {
  return matchesActor(granted, actor) || (!granted.includes(':') && granted === actor.slice(actor.indexOf(':') + 1))
}

function grantedTo(allowing: readonly { readonly actor: string }[], actor: string, blocks: readonly { readonly actor: string }[]): string {
  if (allowing.length > 0) return `only ${[...new Set(allowing.map(grant => grant.actor))].join(', ')} may`
  return bestActorMatch(blocks, actor) === null ? 'the policy grants it nothing' : 'it is not among its operations'
}

function refuseByRules({ request, policies, guard }: PermissionCase): string | null {
  const { name, actor, target, text, root } = request
  const tool = `mentu_${name}`
  const event: HookEvent = {
    name: 'PreToolUse',
    sessionId: 'operation',
    cwd: root,
    transcriptPath: null,
    permissionMode: null,
    actor,
    agent: 'belay',
    commitment: target,
    fields: { toolName: tool, toolInput: { argument: target ?? text ?? '' } },
    env: {},
  }
  const { verdict } = guard.judge({ tool, input: { argument: target ?? text ?? '' } }, event)
  if (verdict.decision === 'deny') return verdict.reason
  // A person who is asked is there: the command is the answer.
  if (verdict.decision !== 'ask' || isPerson(actor)) return null
  if (verdict.origin !== 'default') return `${verdict.reason ?? 'the policy asks'}: a person has to ${name} this`
  // No rule speaks of it; but what is granted to some is not for everybody.
  const granted = policies.flatMap(policy => grantees(policy, tool))
  return granted.length === 0 ? null : `${actor} may not ${name}: ${granted.join(', ')} may`
}

function grantees({ permissions, trusted }: GenesisPolicy, tool: string): readonly string[] {
  if (!trusted) return []
  return permissions?.actors.filter(block => block.allow.some(rule => rule.tools.includes(tool))).map(block => block.actor) ?? []
}
