// deny: what its matcher fits is refused. config: {reason}
import { deny } from '../../verdict/verdict.ts'
import { answered, type Builtin } from './builtin.ts'
import { textIn } from './config-value.ts'

export const denyBuiltin: Builtin = {
  schema: { reason: { type: 'text' } },
  run: ({ config, hook }) => answered({ verdict: deny(textIn(config, 'reason', `denied by ${hook.name ?? 'policy'}`)) }),
}
