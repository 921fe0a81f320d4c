// page.approval: a request with its call taken apart, and a pattern to start from for "always".
import { toolFamily } from '@belay/core/match'
import type { ApprovalRequest } from '../../approval/request.ts'
import type { Approval } from '../../page/api.ts'
import type { Tried } from '../../page/policy.ts'
import type { RecordPart } from '../../page/record.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { textIn } from '../../statistic/read-fields.ts'
import { draftPolicy } from './draft-policy.ts'
import type { PageParts } from './page-parts.ts'
import { wordsOfShape } from './shell-shape.ts'
import { tryCall } from './try-call.ts'

const HISTORY = 200

export interface ApprovalView {
  readonly request: Approval
  readonly tried: Tried | null
  readonly suggested: string | null
}

export async function readApproval(parts: PageParts, id: string): Promise<ApprovalView> {
  const { approvals } = parts
  const found = approvals.find(id) ?? (await approvals.history(HISTORY)).find(request => request.id === id)
  if (found === undefined) throw new RpcError(RPC_REFUSED, `there is no request ${id}`)
  const { inputHash: _inputHash, ...known } = found
  const until = found.state === 'pending' ? parts.heldUntil(id) : null
  const request = { ...known, heldUntil: until === null ? null : new Date(until).toISOString() }
  const { tool, actor, root, input } = found
  const tried = tool === null ? null : tryCall(draftPolicy(parts, root, null), { actor, tool, input })
  return { request, tried, suggested: tried === null ? null : suggestPattern(found, tried) }
}

/** The narrowest pattern that would have covered the part that asked; null: a rule or a hook asks, and no allow rule overrides that. */
function suggestPattern({ tool, origin, input }: ApprovalRequest, { parts }: Tried): string | null {
  if (tool === null || origin !== 'default') return null
  const uncovered = parts.find(part => part.decision !== 'allow' && part.rule === null) ?? parts[0]
  if (toolFamily(tool) === 'shell') return uncovered === undefined ? null : shellPattern(uncovered)
  const url = textIn(input.url)
  if (url !== null && URL.canParse(url)) return `${tool}(domain:${new URL(url).hostname})`
  const path = uncovered?.lexicalPath ?? null
  return path === null ? tool : `${tool}(/${path})`
}

/** Program and subcommand with anything behind them; a file that a command writes has no pattern of the shell's. */
function shellPattern({ what, normal }: RecordPart): string | null {
  if (what !== 'unit') return null
  return `Bash(${wordsOfShape(normal)})`
}
