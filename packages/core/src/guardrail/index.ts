// @belay/core/guardrail: the catalogue of guardrails, in code.
export { type ClassifiedCall, classifyCall, type SideEffectClass } from './classify-call.ts'
export type { ConfigProblem } from './config-reader.ts'
export { checkGuardrail, createGuardrails, findGuardrail, GUARDRAILS, type GuardrailOptions, modeOf } from './create-guardrails.ts'
export { GUARDRAIL_NAMES, type GuardrailConfig, type GuardrailMode, type GuardrailName, type GuardrailSettings } from './guardrail.ts'
export type {
  ArtifactFile,
  ArtifactFiles,
  CallEnding,
  GuardrailPorts,
  HarnessPort,
  HarnessState,
  KnownCall,
  LoggedCall,
  ReplayPolicy,
  SchemaTest,
  SkillDocument,
  SkillPort,
  ToolCallLog,
} from './guardrail-ports.ts'
export { scoreSkills } from './score-skills.ts'
