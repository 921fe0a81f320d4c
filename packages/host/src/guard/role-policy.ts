// What the policies of a project say about roles: which names they know, and which sub-agents an actor may launch by name.

import { toolFamily } from '@belay/core/match'
import { effectivePermissions, type GenesisPolicy, type Judgement, matchesActor, type Rule, type ToolCall } from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import type { RolePolicy } from './identity.ts'

const LAUNCHES_KEPT = 256

type JudgeAs = (call: ToolCall, actor: string) => Judgement

export function createRolePolicy(policies: readonly GenesisPolicy[], judgeAs: JudgeAs): RolePolicy {
  const known = new BoundedMap<string, boolean>(LAUNCHES_KEPT)
  return {
    namesActor: actor => policies.some(({ permissions }) => permissions?.actors.some(block => namesActor(block.actor, actor)) ?? false),
    launches(type, actor) {
      const key = `${actor}\n${type}`
      const before = known.get(key)
      if (before !== undefined) return before
      const isLaunched = effectivePermissions(policies, actor).allow.some(rule => namesType(rule, type)) && isAllowed(judgeAs, type, actor)
      known.set(key, isLaunched)
      return isLaunched
    },
  }
}

/** A glob that would match every agent does not name this one. */
function namesActor(pattern: string, actor: string): boolean {
  return pattern !== '*' && pattern !== 'agent:*' && matchesActor(pattern, actor)
}

/** `Task(executor)` names it; `Task(*)`, `Task(exec*)` and `Task` do not. */
function namesType({ tools, spec }: Rule, type: string): boolean {
  if (spec === null || !tools.some(tool => toolFamily(tool) === 'task')) return false
  const isOfType = spec.kind === 'text' || (spec.kind === 'parameter' && spec.name === 'subagent_type')
  return isOfType && spec.pattern === type && !/[*?]/.test(type)
}

/** Nothing stands against it: a deny or ask rule may name it too. */
function isAllowed(judgeAs: JudgeAs, type: string, actor: string): boolean {
  return judgeAs({ tool: 'Task', input: { subagent_type: type, prompt: '', description: '' } }, actor).verdict.decision === 'allow'
}
