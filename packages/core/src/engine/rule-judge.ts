// What the rules of policies say to a call, under every name that caller and tool have: the one decision behind the daemon, the client
// without it, simulations and pipelines in process. Rules are compiled once per actor.

import { joinedMcpNames, ownMcpName } from '../adapter/tool-name.ts'
import { findAgent } from '../agent/agents.ts'
import type { HookEvent } from '../hook/hook-event.ts'
import { toolFamily } from '../match/tool/tool-family.ts'
import { compileRules } from '../policy/compile-rules.ts'
import { createJudge, type Judge, type JudgeMemory } from '../policy/create-judge.ts'
import { effectivePermissions } from '../policy/genesis/effective-permissions.ts'
import type { GenesisPolicy } from '../policy/genesis/genesis-policy.ts'
import type { JudgeContext, Judgement, ToolCall } from '../policy/judgement.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import { fold, type Verdict } from '../verdict/verdict.ts'
import type { JudgeCall } from './guard-call.ts'

/** Where calls of an event are judged. */
export type ContextOf = (event: Pick<HookEvent, 'cwd'>) => JudgeContext

export interface RuleJudge {
  /** Under all names. */
  readonly judge: JudgeCall
  /** By the rules of one actor, for the tool as it is named. */
  judgeAs(call: ToolCall, actor: string, cwd: string): Judgement
}

const JUDGES_KEPT = 256

export function createRuleJudge(policies: readonly GenesisPolicy[], contextOf: ContextOf, memory: JudgeMemory): RuleJudge {
  const judges = new BoundedMap<string, Judge>(JUDGES_KEPT)
  const judgeOf = (actor: string): Judge => {
    const known = judges.get(actor)
    if (known !== undefined) return known
    const made = createJudge(compileRules(effectivePermissions(policies, actor)), memory)
    judges.set(actor, made)
    return made
  }
  const judgeName = (call: ToolCall, event: HookEvent, actor: string): Judgement => {
    const judge = judgeOf(actor)
    const judged = judge(call, contextOf(event))
    const judgeTool = (tool: string) => judge({ ...call, tool }, contextOf(event))
    if (isJoined(call.tool, event)) return tightenJudgement(judged, joinedMcpNames(call.tool).map(judgeTool))
    const own = ownMcpName(event.agent, call.tool)
    return own === null ? judged : mergeOwnName(judged, judgeTool(own))
  }
  return {
    judge(call, event) {
      const judged = judgeName(call, event, event.actor)
      if (event.alsoAs === undefined) return judged
      return strictest([judged, ...event.alsoAs.map(name => judgeName(call, event, name))])
    },
    judgeAs: (call, actor, cwd) => judgeOf(actor)(call, contextOf({ cwd })),
  }
}

/** A name that may be that of an MCP tool, from an agent that joins the server's name to it. */
function isJoined(tool: string, { agent }: HookEvent): boolean {
  return !tool.startsWith('mcp__') && toolFamily(tool) === null && findAgent(agent)?.joinsMcpNames === true
}

/** A rule may name the tool either way: an allow under the agent's own name stands where nothing else says anything. */
function mergeOwnName(judged: Judgement, own: Judgement): Judgement {
  const isByDefault = judged.rule === null && (judged.decidedBy === null || judged.decidedBy.decision === 'default')
  return isByDefault && own.rule !== null ? own : tightenJudgement(judged, [own])
}

/** What a rule says of any of the names it may have holds too, as far as it tightens. */
function tightenJudgement(judged: Judgement, others: readonly Judgement[]): Judgement {
  return others.reduce((best, other) => {
    const isStricter = other.rule !== null && fold([best.verdict, other.verdict]) !== best.verdict
    return isStricter && other.verdict.decision !== 'allow' ? other : best
  }, judged)
}

/** From the mildest: a rule's allow spares the agent its own question, no opinion does not. */
const STRICTNESS: Readonly<Record<Verdict['decision'], number>> = { allow: 0, none: 1, ask: 2, deny: 4 }

function strictness(verdict: Verdict): number {
  return STRICTNESS[verdict.decision] + (verdict.decision === 'ask' && verdict.origin !== 'default' ? 1 : 0)
}

/** Of equally strict ones the first. */
function strictest(judgements: readonly [Judgement, ...Judgement[]]): Judgement {
  return judgements.reduce((best, each) => (strictness(each.verdict) > strictness(best.verdict) ? each : best))
}
