// The frame a hook process sends: the payload as it came, and of its environment only what identity and command hooks need.

export interface FrameFacts {
  readonly agent: string
  readonly event: string
  readonly eventId: string
  readonly payload: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTty: boolean
  readonly deadlineMs: number | null
}

const PASSED_ON =
  /^(?:AGENT_(?:ID|PARENT|MANAGES|CLAIMS)|BELAY_(?:ACTOR|COMMITMENT|RUN_ID)|CLAUDE_ENV_FILE|CLAUDE_CODE_SESSION_ATTENDED|.*_PROJECT_DIR|.*PLUGIN_ROOT)$/

export function passedOn(env: FrameFacts['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && PASSED_ON.test(entry[0])),
  )
}

/** True only where the host says so, or where there is a terminal. */
export function isAttended(env: FrameFacts['env'], isTty: boolean): boolean {
  const said = env.CLAUDE_CODE_SESSION_ATTENDED
  return said === undefined ? isTty : said === '1' || said === 'true'
}

/** One line: a newline between JSON tokens is white space, and inside a JSON string it cannot stand. */
export function buildFrame({ agent, event, eventId, payload, cwd, env, isTty, deadlineMs }: FrameFacts): string {
  const head = {
    agent,
    event,
    'event-id': eventId,
    cwd,
    attended: isAttended(env, isTty),
    ...(deadlineMs === null ? {} : { 'deadline-ms': deadlineMs }),
    env: passedOn(env),
  }
  return `${JSON.stringify(head).slice(0, -1)},"payload":${payload.replace(/[\r\n]/g, ' ')}}\n`
}
