// `belay mcp-proxy`: between any MCP client and an MCP server. Calls of tools are judged as `mcp__<server>__<tool>`, everything else passes.
import { randomUUID } from 'node:crypto'
import { findHome } from '../config/home.ts'
import { createCallJudge } from '../mcp-proxy/call-judge.ts'
import { createMessageGate, type GateOptions, type MessageGate } from '../mcp-proxy/message-gate.ts'
import { createQuestions, type Questions } from '../mcp-proxy/questions.ts'
import { isServerName, nameOfCommand, nameOfUrl } from '../mcp-proxy/server-name.ts'
import { noteCatalogSafely, noteInstructionsSafely, noteToolsSafely } from '../mcp-proxy/tool-pins.ts'
import { type CommandIo, fail, printLine } from '../terminal/io.ts'
import { SECRET_VARIABLE } from '../wire/hook-variables.ts'
import { claimsOf } from './caller-identity.ts'
import { type CommandCaller, findCaller } from './commit-caller.ts'
import { startDaemon } from './hook.ts'

export interface McpProxyOptions {
  readonly command: readonly string[]
  readonly url?: string
  readonly listen?: number
  /** `Name: value`, for the server behind the address. */
  readonly header?: readonly string[]
  readonly agent?: string
  readonly server?: string
  /** Seconds that a call may wait for a person. */
  readonly hold?: number
}

/** Below the minute after which the official clients give a call up. */
const HOLD_SECONDS = 50

export async function runMcpProxy(options: McpProxyOptions, io: CommandIo): Promise<number> {
  const target = readTarget(options)
  if (typeof target === 'string') return fail(io, target, 'belay mcp-proxy --help shows how it is used')
  const report = (problem: string) => printLine(io.stderr, `belay mcp-proxy: ${problem}`)
  const openGate = createGates(target, options, io)
  const signal = endingSignal()
  if (target.kind === 'command') {
    const { proxyStdio } = await import('../mcp-proxy/proxy-stdio.ts')
    const { command } = target
    const gate = openGate(`mcp-${randomUUID()}`)
    // The secret of the agent's role is not the server's.
    const env = { ...io.env, [SECRET_VARIABLE]: undefined }
    return proxyStdio({ command, cwd: io.cwd, env, gate, stdin: process.stdin, stdout: process.stdout, report, signal })
  }
  if (options.listen !== undefined) return serveUrl(target.url, options.listen, { openGate, report, signal, io })
  const { bridgeUrl } = await import('../mcp-proxy/bridge-url.ts')
  const headers = readHeaders(options.header ?? [], io.env)
  if (typeof headers === 'string') return fail(io, headers)
  const gate = openGate(`mcp-${randomUUID()}`)
  return bridgeUrl({ url: target.url, headers, gate, stdin: process.stdin, stdout: process.stdout, report, signal })
}

/** `${NAME}` is taken from the environment, so that no secret stands in a command line; a text says what is wrong. */
function readHeaders(lines: readonly string[], env: CommandIo['env']): Readonly<Record<string, string>> | string {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return `--header ${line}: it is written "Name: value"`
    const unset = [...value.matchAll(/\$\{(\w+)\}/g)].find(([, variable = '']) => env[variable] === undefined)
    if (unset !== undefined) return `--header ${name}: ${unset[1]} is not set`
    headers[name] = value.replace(/\$\{(\w+)\}/g, (_whole, variable: string) => env[variable] ?? '')
  }
  return headers
}

type Target =
  | { readonly kind: 'command'; readonly server: string; readonly command: readonly [string, ...string[]] }
  | { readonly kind: 'url'; readonly server: string; readonly url: URL }

/** What to stand before, or what is wrong with the options. */
function readTarget({ command, url, listen, header, agent, server, hold }: McpProxyOptions): Target | string {
  if (server !== undefined && !isServerName(server)) return `--server ${server}: letters, digits, - and single _`
  if (agent !== undefined && !/^[\w.-]+$/.test(agent)) return `--agent ${agent}: letters, digits, . - and _`
  if (hold !== undefined && !(hold > 0)) return '--hold is a number of seconds'
  const [program, ...words] = command
  if (url === undefined) {
    if (listen !== undefined || header !== undefined) return '--listen and --header go with --url'
    if (program === undefined) return 'it needs the command of the server after --, or its --url'
    return { kind: 'command', server: server ?? nameOfCommand(command), command: [program, ...words] }
  }
  if (program !== undefined) return 'either the command of a server or its --url'
  if (listen !== undefined && header !== undefined) return 'with --listen the headers come from the client'
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return `--url ${url}: an address that begins with http:// or https://`
  return { kind: 'url', server: server ?? nameOfUrl(parsed), url: parsed }
}

type Gates = (session: string, questions?: Questions) => MessageGate

/** A gate for each session between a client and the server. */
function createGates(target: Target, options: McpProxyOptions, io: CommandIo): Gates {
  const { server } = target
  const caller = findCaller(io)
  // Under a known agent its own environment counts, not the one in the configuration of the server, which a model may write.
  const env = { ...io.env, BELAY_ACTOR: caller.actor ?? undefined, [SECRET_VARIABLE]: caller.secret ?? undefined, ...agentIdOf(caller) }
  const actor = options.agent === undefined ? null : `agent:${options.agent}`
  const home = findHome(io.env)
  const judge = createCallJudge({
    server,
    holdMs: (options.hold ?? HOLD_SECONDS) * 1000,
    io: { cwd: io.cwd, env, etc: io.etc, host: caller.agent, actor, startDaemon: () => void startDaemon(io) },
  })
  const visibleTools = async (tools: readonly string[]) => {
    const [{ findVisibleTools }, claims] = await Promise.all([import('../mcp-proxy/visible-tools.ts'), claimsOf(io, caller, actor)])
    return findVisibleTools(tools, { server, cwd: io.cwd, home, etc: io.etc, claims })
  }
  const place = { home, server, target: target.kind === 'url' ? target.url.href : JSON.stringify(target.command) }
  const notes: Pick<GateOptions, 'noteTools' | 'noteInstructions' | 'noteCatalog'> = {
    noteTools: (listed, page) => noteToolsSafely(place, listed, page),
    noteInstructions: said => noteInstructionsSafely(place, said),
    noteCatalog: (catalog, listed) => noteCatalogSafely(place, catalog, listed),
  }
  return (session, questions = createQuestions()) =>
    createMessageGate({ session, questions, judge, visibleTools, ...notes, now: () => performance.now() })
}

/** The id made from a session is for commands: here the session is the proxy's own. */
function agentIdOf({ agent, agentId }: CommandCaller): { readonly AGENT_ID?: string | undefined } {
  return agent === null ? {} : { AGENT_ID: agentId?.startsWith(`${agent}:`) === true ? undefined : (agentId ?? undefined) }
}

function endingSignal(): AbortSignal {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort(signal))
  return ending.signal
}

interface Serving {
  readonly openGate: Gates
  readonly report: (problem: string) => void
  readonly signal: AbortSignal
  readonly io: CommandIo
}

async function serveUrl(url: URL, port: number, { openGate, report, signal, io }: Serving): Promise<number> {
  const { proxyHttp } = await import('../mcp-proxy/proxy-http.ts')
  const proxy = await proxyHttp({ url, port, openGate, report })
  printLine(io.stdout, proxy.url)
  await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  await proxy.close()
  return 0
}
