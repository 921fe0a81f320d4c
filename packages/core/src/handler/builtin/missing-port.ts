// What a built-in hook needs of its host, known before it runs: one that can only fail there is refused when it is registered.
import type { BuiltinName, HookDefinition } from '../../hook/hook-definition.ts'
import { type Config, flagIn, mapIn, textIn } from './config-value.ts'
import type { BuiltinPorts } from './ports.ts'

/** What is missing, and what to do about it; null: the hook can work here. */
export function missingPort({ handler }: HookDefinition, ports: BuiltinPorts): string | null {
  if (handler.type !== 'builtin') return null
  const { builtin, config } = handler
  const missing = (NEEDS[builtin]?.(config) ?? []).find(({ port }) => ports[port] === undefined)
  if (missing !== undefined) return `${builtin} needs ${missing.what}`
  const isUnknown = builtin === 'final_validation' && asksForCommitments(config) && ports.validator?.knowsCommitments === false
  return isUnknown ? `${builtin} asks for commitments, which only the daemon keeps: ${DAEMON}` : null
}

interface Need {
  readonly port: keyof BuiltinPorts
  readonly what: string
}

const DAEMON = 'let the daemon decide (`gate: createDaemonGate()`)'
const LEDGER = `a ledger: give the pipeline \`record: createSpoolRecorder()\`, or ${DAEMON}`

const NEEDS: Readonly<Partial<Record<BuiltinName, (config: Config) => readonly Need[]>>> = {
  genesis_enforcement: () => [{ port: 'judgeEvent', what: 'the permissions of a policy: give the pipeline `policies`' }],
  evidence_capture: config => (flagIn(config, 'ledger', false) ? [{ port: 'evidence', what: LEDGER }] : []),
  ledger_annotation: () => [{ port: 'annotator', what: LEDGER }],
  approval_gate: config => [
    { port: 'approvals', what: `somebody to ask: pass \`approvals\` in \`builtins\`, or ${DAEMON}` },
    ...(textIn(config, 'condition') === undefined ? [] : [{ port: 'evaluateCondition' as const, what: 'conditions' }]),
  ],
  input_sanitization: config =>
    flagIn(config, 'redact', false) ? [{ port: 'redactText', what: 'a redactor of secrets: pass `redactText` in `builtins`' }] : [],
  final_validation: () => [{ port: 'validator', what: `a validator: pass \`validator\` in \`builtins\`, or ${DAEMON}` }],
}

function asksForCommitments(config: Config): boolean {
  const mentu = mapIn(config, 'mentu')
  return mentu.commitments !== undefined && flagIn(mentu, 'enabled', true)
}
