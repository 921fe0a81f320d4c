// Whether the agent itself, and not only our canary, calls us: a closed trust gate lets nothing through and says nothing.
import type { Agent } from '@belay/core/adapter'
import { makeDoctorName } from '../fleet/doctor-name.ts'
import type { Finding } from '../install/finding.ts'
import { canTry, tryAgent } from './try-agent.ts'

export interface TrustOptions {
  /** The agent's command; null: it is not here, or must not be started. */
  readonly program: string | null
  readonly home: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the ledger has, or gets within a moment, a call with this text. */
  hasCall(text: string): Promise<boolean>
  /** When the agent itself last called; null: never, as far as the ledger goes. */
  lastCall(): Promise<string | null | 'unknown'>
}

/** As far as anybody can tell. */
const NEVER: readonly (string | null)[] = [null, 'unknown']

export async function checkTrust(agent: Agent, options: TrustOptions): Promise<Finding> {
  const about = { agent: agent.id, check: 'trust' }
  if (agent.runsNoHooks !== null && NEVER.includes(await options.lastCall()))
    return { ...about, state: 'fail', message: agent.runsNoHooks, remedy: 'belay mcp-proxy -- COMMAND... for its MCP servers' }
  const tried = options.program === null || !canTry(agent.id) ? null : await tryLive(agent, options.program, options)
  if (tried !== null && tried.kind === 'found') return { ...about, ...tried.finding }
  const why = tried === null ? '' : ` (it could not be tried now: ${tried.why})`
  const last = await options.lastCall()
  if (last === 'unknown')
    return { ...about, state: 'note', message: `whether the agent itself has called is not known: there is no ledger to look in${why}` }
  if (last !== null) return { ...about, state: 'ok', message: `the agent itself has called, last at ${last}${why}` }
  const remedy = agent.trustGate ?? 'start it and look again'
  return { ...about, state: 'note', message: `the agent itself has not called yet${why}`, remedy }
}

type Tried =
  | { readonly kind: 'found'; readonly finding: Pick<Finding, 'state' | 'message' | 'remedy'> }
  | { readonly kind: 'unclear'; readonly why: string }

async function tryLive(agent: Agent, program: string, { home, cwd, env, hasCall }: TrustOptions): Promise<Tried> {
  const mark = makeDoctorName(Date.now())
  const trial = await tryAgent({ agent: agent.id, program, command: `true # ${mark}`, cwd, env: { ...env, AGENT_ID: mark }, home })
  if (trial.hasAsked && (await hasCall(mark)))
    return {
      kind: 'found',
      finding: { state: 'ok', message: `started with a model of ours, ${agent.name} itself asked before it ran a command` },
    }
  if (trial.hasGoneOn) {
    const remedy = agent.trustGate ?? `belay install ${agent.id}`
    return { kind: 'found', finding: { state: 'fail', message: `${agent.name} ran a command and did not ask: nothing is guarded`, remedy } }
  }
  return { kind: 'unclear', why: trial.said === '' ? 'it ended without a word' : trial.said.slice(0, 200) }
}
