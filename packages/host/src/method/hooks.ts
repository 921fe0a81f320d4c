// The hook methods as a table: `hooks.<method>`, the event that it stands for, and what it answers beside what every one of them does.
import type { EventName } from '@belay/core'
import type { SkillBook } from '../config/skill.ts'
import type { Decide } from '../decision/hook-call.ts'
import { logPath } from '../state/artifact.ts'
import { isOverflowing } from '../state/work-hooks.ts'
import type { WorkView } from '../state/work-view.ts'
import { createHookMethod, type HookMethod, type HookOutcome } from './hook-method.ts'

type Answer = Readonly<Record<string, unknown>>

interface HookRow {
  readonly method: string
  readonly event: EventName
  answer(outcome: HookOutcome, skills: SkillBook): Answer
}

const HOOKS: readonly HookRow[] = [
  { method: 'sessionStart', event: 'SessionStart', answer: ({ view }, skills) => answerSessionStart(view, skills) },
  {
    method: 'sessionEnd',
    event: 'SessionEnd',
    answer: ({ view }) => ({ ...describeState(view), ended: hasEnded(view), signalled: view.facts.signalled ?? [] }),
  },
  { method: 'preCompact', event: 'PreCompact', answer: ({ view }) => answerPreCompact(view) },
  { method: 'preToolUse', event: 'PreToolUse', answer: answerPreToolUse },
  { method: 'postToolUse', event: 'PostToolUse', answer: ({ view }) => answerPostToolUse(view) },
  { method: 'postToolUseFailure', event: 'PostToolUseFailure', answer: ({ view }) => describeState(view) },
  { method: 'stop', event: 'Stop', answer: ({ view }) => answerStop(view) },
  { method: 'userPrompt', event: 'UserPromptSubmit', answer: ({ view }) => answerUserPrompt(view) },
  { method: 'notification', event: 'Notification', answer: ({ view }) => describeState(view) },
  { method: 'permissionRequest', event: 'PermissionRequest', answer: ({ view }) => describeState(view) },
  {
    method: 'teammateIdle',
    event: 'TeammateIdle',
    answer: ({ view }) => ({ ...describeState(view), signalled: view.facts.signalled ?? [] }),
  },
  {
    method: 'taskCompleted',
    event: 'TaskCompleted',
    answer: ({ view }) => ({
      ...describeState(view),
      signalled: view.facts.signalled ?? [],
      finishedEffort: view.facts.finishedEffort ?? null,
    }),
  },
  { method: 'subagentStart', event: 'SubagentStart', answer: ({ view }, skills) => answerSubagentStart(view, skills) },
  { method: 'subagentStop', event: 'SubagentStop', answer: ({ view }) => ({ ...describeState(view), ended: hasEnded(view) }) },
  // What was read from files is read again.
  { method: 'configChange', event: 'ConfigChange', answer: ({ view }) => ({ ...describeState(view), invalidated: true }) },
]

export function createHookMethods(decide: Decide, skills: SkillBook): readonly (readonly [string, HookMethod])[] {
  return HOOKS.map(({ method, event, answer }) => [`hooks.${method}`, createHookMethod(decide, event, outcome => answer(outcome, skills))])
}

/** What most methods tell: null where it is not known. */
function describeState({ agent, session, effort, facts }: WorkView) {
  return {
    agentId: agent.id,
    status: agent.status,
    statusReason: agent.statusReason,
    effortId: effort?.id ?? null,
    sessionId: session?.id ?? facts.endedSession ?? null,
  }
}

function hasEnded({ facts }: WorkView): boolean {
  return facts.endedSession !== undefined && facts.endedSession !== null
}

/** The effort this agent continues, and what its new window needs. */
function answerSessionStart({ effort, session, facts }: WorkView, skills: SkillBook): Answer {
  return {
    found: effort !== null,
    effortId: effort?.id ?? null,
    sessionId: session?.id ?? null,
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    filesToPreload: facts.filesToPreload ?? [],
    dehydratedContext: facts.dehydrated ?? null,
    skillConfig: effort === null ? null : skills.find(effort.projectRoot, effort.skill),
  }
}

/** Whether the window ended, and whether a supervisor starts the agent anew. */
function answerPreCompact(view: WorkView): Answer {
  const { runId, recoveryPrompt } = view.facts
  return {
    ...describeState(view),
    ended: hasEnded(view),
    restart: runId !== undefined && runId !== null,
    runId: runId ?? null,
    recoveryPrompt: recoveryPrompt ?? null,
  }
}

/** May the tool run, and how the window and the heartbeat stand. Without an effort nothing of the work holds it up. */
function answerPreToolUse({ view, guarded }: HookOutcome): Answer {
  const { session, effort, fired, facts } = view
  const { decision } = guarded.verdict
  return {
    allow: decision !== 'deny' && decision !== 'ask',
    heartbeatCount: effort === null ? null : (facts.heartbeat ?? session?.heartbeat ?? null),
    contextUsage: session?.contextUsage ?? null,
    overflowWarning: effort !== null && isOverflowing(session?.contextUsage ?? null),
    pendingPreloads: session === null ? [] : session.preloadedFiles.filter(file => !session.loadedFiles.has(file)),
    firedRules: fired,
  }
}

/** What waits for the model goes out with this answer, once. */
function answerPostToolUse({ session, effort, facts }: WorkView): Answer {
  return {
    heartbeatCount: effort === null ? null : (session?.heartbeat ?? null),
    pendingInjections: facts.injections ?? [],
    dialogueEntry: facts.dialogue ?? null,
  }
}

/** Whether the turn may end, and why it did. */
function answerStop(view: WorkView): Answer {
  const { rateLimit, isExhausted, recoveryPrompt, runId, signalled } = view.facts
  return {
    ...describeState(view),
    rateLimited: rateLimit !== undefined && rateLimit !== null,
    resetsAt: rateLimit?.resetsAt ?? null,
    exhausted: isExhausted === true,
    restart: runId !== undefined && runId !== null,
    recoveryPrompt: recoveryPrompt ?? null,
    signalled: signalled ?? [],
  }
}

/** Where the agent stands, as a line for the model and as fields. */
function answerUserPrompt({ session, effort, facts }: WorkView): Answer {
  return {
    sessionContext: facts.sessionContext ?? null,
    effortId: effort?.id ?? null,
    sessionId: session?.id ?? null,
    taskDir: effort?.taskDir ?? null,
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    heartbeat: effort === null ? null : (session?.heartbeat ?? null),
  }
}

/** The sub-agent's own window, and what it shares with the agent that started it. */
function answerSubagentStart(view: WorkView, skills: SkillBook): Answer {
  const { effort } = view
  const skill = effort === null ? null : skills.find(effort.projectRoot, effort.skill)
  return {
    ...describeState(view),
    skill: effort?.skill ?? null,
    phase: effort?.phase ?? null,
    logFile: effort === null ? null : logPath(effort),
    logTemplate: skill?.templates.log ?? skill?.templates.LOG ?? null,
    directives: skill?.directives ?? [],
    metadata: effort?.metadata ?? null,
  }
}
