import { gateOnly } from './family.ts'

export const mcp = gateOnly({
  name: 'MCP proxy',
  answer: 'plugin',
  can: {
    // Where the client can put a question to its user (elicitation).
    ask: true,
    rewriteInput: true,
    replaceOutput: true,
    blockPrompt: false,
    injectOn: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
  },
  events: { 'tools/call': 'PreToolUse', 'tools/result': 'PostToolUse' },
  timeUnit: null,
  onFailure: 'closed',
  proof: 'run',
})
