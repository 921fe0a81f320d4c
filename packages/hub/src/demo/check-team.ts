// What the demonstration shows, checked: a team whose machines judge alike, whose people decide for each other, and whose ledgers are held,
// cosigned and whole. One line for each.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AgentPlace, callOnce } from './agent-calls.ts'
import type { DemoIo } from './demo.ts'
import type { TeamPlace } from './team-place.ts'

export interface DemoMachine {
  readonly name: string
  readonly home: string
  /** As the hub knows it. */
  readonly machine: string
  readonly agents: readonly AgentPlace[]
}

export interface DemoTeam {
  readonly place: TeamPlace
  readonly url: string
  /** Of its people, by name. */
  readonly tokens: Readonly<Record<string, string>>
  readonly machines: readonly DemoMachine[]
}

const PATIENCE_MS = 120_000
const LOOK_MS = 250

type Check = readonly [what: string, run: (team: DemoTeam) => Promise<string | undefined>]

const CHECKS: readonly Check[] = [
  ['every machine has the policy of the team', checkPolicy],
  ['a forced push is denied and a test allowed, on every machine', checkAlike],
  ['a call that waits on a machine is released by a person at the hub, not by a viewer', checkApproval],
  ['every ledger is held whole and cosigned', checkHeld],
  ['belay-hub verify has nothing to say', checkVerify],
  ['the page opens, lets a token in and shows three machines', checkPage],
]

export async function checkTeam(team: DemoTeam, { out, err }: DemoIo): Promise<number> {
  err('  6/6 checking ...\n')
  let failed = 0
  for (const [what, run] of CHECKS) {
    const why = await run(team).catch(error => String(error))
    out(`${why === undefined ? 'ok    ' : 'FAILED'} ${what}${why === undefined ? '' : `: ${why}`}\n`)
    if (why !== undefined) failed++
  }
  out(`${CHECKS.length - failed} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

/** Until it has nothing to say, or for too long. */
async function eventually(look: () => Promise<string | undefined>): Promise<string | undefined> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const why = await look()
    if (why === undefined || performance.now() > until) return why
    await sleep(LOOK_MS)
  }
}

function checkPolicy({ place, machines }: DemoTeam): Promise<string | undefined> {
  return eventually(async () => {
    for (const { name, home } of machines) {
      const { out } = await place.belay(home, ['policy', 'status', '--json'])
      if ((JSON.parse(out) as { inForce?: number }).inForce !== 1) return `${name} has it not`
    }
    return undefined
  })
}

async function checkAlike({ machines }: DemoTeam): Promise<string | undefined> {
  for (const { name, agents } of machines)
    for (const agent of agents) {
      const denied = await callOnce(agent, `${agent.agent}-check`, 'Bash', { command: 'git push --force origin main' })
      const allowed = await callOnce(agent, `${agent.agent}-check`, 'Bash', { command: 'npm test -- --run' })
      if (denied !== 'deny' || allowed !== 'allow') return `${agent.agent} on ${name} heard ${denied} and ${allowed}`
    }
  return undefined
}

async function checkApproval(team: DemoTeam): Promise<string | undefined> {
  const { machines, tokens } = team
  const [machine] = machines
  const [agent] = machine?.agents ?? []
  if (!machine || !agent) return 'there is no machine'
  const waiting = () =>
    ask(team, 'GET /v1/approvals?state=pending', tokens.abe) as Promise<{ approvals: { machine: string; id: string }[] }>
  // Agents are held for people who look.
  await waiting()
  await sleep(1000)
  const answer = callOnce(agent, `${agent.agent}-held`, 'Bash', { command: 'npm publish --tag next' })
  let id = ''
  const missing = await eventually(async () => {
    id = (await waiting()).approvals.find(request => request.machine === machine.machine)?.id ?? ''
    return id === '' ? 'the hub never heard of it' : undefined
  })
  if (missing !== undefined) return missing
  const decision = { machine: machine.machine, id, decision: 'allow', note: 'go on' }
  const refused = (await ask(team, 'POST /v1/approvals/decide', tokens.vic, decision)) as { error?: string }
  if (refused.error === undefined) return 'a viewer could decide'
  await ask(team, 'POST /v1/approvals/decide', tokens.abe, decision)
  const heard = await answer
  return heard === 'allow' ? undefined : `the agent heard ${heard}`
}

async function checkHeld({ place, machines }: DemoTeam): Promise<string | undefined> {
  for (const { home } of machines) await place.belay(home, ['ledger', 'checkpoint'])
  return eventually(async () => {
    for (const { name, home } of machines) {
      const { state } = JSON.parse((await place.belay(home, ['team', 'status', '--json'])).out) as {
        state: { head: number; acknowledged: number; cosigned: number } | null
      }
      if (!state || state.cosigned === 0 || state.acknowledged < state.cosigned) return `${name}: ${JSON.stringify(state)}`
    }
    return undefined
  })
}

async function checkVerify({ place }: DemoTeam): Promise<string | undefined> {
  const { code, out } = await place.hub('verify')
  return code === 0 ? undefined : out.trim()
}

async function checkPage(team: DemoTeam): Promise<string | undefined> {
  const document = await fetch(team.url)
  if (!(await document.text()).includes('id="page"')) return `the page answers ${document.status}: build it with npm run build`
  const headers = { 'content-type': 'application/json', 'belay-page': '0'.repeat(64) }
  const entered = await fetch(`${team.url}/v1/session`, { method: 'POST', headers, body: JSON.stringify({ token: team.tokens.vic }) })
  const cookie = String(entered.headers.get('set-cookie')).split(';')[0] ?? ''
  const seen = await fetch(`${team.url}/v1/machines`, { headers: { ...headers, cookie } })
  const { machines = [] } = (await seen.json()) as { machines?: unknown[] }
  return machines.length === team.machines.length ? undefined : `it shows ${machines.length} machines`
}

async function ask({ url }: DemoTeam, request: string, token: string | undefined, body?: unknown): Promise<unknown> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return answer.json()
}
