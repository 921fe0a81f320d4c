// Everything between this machine and its hub, side by side: the upload of the ledger, what the hub has for us, what we have for it.
import type { Store } from '../store/store.ts'
import { createHubSession } from './hub-session.ts'
import type { Membership } from './membership.ts'
import { createPolicyKeeper } from './policy-keeper.ts'
import { readPolicies, runListener } from './run-listener.ts'
import { createReporter } from './run-reporter.ts'
import { runUploader } from './run-uploader.ts'
import type { FromTeam, ToTeam } from './team-message.ts'

export interface TeamOptions {
  readonly home: string
  readonly store: Store
  readonly membership: Membership
  readonly version: string
  readonly signal: AbortSignal
  tell(message: FromTeam): void
}

export interface RunningTeam {
  hear(message: ToTeam): void
  readonly ended: Promise<void>
}

const CLOCK_MS = 1000

export function runTeam(options: TeamOptions): RunningTeam {
  const { home, membership, signal, tell } = options
  const ask = createHubSession(home, membership, signal)
  const keeper = createPolicyKeeper({ home, membership, now: Date.now, record: entry => tell({ kind: 'record', entry }) })
  const reporter = createReporter({ ask, policy: () => describePolicy(keeper.state()) })
  const clock = setInterval(keeper.look, CLOCK_MS)
  const listening = runListener({
    ask: createHubSession(home, membership, signal),
    question: () => ({ seen: keeper.state().seen?.version ?? 0, halted: keeper.state().halted.map(({ version }) => version) }),
    hear: answer => keeper.take(readPolicies(answer)),
    note: () => undefined,
    signal,
  })
  const ended = Promise.all([runUploader(options), listening, reporter.run(signal)]).then(() => clearInterval(clock))
  return {
    hear: message => {
      if (message.kind !== 'compared') return
      keeper.count(message.count)
      reporter.count(message.count)
    },
    ended,
  }
}

function describePolicy(state: ReturnType<ReturnType<typeof createPolicyKeeper>['state']>): Readonly<Record<string, unknown>> {
  const { seen, chosen, since, pinned, refused, halted } = state
  return {
    seen: seen?.version ?? 0,
    seenHash: seen?.hash ?? null,
    inForce: chosen?.inForce ?? null,
    isStale: chosen?.isStale ?? false,
    since,
    pinned,
    refused: refused?.why ?? null,
    halted: halted.map(({ version }) => version),
  }
}
