// Which event does what to the work. An event that is not here only shows that its agent lives.
import type { EventName } from '@belay/core'
import { configChange, notification, permissionRequest, postToolUseFailure } from './attention.ts'
import type { EventWork } from './event-work.ts'
import { preCompact } from './pre-compact.ts'
import { sessionEnd } from './session-end.ts'
import { sessionStart } from './session-start.ts'
import { userPromptExpansion } from './skill-run.ts'
import { stop, stopFailure } from './stop.ts'
import { subagentStart, subagentStop } from './subagent.ts'
import { taskCompleted, teammateIdle } from './team.ts'
import { postToolUse, preToolUse } from './tool-use.ts'
import { userPrompt } from './user-prompt.ts'

export const EVENT_WORK: ReadonlyMap<string, EventWork> = new Map(
  Object.entries({
    SessionStart: sessionStart,
    SessionEnd: sessionEnd,
    PreCompact: preCompact,
    PreToolUse: preToolUse,
    PostToolUse: postToolUse,
    PostToolUseFailure: postToolUseFailure,
    Stop: stop,
    StopFailure: stopFailure,
    UserPromptSubmit: userPrompt,
    UserPromptExpansion: userPromptExpansion,
    Notification: notification,
    PermissionRequest: permissionRequest,
    TeammateIdle: teammateIdle,
    TaskCompleted: taskCompleted,
    SubagentStart: subagentStart,
    SubagentStop: subagentStop,
    ConfigChange: configChange,
  } satisfies Partial<Record<EventName, EventWork>>),
)
