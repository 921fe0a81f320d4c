// final_validation: an agent that wants to stop must have finished. The config is a completion contract: files, checks, commitments.
// config: {required_files, checks: {name: true}, commands, conditions, mentu: {enabled, commitments: {min_count, require_closed,
// require_evidence}}, max_iterations}
import { deny, none } from '../../verdict/verdict.ts'
import { answered, type Builtin, type BuiltinCall, noPort } from './builtin.ts'
import { type Config, flagIn, mapIn, numberIn, textsIn } from './config-value.ts'
import type { ValidationPlan } from './ports.ts'

export const finalValidationBuiltin: Builtin = {
  schema: {
    required_files: { type: 'texts' },
    checks: { type: 'map', values: { type: 'flag' } },
    commands: { type: 'texts' },
    conditions: { type: 'texts' },
    mentu: {
      type: 'object',
      fields: {
        enabled: { type: 'flag' },
        commitments: {
          type: 'object',
          fields: {
            mode: { type: 'text' },
            min_count: { type: 'count' },
            require_closed: { type: 'flag' },
            require_evidence: { type: 'flag' },
          },
        },
      },
    },
    max_iterations: { type: 'count' },
  },
  async run(call) {
    const { config, event, ports } = call
    if (ports.validator === undefined) return noPort(call, 'a validator')
    const problems = await ports.validator.validate({
      requiredFiles: textsIn(config, 'required_files'),
      commands: textsIn(config, 'commands'),
      checks: Object.keys(mapIn(config, 'checks')).filter(name => flagIn(mapIn(config, 'checks'), name, false)),
      commitments: commitmentsOf(config),
      maxIterations: numberIn(config, 'max_iterations'),
      alsoWrong: failedConditions(call),
      event,
    })
    if (problems.length === 0) return answered({ verdict: none() })
    return answered({ verdict: deny(`Not finished yet:\n${problems.map(problem => `- ${problem}`).join('\n')}`) })
  },
}

/** One that cannot be told counts as failed: the work is not known to be finished. */
function failedConditions({ config, event, ports }: BuiltinCall): readonly string[] {
  return textsIn(config, 'conditions').flatMap(condition => {
    const outcome = ports.evaluateCondition?.(condition, event) ?? { ok: false, why: 'there is nobody to evaluate it' }
    if (outcome.ok) return outcome.value ? [] : [`this must be true: ${condition}`]
    return [`this cannot be told: ${condition} (${outcome.why})`]
  })
}

function commitmentsOf(config: Config): ValidationPlan['commitments'] {
  const mentu = mapIn(config, 'mentu')
  if (mentu.commitments === undefined || !flagIn(mentu, 'enabled', true)) return null
  const wanted = mapIn(mentu, 'commitments')
  return {
    minCount: numberIn(wanted, 'min_count') ?? 0,
    requireClosed: flagIn(wanted, 'require_closed', false),
    requireEvidence: flagIn(wanted, 'require_evidence', false),
  }
}
