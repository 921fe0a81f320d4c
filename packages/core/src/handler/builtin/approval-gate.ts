// approval_gate: a person decides. Before a tool it asks; at a stop it holds the commitment, not the agent: the agent is told once and
// may stop then. config: {approvers, condition, reason, expiry_sec}
import { endOf, gateOf } from '../../event/table.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import { allow, ask, deny, none } from '../../verdict/verdict.ts'
import { answered, type Builtin, type BuiltinCall, noPort } from './builtin.ts'
import { numberIn, textIn, textsIn } from './config-value.ts'
import type { ApprovalAnswer } from './ports.ts'

export const approvalGateBuiltin: Builtin = {
  schema: { approvers: { type: 'texts' }, condition: { type: 'text' }, reason: { type: 'text' }, expiry_sec: { type: 'number' } },
  async run(call) {
    const { config, event, ports } = call
    const condition = textIn(config, 'condition')
    if (condition !== undefined) {
      if (ports.evaluateCondition === undefined) return noPort(call, 'conditions')
      const outcome = ports.evaluateCondition(condition, event)
      if (outcome.ok && !outcome.value) return answered({ verdict: none() })
    }
    if (ports.approvals === undefined) return noPort(call, 'a queue of approvals')
    const seconds = numberIn(config, 'expiry_sec')
    const reason = reasonOf(call)
    const expiryMs = seconds === null ? null : seconds * 1000
    return readApproval(call, reason, await ports.approvals.ask({ approvers: textsIn(config, 'approvers'), reason, expiryMs, event }))
  },
}

function reasonOf({ config }: BuiltinCall): string {
  const approvers = textsIn(config, 'approvers')
  return textIn(config, 'reason', approvers.length === 0 ? 'a person has to approve this' : `${approvers.join(' or ')} has to approve this`)
}

function readApproval({ event }: BuiltinCall, reason: string, answer: ApprovalAnswer): HandlerRun {
  switch (answer.state) {
    case 'approved':
      // Before a tool it lets the very call through, so that the agent does not ask once more.
      return answered(
        { verdict: gateOf(event.name) === 'tool' ? allow(`approved by ${answer.by}`) : none() },
        { notes: [`approved by ${answer.by}`] },
      )
    case 'not-needed':
      return answered({ verdict: none() })
    case 'ask-here':
      return answered({ verdict: ask(reason) })
    case 'rejected': {
      const words = `rejected by ${answer.by}${answer.reason === null ? '' : `: ${answer.reason}`}`
      return answered(answer.isNew ? { verdict: deny(words) } : { verdict: none(), message: words })
    }
    case 'pending': {
      const words = `${reason} (request ${answer.id}: belay approvals allow ${answer.id})`
      if (endOf(event.name) !== 'turn') return answered({ verdict: ask(words) })
      return answered(answer.isNew ? { verdict: deny(words) } : { verdict: none(), message: words })
    }
  }
}
