import { gateOnly } from './family.ts'

export const git = gateOnly({
  name: 'Git',
  program: 'git',
  setupVerbs: [],
  hookPaths: ['.git/hooks', '.git/config', 'hooksPath'],
  answer: 'exit-code',
  obeysExitCode: true,
  can: { blockPrompt: false },
  events: { 'pre-commit': 'PreToolUse', 'pre-push': 'PreToolUse', 'reference-transaction': 'PreToolUse', 'post-commit': 'PostToolUse' },
  timeUnit: null,
  onFailure: 'closed',
  hasCallId: false,
  proof: 'run',
})
