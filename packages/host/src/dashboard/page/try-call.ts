// page.try: one call against the policy on screen. Rules judge it; hooks are only named, since running them would act on the world.
import { formatPlace, type RegisteredHook, wouldRun } from '@belay/core'
import type { Tried, TriedCall } from '../../page/policy.ts'
import { toolEvent } from '../../policy/recorded-call.ts'
import { textIn } from '../../statistic/read-fields.ts'
import type { DraftPolicy } from './draft-policy.ts'
import { judgedParts, judgedRule } from './record-part.ts'
import { reasonOf } from './rejudge.ts'

export function tryCall({ guard, lint, isBroken }: DraftPolicy, { actor, tool, input, cwd }: TriedCall): Tried {
  const call = { tool, input }
  const event = toolEvent({ call, actor, cwd: cwd ?? guard.root })
  const judgement = guard.judge(call, event)
  const { verdict, rule, decidedBy, parser } = judgement
  const reason = decidedBy?.reason ?? reasonOf(verdict)
  return {
    verdict: verdict.decision,
    reason: isBroken ? `the text has errors, so the policy in force decided: ${reason}` : reason,
    rule: judgedRule(rule),
    command: textIn(input.command),
    parts: judgedParts(judgement),
    parser,
    hooks: wouldRun(guard.engine.registry, event).map(describeHook),
    lint,
  }
}

function describeHook({ label, scope, definition }: RegisteredHook): Tried['hooks'][number] {
  const { handler, place } = definition
  return {
    name: label,
    scope,
    type: handler.type === 'builtin' ? handler.builtin : handler.type,
    place: place === undefined ? null : formatPlace(place),
  }
}
