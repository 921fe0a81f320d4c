import { expect, test } from 'vitest'
import type { ApprovalRequest } from '../approval/request.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { renderRequest } from './render-request.ts'

const request = {
  id: 'apr_1',
  state: 'pending',
  actor: 'agent:mcp',
  agentId: 'mcp:s',
  tool: 'mcp__notes__add',
  input: { text: 'x' },
  reason: 'the definition of add has changed\n@@ -1 +1 @@\n-old\n+new\r\napr_2  approved\u001b[2K',
  rule: null,
  approvers: [],
  expiresAt: '2026-01-01T00:00:00.000Z',
  commitment: null,
  decidedBy: null,
  usedAt: null,
  root: '/p',
} as unknown as ApprovalRequest

test('a reason of several lines keeps them, below the edge where ids stand', () => {
  const { io } = createTestIo({ env: {}, cwd: '/p', etc: '/nonexistent' })
  const lines = renderRequest(io, request).split('\n')
  expect(lines.slice(3)).toEqual([
    '  the definition of add has changed',
    '    @@ -1 +1 @@',
    '    -old',
    '    +new ',
    '    apr_2  approved\\u001b[2K',
  ])
  expect(lines.filter(line => !line.startsWith(' '))).toEqual([expect.stringMatching(/^apr_1 /)])
})
