// The frame a hook process sends: the payload as it came, and of its environment only what identity and command hooks need.
import { SECRET_VARIABLE, sentVariables } from '../wire/hook-variables.ts'

export interface FrameFacts {
  readonly agent: string
  readonly event: string
  readonly eventId: string
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTty: boolean
  readonly deadlineMs: number | null
  /** The agent that started this process, for the MCP proxy. */
  readonly host?: string | null
  /** The process that started this one. */
  readonly parentPid?: number
  /** PATH of the agent, where this process has it and its parent may not. */
  readonly path?: string | undefined
  /** A name beside BELAY_ACTOR; it can only lower rights. */
  readonly actor?: string | null
}

/** True only where the host says so, or where there is a terminal. */
export function isAttended(env: FrameFacts['env'], isTty: boolean): boolean {
  const said = env.CLAUDE_CODE_SESSION_ATTENDED
  return said === undefined ? isTty : said === '1' || said === 'true'
}

/** One line: a newline between JSON tokens is white space, and inside a JSON string it cannot stand. */
export function buildFrame(facts: FrameFacts): string {
  const { agent, event, eventId, payload, cwd, env, isTty, deadlineMs, host, actor, parentPid, path } = facts
  const head = {
    agent,
    event,
    'event-id': eventId,
    cwd,
    attended: isAttended(env, isTty),
    ...(parentPid === undefined ? {} : { parent: parentPid }),
    ...(path === undefined ? {} : { path }),
    ...(deadlineMs === null ? {} : { 'deadline-ms': deadlineMs }),
    ...(host ? { host } : {}),
    ...(actor ? { actor } : {}),
    ...(env[SECRET_VARIABLE] ? { secret: env[SECRET_VARIABLE] } : {}),
    env: sentVariables(env),
  }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload.replace(/[\r\n]/g, ' ')}}\n`
}
