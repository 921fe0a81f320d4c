// Every event there is: those that can decide have a file of their own, those that are only watched are rows here.
// An event name that is not in this table is carried through, recorded, and decides nothing.
import { configChange } from './config-change.ts'
import { elicitation } from './elicitation.ts'
import { elicitationResult } from './elicitation-result.ts'
import { type EventEnd, type EventGate, type EventSpec, observeEvent } from './event-spec.ts'
import type { FieldValues } from './field.ts'
import { toSnakeCase } from './key-case.ts'
import { permissionRequest } from './permission-request.ts'
import { postModel } from './post-model.ts'
import { postToolBatch } from './post-tool-batch.ts'
import { postToolUse } from './post-tool-use.ts'
import { postToolUseFailure } from './post-tool-use-failure.ts'
import { preCompact } from './pre-compact.ts'
import { preModel } from './pre-model.ts'
import { preModelSwitch } from './pre-model-switch.ts'
import { preToolUse } from './pre-tool-use.ts'
import { stop } from './stop.ts'
import { subagentStop } from './subagent-stop.ts'
import { taskCompleted } from './task-completed.ts'
import { taskCreated } from './task-created.ts'
import { teammateIdle } from './teammate-idle.ts'
import { userPromptExpansion } from './user-prompt-expansion.ts'
import { userPromptSubmit } from './user-prompt-submit.ts'
import { worktreeCreate } from './worktree-create.ts'

const DECIDING = [
  preToolUse,
  permissionRequest,
  postToolUse,
  postToolUseFailure,
  postToolBatch,
  userPromptSubmit,
  userPromptExpansion,
  stop,
  subagentStop,
  preCompact,
  configChange,
  taskCreated,
  taskCompleted,
  teammateIdle,
  elicitation,
  elicitationResult,
  preModelSwitch,
  worktreeCreate,
  preModel,
  postModel,
] as const

const OBSERVED = [
  observeEvent({
    name: 'SessionStart',
    fields: {
      source: 'string?',
      sessionTitle: 'string?',
      secondsSinceLastResponse: 'number?',
      contextTokens: 'number?',
      promptCacheLikelyExpired: 'boolean?',
      estimatedCacheWriteUsd: 'number?',
    },
    matchField: 'source',
    injects: true,
  }),
  observeEvent({ name: 'SessionEnd', fields: { reason: 'string?' }, matchField: 'reason' }),
  observeEvent({ name: 'Setup', fields: { trigger: 'string?' }, matchField: 'trigger', injects: true }),
  observeEvent({
    name: 'PermissionDenied',
    fields: { toolName: 'string?', toolInput: 'object?', toolUseId: 'string?', reason: 'string?' },
    matchField: 'toolName',
  }),
  observeEvent({
    name: 'StopFailure',
    fields: { error: 'value?', errorDetails: 'value?', lastAssistantMessage: 'string?' },
    matchField: 'error',
  }),
  observeEvent({ name: 'SubagentStart', fields: { agentId: 'string?', agentType: 'string?' }, matchField: 'agentType', injects: true }),
  observeEvent({ name: 'PostCompact', fields: { trigger: 'string?', compactSummary: 'string?' }, matchField: 'trigger' }),
  observeEvent({
    name: 'Notification',
    fields: { message: 'string?', notificationType: 'string?', title: 'string?' },
    matchField: 'notificationType',
    injects: true,
  }),
  observeEvent({
    name: 'MessageDisplay',
    fields: { turnId: 'string?', messageId: 'string?', index: 'number?', final: 'boolean?', delta: 'string?' },
    matchField: null,
    rewrites: { output: 'delta' },
  }),
  observeEvent({
    name: 'InstructionsLoaded',
    fields: {
      filePath: 'string?',
      memoryType: 'string?',
      loadReason: 'string?',
      globs: 'array?',
      triggerFilePath: 'string?',
      parentFilePath: 'string?',
    },
    matchField: 'loadReason',
  }),
  observeEvent({ name: 'CwdChanged', fields: { oldCwd: 'string?', newCwd: 'string?' }, matchField: null }),
  observeEvent({
    name: 'FileChanged',
    fields: { filePath: 'string?', event: 'string?' },
    matchField: 'filePath',
    matchAs: 'file-name',
  }),
  observeEvent({ name: 'DirectoryAdded', fields: { directory: 'string?', source: 'string?' }, matchField: 'source' }),
  observeEvent({ name: 'PostModelSwitch', fields: preModelSwitch.fields, matchField: 'toModel', injects: true }),
  // The choice of tools can be narrowed by replacing the request.
  observeEvent({ name: 'PreToolSelection', fields: { llmRequest: 'object?' }, matchField: null, rewrites: { input: 'llmRequest' } }),
  observeEvent({ name: 'WorktreeRemove', fields: { worktreePath: 'string?' }, matchField: null }),
] as const

type KnownSpec = (typeof DECIDING)[number] | (typeof OBSERVED)[number]

export type EventName = KnownSpec['name']

type SpecOf<N extends EventName> = Extract<KnownSpec, { readonly name: N }>

/** The event's own fields, typed from its row. */
export type EventPayload<N extends EventName> = FieldValues<SpecOf<N>['fields']>

export const EVENTS: readonly EventSpec[] = [...DECIDING, ...OBSERVED]

const BY_NAME = new Map<string, EventSpec>(
  EVENTS.flatMap(spec => [spec.name, ...(spec.aliases ?? [])].flatMap(name => [[name, spec] as const, [toSnakeCase(name), spec] as const])),
)

/** Finds an event by its name, its snake_case spelling (genesis.key) or an alias; null: nobody here knows it. */
export function findEvent(name: string): EventSpec | null {
  return BY_NAME.get(name) ?? null
}

/** What waits for the answer to this event; null: nothing, or nobody here knows the event. */
export function gateOf(name: string): EventGate | null {
  return BY_NAME.get(name)?.gate ?? null
}

/** Where a failure of ours is a refusal: a tool would run unjudged, or settings that switch us off would hold. */
export function refusesOnFailure(name: string): boolean {
  const gate = gateOf(name)
  return gate === 'tool' || gate === 'settings'
}

/** What is over when this event comes; null: nothing that anybody waited for. */
export function endOf(name: string): EventEnd | null {
  return BY_NAME.get(name)?.ends ?? null
}

export function canonicalEventName(name: string): string {
  return BY_NAME.get(name)?.name ?? name
}
