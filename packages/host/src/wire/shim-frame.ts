// One hook call on shim.sock: a line of JSON in, a line of JSON out. The field order of an answer is fixed: the native client reads it
// without a JSON parser.
import { isObject } from '@belay/core/value'
import { sentVariables } from './hook-variables.ts'
import { type JsonLimits, parseStrictJson } from './strict-json.ts'

export interface ShimFrame {
  readonly agent: string
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly cwd: string | null
  /** A person is there to answer the agent's own question. */
  readonly attended: boolean
  /** Only what a hook call may say of its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Bookkeeping beside the payload; also found in env under AGENT_ID and BELAY_COMMITMENT. */
  readonly agentId: string | null
  readonly commitment: string | null
  /** Names that somebody merely wrote down (a field, a header, BELAY_ACTOR): they can only lower rights. */
  readonly names: readonly string[]
  /** What `belay run --actor` or `belay agent bind` gave the agent. It is never recorded. */
  readonly secret: string | null
  /** The agent that started an MCP proxy, whose calls these are; null: not known. */
  readonly host: string | null
  /** The process that started the client; null: not told. */
  readonly parentPid: number | null
  /** PATH of the agent, where it says it: by which name it can call Belay. Nothing is started by it. */
  readonly path: string | null
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
  const variables = isObject(env) ? sentVariables(env) : {}
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
      commitment: text(parsed.value.commitment) ?? variables.BELAY_COMMITMENT ?? null,
      names: writtenNames(text(parsed.value.actor), variables.BELAY_ACTOR),
      secret: text(parsed.value.secret),
      host: agent === 'mcp' ? text(parsed.value.host) : null,
      parentPid: positive(parsed.value.parent),
      path: text(parsed.value.path),
      eventId: text(parsed.value['event-id']),
      deadlineMs: positive(parsed.value['deadline-ms']),
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

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const NO_NAMES: readonly string[] = []

/** Each of them counts: what one door says does not hide what another does. */
export function writtenNames(...names: readonly (string | null | undefined)[]): readonly string[] {
  if (names.every(name => name === null || name === undefined || name === '')) return NO_NAMES
  return [...new Set(names.filter(name => typeof name === 'string' && name !== ''))] as readonly string[]
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null
}
