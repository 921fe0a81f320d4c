// One hook call on shim.sock: a line of JSON in, a line of JSON out. The field order of an answer is fixed: the native client reads it
// without a JSON parser.
import { type JsonLimits, parseStrictJson } from './strict-json.ts'

export interface ShimFrame {
  readonly agent: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly cwd: string | null
  /** A person is there to answer the agent's own question. */
  readonly attended: boolean
  readonly env: Readonly<Record<string, string>>
  /** Identity and bookkeeping beside the payload; also found in env under AGENT_ID, BELAY_ACTOR, BELAY_COMMITMENT. */
  readonly agentId: string | null
  readonly actor: string | null
  readonly commitment: string | null
  readonly eventId: string | null
  readonly deadlineMs: number | null
}

export type ParsedFrame = { readonly ok: true; readonly frame: ShimFrame } | { readonly ok: false; readonly problem: string }

export interface ShimAnswer {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

export function parseShimFrame(line: string, limits?: JsonLimits): ParsedFrame {
  const parsed = parseStrictJson(line, limits)
  if (!parsed.ok) return { ok: false, problem: `${parsed.problem} (at character ${parsed.offset})` }
  if (!isObject(parsed.value)) return { ok: false, problem: 'a frame is a JSON object' }
  const { agent, event, payload, env } = parsed.value
  if (typeof agent !== 'string' || typeof event !== 'string') return { ok: false, problem: 'a frame names its agent and its event' }
  if (!isObject(payload)) return { ok: false, problem: 'the payload of a frame is a JSON object' }
  const variables = isObject(env) ? textsOf(env) : {}
  return {
    ok: true,
    frame: {
      agent,
      event,
      payload,
      env: variables,
      cwd: text(parsed.value.cwd),
      attended: parsed.value.attended === true,
      agentId: text(parsed.value['agent-id']) ?? variables.AGENT_ID ?? null,
      actor: text(parsed.value.actor) ?? variables.BELAY_ACTOR ?? null,
      commitment: text(parsed.value.commitment) ?? variables.BELAY_COMMITMENT ?? null,
      eventId: text(parsed.value['event-id']),
      deadlineMs: milliseconds(parsed.value['deadline-ms']),
    },
  }
}

export function formatShimAnswer({ exit, stdout, stderr }: ShimAnswer): string {
  return `{"exit":${exit},"stdout":${JSON.stringify(stdout)},"stderr":${JSON.stringify(stderr)}}\n`
}

/** "Not now": the client goes on as if there were no daemon. */
export function formatShimBusy(why: string): string {
  return `{"busy":${JSON.stringify(why)}}\n`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function textsOf(value: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name of Object.keys(value)) {
    const entry = value[name]
    if (typeof entry === 'string') texts[name] = entry
  }
  return texts
}

function milliseconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}
