import { type Dialect, words } from '../dialect.ts'

export const gemini: Dialect = {
  id: 'gemini',
  name: 'Gemini CLI',
  agent: 'gemini',
  events: words(
    'BeforeTool AfterTool BeforeAgent AfterAgent SessionStart SessionEnd PreCompress Notification BeforeModel AfterModel BeforeToolSelection',
  ),
  json: 'strict',
  timeUnit: 'ms',
  matcher: 'gemini',
  shapes: ['nested'],
  unwrapped: false,
  types: ['command'],
  untyped: false,
  signs: {
    path: /(^|\/)\.gemini\/|(^|\/)gemini-extension\.json$/,
    keys: ['coreTools', 'excludeTools', 'contextFileName', 'terminal.executionPolicy', 'artifact.reviewPolicy'],
    text: /GEMINI_(PROJECT_DIR|CWD|SESSION_ID)|\.gemini\/|\$\{extensionPath\}/,
  },
}
