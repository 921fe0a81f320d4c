// genesis_enforcement: the permissions of the policy, judged at this place in the order. They are judged on the final input in any case.
import { answered, type Builtin, noPort } from './builtin.ts'

export const genesisEnforcementBuiltin: Builtin = {
  schema: {},
  async run(call) {
    const { judgeEvent } = call.ports
    if (judgeEvent === undefined) return noPort(call, 'a policy to judge by')
    return answered({ verdict: await judgeEvent(call.event), isByRules: true })
  },
}
