// Each agent's own event names, and what they mean to us. An event may be given by either name.
import type { AgentId } from './agent-id.ts'

type EventNames = Readonly<Record<string, string>>

const claude = same(
  'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest TeammateIdle TaskCompleted ConfigChange',
)
const claudeAll = {
  ...claude,
  ...same(
    'Setup UserPromptExpansion PermissionDenied PostToolBatch StopFailure PostCompact InstructionsLoaded CwdChanged FileChanged DirectoryAdded PreModelSwitch PostModelSwitch TaskCreated Elicitation ElicitationResult WorktreeCreate WorktreeRemove MessageDisplay',
  ),
}

/** Native name -> canonical name. */
export const NATIVE_EVENTS: Readonly<Record<AgentId, EventNames>> = {
  'claude-code': claudeAll,
  codex: same(
    'PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact PermissionRequest',
  ),
  gemini: {
    BeforeTool: 'PreToolUse',
    AfterTool: 'PostToolUse',
    BeforeAgent: 'UserPromptSubmit',
    AfterAgent: 'Stop',
    SessionStart: 'SessionStart',
    SessionEnd: 'SessionEnd',
    PreCompress: 'PreCompact',
    Notification: 'Notification',
    BeforeModel: 'PreModel',
    AfterModel: 'PostModel',
    BeforeToolSelection: 'PreToolSelection',
  },
  copilot: {
    ...same(
      'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest',
    ),
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    postToolUseFailure: 'PostToolUseFailure',
    userPromptSubmitted: 'UserPromptSubmit',
    sessionStart: 'SessionStart',
    sessionEnd: 'SessionEnd',
    agentStop: 'Stop',
    subagentStart: 'SubagentStart',
    subagentStop: 'SubagentStop',
    preCompact: 'PreCompact',
    notification: 'Notification',
    permissionRequest: 'PermissionRequest',
  },
  qwen: same(
    'PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact Notification PermissionRequest PostToolBatch',
  ),
  opencode: {
    'tool.execute.before': 'PreToolUse',
    'tool.execute.after': 'PostToolUse',
    'chat.message': 'UserPromptSubmit',
    'session.created': 'SessionStart',
    'session.deleted': 'SessionEnd',
    'session.idle': 'Stop',
    'permission.asked': 'PermissionRequest',
    'session.compacting': 'PreCompact',
  },
  pi: {
    tool_call: 'PreToolUse',
    tool_result: 'PostToolUse',
    input: 'UserPromptSubmit',
    session_start: 'SessionStart',
    session_shutdown: 'SessionEnd',
    agent_end: 'Stop',
    session_before_compact: 'PreCompact',
  },
  droid: same('PreToolUse PostToolUse UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact Notification'),
  continue: claude,
  cursor: {
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    postToolUseFailure: 'PostToolUseFailure',
    beforeShellExecution: 'PreToolUse',
    afterShellExecution: 'PostToolUse',
    beforeMCPExecution: 'PreToolUse',
    afterMCPExecution: 'PostToolUse',
    beforeReadFile: 'PreToolUse',
    afterFileEdit: 'PostToolUse',
    beforeSubmitPrompt: 'UserPromptSubmit',
    sessionStart: 'SessionStart',
    sessionEnd: 'SessionEnd',
    stop: 'Stop',
    subagentStart: 'SubagentStart',
    subagentStop: 'SubagentStop',
    preCompact: 'PreCompact',
  },
  cline: {
    PreToolUse: 'PreToolUse',
    PostToolUse: 'PostToolUse',
    UserPromptSubmit: 'UserPromptSubmit',
    TaskStart: 'SessionStart',
    TaskResume: 'SessionStart',
    SessionShutdown: 'SessionEnd',
    TaskCancel: 'SessionEnd',
    TaskComplete: 'Stop',
    tool_call: 'PreToolUse',
    tool_result: 'PostToolUse',
    prompt_submit: 'UserPromptSubmit',
    agent_end: 'Stop',
  },
  goose: same('PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit SessionStart SessionEnd Stop'),
  kiro: {
    ...same('PreToolUse PostToolUse UserPromptSubmit SessionStart Stop'),
    preToolUse: 'PreToolUse',
    postToolUse: 'PostToolUse',
    userPromptSubmit: 'UserPromptSubmit',
    agentSpawn: 'SessionStart',
    stop: 'Stop',
  },
  windsurf: {
    pre_run_command: 'PreToolUse',
    pre_write_code: 'PreToolUse',
    pre_read_code: 'PreToolUse',
    pre_mcp_tool_use: 'PreToolUse',
    post_run_command: 'PostToolUse',
    post_write_code: 'PostToolUse',
    post_read_code: 'PostToolUse',
    post_mcp_tool_use: 'PostToolUse',
    pre_user_prompt: 'UserPromptSubmit',
    post_cascade_response: 'Stop',
  },
  git: { 'pre-commit': 'PreToolUse', 'pre-push': 'PreToolUse', 'reference-transaction': 'PreToolUse', 'post-commit': 'PostToolUse' },
  mcp: { 'tools/call': 'PreToolUse', 'tools/result': 'PostToolUse' },
}

/** The canonical name of an event given by the agent's own name or already canonical; an unknown name is carried through. */
export function canonicalEvent(agent: AgentId, name: string): string {
  const names = NATIVE_EVENTS[agent]
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name === 'AgentStop' ? 'Stop' : name
}

function same(names: string): EventNames {
  return Object.fromEntries(names.split(' ').map(name => [name, name]))
}
