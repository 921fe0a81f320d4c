// @belay/core: the engine in process. Policy, matching, the ledger and adapters have subpaths of their own.
export { type HookFileFormat, type LoadedHooks, loadHooks } from './dialect/load-hooks.ts'
export { createHooks, type FireByName, type Hooks, type HooksOptions, type OnOptions } from './engine/create-hooks.ts'
export { type BatchOptions, createEngine, type Engine, type EngineOptions, type Fire } from './engine/engine.ts'
export type { FireOptions, Observer, RunHandler, RunOptions } from './engine/engine-parts.ts'
export type {
  AttributedEvidence,
  DroppedAnswer,
  FireResult,
  HookRun,
  Rewrite,
  RunReport,
  SkippedHook,
  SkipReason,
} from './engine/fire-result.ts'
export { type GuardedCall, guardCall, type JudgeCall } from './engine/guard-call.ts'
export { HookEvent, HookRegistry, HookResult, PermissionDecision, type RunContext } from './engine/hook-registry.ts'
export type { Caller } from './engine/make-event.ts'
export type { BeforeTool, EndedTool } from './engine/pipeline/around-tool.ts'
export { createToolPipeline, type ToolPipeline, type ToolPipelineOptions } from './engine/pipeline/create-tool-pipeline.ts'
export { createGate, type Gate } from './engine/pipeline/gate.ts'
export type { Lifecycle, Passage, PromptPassage } from './engine/pipeline/lifecycle.ts'
export type { Approval, ApprovalRequest, Approve, CallOptions, HookExecuted, Recorder } from './engine/pipeline/pipeline-parts.ts'
export { type ActiveGuardrail, guardrailHooks, type InPlaceOf, listGuardrails } from './engine/pipeline/policy-guardrails.ts'
export { createPolicyJudge } from './engine/pipeline/policy-judge.ts'
export {
  renderToolResult,
  type StandardSchema,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolResult,
  type ToolStatus,
} from './engine/pipeline/tool.ts'
export { type ContextOf as JudgeContextOf, createRuleJudge, type RuleJudge } from './engine/rule-judge.ts'
export { createCallMatcher, createRulePorts, judgeEventBy } from './engine/rule-ports.ts'
export type { Progress, StreamOptions } from './engine/stream.ts'
export type { ContextOf, HookableEvent, HookFunction, LibraryMatcher, PayloadOf, Registration } from './engine/typed-context.ts'
export { wouldRun } from './engine/would-run.ts'
export type { EventEnd, EventGate, EventSpec, FailureRule, GateDecision, RewriteTarget } from './event/event-spec.ts'
export { eventJsonSchema, type FieldSchema, type ObjectSchema } from './event/json-schema.ts'
export { type EventBody, type ParsedPayload, type PayloadProblem, parseEventPayload } from './event/parse-payload.ts'
export { canonicalEventName, EVENTS, type EventName, type EventPayload, endOf, findEvent, gateOf } from './event/table.ts'
export { toWirePayload } from './event/wire-payload.ts'
export { type ClassifiedCall, classifyCall, type SideEffectClass } from './guardrail/classify-call.ts'
export {
  checkGuardrail,
  createGuardrails,
  findGuardrail,
  GUARDRAILS,
  type GuardrailOptions,
  modeOf,
} from './guardrail/create-guardrails.ts'
export type {
  GuardrailConfig,
  GuardrailMode,
  GuardrailName,
  GuardrailSettings,
} from './guardrail/guardrail.ts'
export type * from './guardrail/guardrail-ports.ts'
export { createMemoryPort, type MemoryPort } from './guardrail/session-memory.ts'
export { recordsEvidence } from './handler/builtin/evidence-capture.ts'
export type {
  Annotation,
  Annotator,
  ApprovalAnswer,
  ApprovalPort,
  ApprovalQuestion,
  BuiltinPorts,
  CapturedEvidence,
  EvidenceSink,
  HookRef,
  ValidationPlan,
  Validator,
} from './handler/builtin/ports.ts'
export { validateBuiltinConfig } from './handler/builtin/run-builtin.ts'
export { hasVariable, type ProcessEntry, readProcess, readProcesses } from './handler/command/process-table.ts'
export { type BegunCall, type BegunCalls, callKey, createBegunCalls } from './handler/evidence/begun-calls.ts'
export { type CompareTexts, describeChange, type FileChange } from './handler/evidence/describe-change.ts'
export { type FileImage, imageOfText, readFileImage } from './handler/evidence/file-image.ts'
export { shellChanges } from './handler/evidence/shell-changes.ts'
export { touchedFiles } from './handler/evidence/touched-files.ts'
export type { HandlerOptions } from './handler/handler-options.ts'
export { type AiSdkOptions, createAiSdkModel, LLM_PROVIDERS, type LlmProviderName } from './handler/llm/ai-sdk-model.ts'
export { createLlmProvider, type LlmProviderOptions, type SpendBook } from './handler/llm/create-llm-provider.ts'
export type { LookTool } from './handler/llm/look-tools.ts'
export type { Model, ModelCall, ModelReply } from './handler/llm/model.ts'
export type { Price, Prices } from './handler/llm/price.ts'
export type { LlmAnswer, LlmProvider, LlmRequest } from './handler/llm.ts'
export { loadRunners, runHandler } from './handler/run-handler.ts'
export { runFileSuggestion, runStatusLine, type SettingCommandOptions } from './handler/setting-command.ts'
export { createFileValidator, type FileValidatorOptions } from './handler/validation/file-validator.ts'
export { type CheckOptions, runCheck } from './handler/validation/run-check.ts'
export { BelayError, ERRORS, type ErrorCode } from './hook/errors.ts'
export { GUARDRAIL_NAMES } from './hook/guardrail-names.ts'
export type { HookAnswer, HookContext, InlineAnswer, InlineHandler } from './hook/hook-context.ts'
export type * from './hook/hook-definition.ts'
export type { Delivery } from './hook/hook-event.ts'
export type { CancelReason, Evidence, HandlerRun, ModelUsage, Outcome, RunDetail } from './hook/hook-result.ts'
export { labelHook } from './hook/label-hook.ts'
export { receiptOf } from './hook/receipt.ts'
export { createDaemonGate, type DaemonGateOptions } from './host/daemon-gate.ts'
export { createSpoolRecorder, type SpoolRecorderOptions } from './host/spool-recorder.ts'
export type { Batch, HookSettings, LeftOutReason, Plan } from './registry/plan.ts'
export type { ConditionOutcome, HookMatchInput, HookPorts, RegisteredHook } from './registry/registered-hook.ts'
export { createRegistry, type Registry, type Undo } from './registry/registry.ts'
export type { ConfigProblem } from './value/config-problem.ts'
export { type Diagnostic, formatPlace, type Place, type Severity } from './verdict/place.ts'
export { type AskOrigin, allow, ask, type Decision, deny, fold, none, stricter, type Verdict } from './verdict/verdict.ts'
