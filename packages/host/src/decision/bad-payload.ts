// A payload that is not what its agent sends. Nothing in it can be judged: before a tool that is a deny, unless there is nothing to judge by;
// anywhere else it must not stop the agent. That it came is recorded like any other event.
import { deny, type HookEvent, none, type PayloadProblem } from '@belay/core'
import { type DecodedEvent, encodeAnswer, refusesOnFailure } from '@belay/core/adapter'
import { describeProblems, whyUnread } from '../guard/why-unread.ts'
import { hookVariables } from '../wire/hook-variables.ts'
import { decisionRecord } from './decision-record.ts'
import type { HookAnswer, HookCall } from './hook-call.ts'
import { undecided } from './judge-event.ts'
import type { RecordQueue } from './record-queue.ts'
import { say } from './settle-answer.ts'

export interface BadPayload {
  readonly decoded: DecodedEvent
  readonly call: HookCall
  readonly problems: readonly PayloadProblem[]
  readonly begunAt: number
  readonly records: RecordQueue
  /** Whether nothing is decided for calls of this session in this place. */
  observesOnly(session: string, cwd: string): Promise<boolean>
  now(): number
  cleanName(name: string): string
}

export function answerBadPayload(bad: BadPayload): HookAnswer | Promise<HookAnswer> {
  const { decoded, call } = bad
  if (!refusesOnFailure(decoded.event)) return answerUnread(bad, false)
  const { session_id: session, cwd = call.cwd } = decoded.payload
  // Where it cannot be told which policy holds, one may.
  if (typeof session !== 'string' || typeof cwd !== 'string') return answerUnread(bad, true)
  return bad.observesOnly(session, cwd).then(isIdle => answerUnread(bad, !isIdle))
}

function answerUnread(bad: BadPayload, isRefused: boolean): HookAnswer | Promise<HookAnswer> {
  const { decoded, call, records } = bad
  const verdict = isRefused ? deny(whyUnread(decoded, bad.problems)) : none()
  const answer = encodeAnswer(
    decoded,
    { verdict },
    {
      attended: call.attended,
      signature: () => `Belay decided this for agent:${decoded.agent.id}.`,
    },
  )
  const session = typeof decoded.payload.session_id === 'string' ? bad.cleanName(decoded.payload.session_id) : null
  const event = eventOf(bad, session)
  const tookMs = bad.now() - bad.begunAt
  const make = () => ({
    ...decisionRecord({
      event,
      decoded,
      guarded: { ...undecided(event), verdict },
      answer,
      policyHash: null,
      root: event.cwd,
      agentId: call.agentId ?? `${decoded.agent.id}:${session ?? ''}`,
      attended: call.attended,
      changes: [],
      tookMs,
    }),
    session,
  })
  const record = { make, options: call.eventId === null ? {} : { eventId: call.eventId } }
  const said = { ...say(answer), problem: describeProblems(bad.problems) }
  if (isRefused) return records.write(record).then(() => said)
  records.add(record)
  return said
}

/** What can be said of it without reading it. */
function eventOf({ decoded, call, problems }: BadPayload, session: string | null): HookEvent {
  const { agent, event: name } = decoded
  return {
    name,
    sessionId: session ?? '',
    cwd: call.cwd ?? '/',
    transcriptPath: null,
    permissionMode: null,
    actor: `agent:${agent.id}`,
    agent: agent.id,
    commitment: null,
    fields: { problem: describeProblems(problems) },
    env: hookVariables(call.env),
  }
}
