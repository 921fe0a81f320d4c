// Everything between this machine and its hub, side by side: the upload of the ledger, what the hub has for us, what we have for it.
import { BoundedMap, isObject } from '@belay/core/value'
import type { Store } from '../store/store.ts'
import { createApprovalRelay } from './approval-relay.ts'
import { describePolicy } from './describe-policy.ts'
import { createHubDoubts } from './hub-doubts.ts'
import { createHubSession } from './hub-session.ts'
import type { Membership } from './membership.ts'
import { createPolicyKeeper } from './policy-keeper.ts'
import { readWork } from './read-work.ts'
import { readPolicies, runListener } from './run-listener.ts'
import { createReporter } from './run-reporter.ts'
import { runUploader } from './run-uploader.ts'
import type { FromTeam, TakenEffort, TeamEntry, ToTeam } from './team-message.ts'
import { watchRecord } from './watch-record.ts'

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
const MAX_TAKEN = 1000
const MAX_NAME = 200

export function runTeam(options: TeamOptions): RunningTeam {
  const { home, membership, signal, tell } = options
  const ask = createHubSession(home, membership, signal)
  const record = (entry: TeamEntry): void => tell({ kind: 'record', entry })
  const keeper = createPolicyKeeper({ home, membership, now: Date.now, record })
  const doubts = createHubDoubts(record)
  const approvals = createApprovalRelay({
    ask,
    since: membership.joinedAt,
    onRefused: (id, why) => doubts.add(`people at the hub cannot see the request ${id}: ${why}`),
  })
  const reporter = createReporter({
    ask,
    approvals,
    policy: () => describePolicy(keeper.state()),
    work: async () => (membership.upload === 'none' ? null : readWork(options.store, membership.handOvers !== false)),
  })
  const clock = setInterval(keeper.look, CLOCK_MS)
  /** As the hub said last, and as the daemon was told: a machine that keeps its approvals to itself is told of no one. */
  const watched = { said: false, told: false }
  const taken = new BoundedMap<number, true>(MAX_TAKEN)
  const watch = (said: boolean): void => {
    const told = said && membership.approvals !== false
    if (told !== watched.told) tell({ kind: 'watched', isWatched: told })
    Object.assign(watched, { said, told })
  }
  const listening = runListener({
    ask: createHubSession(home, membership, signal),
    question: () => ({
      seen: keeper.state().seen?.version ?? 0,
      halted: keeper.state().halted.map(({ version }) => version),
      decided: approvals.decided(),
      isWatched: watched.said,
      taken: [...taken.keys()],
    }),
    hear: answer => {
      keeper.take(readPolicies(answer))
      watch(answer.isWatched === true)
      for (const effort of readTaken(answer)) {
        if (taken.get(effort.id) === undefined) tell({ kind: 'taken', ...effort })
        taken.set(effort.id, true)
      }
      const decisions = approvals.read(answer)
      for (const decision of decisions) tell({ kind: 'decision', decision })
      return decisions.some(({ id }) => approvals.isAsked(id))
    },
    note: error => {
      if (error !== null) watch(false)
    },
    signal,
  })
  const watching = watchRecord({ home, membership, ask, doubts, signal })
  const ended = Promise.all([runUploader({ ...options, doubts }), listening, reporter.run(signal), watching]).then(() =>
    clearInterval(clock),
  )
  return {
    hear: message => {
      if (message.kind === 'compared') {
        keeper.count(message.count)
        reporter.count(message.count)
      } else if (message.kind === 'approval' && membership.approvals !== false) {
        approvals.add(message.approval)
        reporter.wake()
      }
    },
    ended,
  }
}

function readTaken({ taken }: Readonly<Record<string, unknown>>): readonly TakenEffort[] {
  return (Array.isArray(taken) ? taken : []).flatMap(each => {
    if (!isObject(each) || typeof each.id !== 'number' || typeof each.owner !== 'string') return []
    return [{ id: each.id, owner: each.owner, name: typeof each.name === 'string' ? each.name.slice(0, MAX_NAME) : each.owner }]
  })
}
