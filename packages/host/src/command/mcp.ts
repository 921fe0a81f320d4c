// `belay mcp`: the engine's verbs as an MCP server, on stdio for an agent that starts it, or over HTTP on loopback.
import { randomBytes } from 'node:crypto'
import { findHome } from '../config/home.ts'
import { type Identity, NO_SUBAGENT, resolveIdentity } from '../guard/identity.ts'
import { createAnswerCall, createMcpServer, type McpServerParts, type VerbAnswer } from '../mcp/create-mcp-server.ts'
import { createDaemonLink, type DaemonLink } from '../mcp/daemon-link.ts'
import { createStdioTransport } from '../mcp/stdio-transport.ts'
import { type CommandIo, hint, printLine } from '../terminal/io.ts'
import { runPaths } from '../wire/run-paths.ts'
import { claimsOf } from './caller-identity.ts'
import { type CommandCaller, findCaller } from './commit-caller.ts'
import { readRpcAnswer } from './daemon-status.ts'
import { runExplain } from './explain.ts'
import { VERSION } from './help.ts'

export interface McpOptions {
  readonly http?: boolean
  readonly port?: number
}

export async function runMcp({ http, port }: McpOptions, io: CommandIo): Promise<number> {
  const parts = mcpParts(io, findCaller(io))
  if (http === true) return serveHttp(parts, port ?? 0, io)
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const transport = createStdioTransport(process, createAnswerCall(parts))
  serveStdio(() => createMcpServer(parts), { transport, onerror: error => printLine(io.stderr, `belay mcp: ${error.message}`) })
  await new Promise<void>(resolve => process.stdin.once('close', resolve))
  return 0
}

/** An agent that loads it is never a person, whatever its environment says. */
export function mcpParts(io: CommandIo, caller: CommandCaller): McpServerParts {
  const { actor, secret, agentId, agent } = caller
  const identity = {
    cwd: io.cwd,
    agent: agent ?? 'mcp',
    ...(actor === null ? {} : { actor }),
    ...(secret === null ? {} : { secret }),
    ...(agentId === null ? {} : { agentId }),
  }
  const link = createDaemonLink(runPaths(findHome(io.env), io.env).socket)
  return {
    version: VERSION,
    identity,
    ask: (method, params) => askDaemon(io, link, method, params),
    explain: async command => explain(io, command, resolveIdentity(await claimsOf(io, caller), NO_SUBAGENT)),
  }
}

type Params = Readonly<Record<string, unknown>>

async function askDaemon(io: CommandIo, link: DaemonLink, method: string, params: Params): Promise<VerbAnswer> {
  const call = async () => readRpcAnswer(await link.post('/v1/rpc', { jsonrpc: '2.0', id: 1, method, params }))
  let answer = await call()
  if (answer.kind === 'absent' && io.env.BELAY_NO_AUTOSTART !== '1') {
    const { runUp } = await import('./up.ts')
    const quiet = { write: () => undefined }
    await runUp({ detach: true }, { ...io, stdout: quiet, stderr: quiet })
    answer = await call()
  }
  if (answer.kind === 'result') return { ok: true, value: answer.value }
  if (answer.kind === 'absent') return { ok: false, why: hint(io, 'the daemon is not running; a person can start it with: belay up') }
  return { ok: false, why: hint(io, answer.why) }
}

/** Under each of its names; the strictest is the answer. */
function explain(io: CommandIo, command: string, { actor, alsoAs }: Identity): VerbAnswer {
  let answer = explainAs(io, command, actor)
  for (const name of alsoAs) {
    const other = explainAs(io, command, name)
    if (other.code !== 2 && STRICTNESS.indexOf(other.code) > STRICTNESS.indexOf(answer.code)) answer = other
  }
  return answer.code === 2 ? { ok: false, why: answer.problem.trim() } : { ok: true, value: JSON.parse(answer.out) }
}

/** Exit codes: yes, ask, no. */
const STRICTNESS = [0, 3, 1]

function explainAs(
  io: CommandIo,
  command: string,
  actor: string,
): { readonly code: number; readonly out: string; readonly problem: string } {
  let out = ''
  let problem = ''
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (problem += text) }
  const code = runExplain({ words: [command], actor, json: true }, { ...io, stdout, stderr })
  return { code, out, problem }
}

async function serveHttp(parts: McpServerParts, port: number, io: CommandIo): Promise<number> {
  const { serveMcpHttp } = await import('../mcp/serve-mcp-http.ts')
  const token = io.env.BELAY_MCP_TOKEN ?? randomBytes(24).toString('base64url')
  const served = await serveMcpHttp({ port, token, createServer: () => createMcpServer(parts) })
  printLine(io.stdout, served.url)
  if (io.env.BELAY_MCP_TOKEN === undefined) printLine(io.stderr, `Authorization: Bearer ${token}`)
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await served.close()
  return 0
}
