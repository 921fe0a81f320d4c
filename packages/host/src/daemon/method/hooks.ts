// All fifteen, by name.
import type { SkillBook } from '../../state/skill.ts'
import type { Decide } from '../hook-call.ts'
import { createHookMethod, type HookMethod, type HookOutcome } from './hook-method.ts'
import { answerConfigChange } from './hooks-config-change.ts'
import { answerNotification } from './hooks-notification.ts'
import { answerPermissionRequest } from './hooks-permission-request.ts'
import { answerPostToolUse } from './hooks-post-tool-use.ts'
import { answerPostToolUseFailure } from './hooks-post-tool-use-failure.ts'
import { answerPreCompact } from './hooks-pre-compact.ts'
import { answerPreToolUse } from './hooks-pre-tool-use.ts'
import { answerSessionEnd } from './hooks-session-end.ts'
import { answerSessionStart } from './hooks-session-start.ts'
import { answerStop } from './hooks-stop.ts'
import { answerSubagentStart } from './hooks-subagent-start.ts'
import { answerSubagentStop } from './hooks-subagent-stop.ts'
import { answerTaskCompleted } from './hooks-task-completed.ts'
import { answerTeammateIdle } from './hooks-teammate-idle.ts'
import { answerUserPrompt } from './hooks-user-prompt.ts'

export function createHookMethods(decide: Decide, skills: SkillBook): readonly (readonly [string, HookMethod])[] {
  const method = (name: string, event: string, answer: (outcome: HookOutcome) => Readonly<Record<string, unknown>>) =>
    [`hooks.${name}`, createHookMethod(decide, event, answer)] as const
  return [
    method('sessionStart', 'SessionStart', outcome => answerSessionStart(outcome, skills)),
    method('sessionEnd', 'SessionEnd', answerSessionEnd),
    method('preCompact', 'PreCompact', answerPreCompact),
    method('preToolUse', 'PreToolUse', answerPreToolUse),
    method('postToolUse', 'PostToolUse', answerPostToolUse),
    method('postToolUseFailure', 'PostToolUseFailure', answerPostToolUseFailure),
    method('stop', 'Stop', answerStop),
    method('userPrompt', 'UserPromptSubmit', answerUserPrompt),
    method('notification', 'Notification', answerNotification),
    method('permissionRequest', 'PermissionRequest', answerPermissionRequest),
    method('teammateIdle', 'TeammateIdle', answerTeammateIdle),
    method('taskCompleted', 'TaskCompleted', answerTaskCompleted),
    method('subagentStart', 'SubagentStart', outcome => answerSubagentStart(outcome, skills)),
    method('subagentStop', 'SubagentStop', answerSubagentStop),
    method('configChange', 'ConfigChange', answerConfigChange),
  ]
}
