// Three generations: hooks in the agent's JSON (v2), `.kiro/hooks/*.json` with `trigger` and `action` (v3), and the editor's `when`/`then`.
import { type Dialect, words } from '../dialect.ts'

export const kiro: Dialect = {
  id: 'kiro',
  name: 'Kiro',
  agent: 'kiro',
  events: words(
    'agentSpawn userPromptSubmit preToolUse postToolUse stop SessionStart UserPromptSubmit PreToolUse PostToolUse Stop PostFileSave ' +
      'PostFileCreate PostFileDelete PreTaskExecution PostTaskExecution fileEdited fileCreated fileDeleted promptSubmit agentStop ' +
      'preTaskExecution postTaskExecution userTriggered manual',
  ),
  canonical: { promptSubmit: 'UserPromptSubmit', agentStop: 'Stop', fileEdited: 'FileChanged', PostFileSave: 'FileChanged' },
  json: 'strict',
  timeUnit: 's',
  matcher: 'claude',
  shapes: ['flat', 'list', 'when-then'],
  unwrapped: false,
  types: ['command', 'shellCommand', 'runCommand', 'askAgent', 'agent'],
  untyped: true,
  signs: { path: /(^|\/)\.kiro\//, keys: ['useLegacyMcpJson', 'toolsSettings', 'when', 'then'], text: /\.kiro\// },
}
