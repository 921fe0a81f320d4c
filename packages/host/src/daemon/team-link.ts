// The daemon's side of its team: what the thread that talks to the hub needs to know, and what it brings.
import type { EntryDraft } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import type { ApprovalRequest } from '../approval/request.ts'
import { needApprover, needPending } from '../method/approvals.ts'
import { letGoEffort } from '../state/let-go-effort.ts'
import type { WorkParts } from '../state/work-parts.ts'
import { createRecordLimit } from '../team/limit-records.ts'
import { shortenInput } from '../team/shorten-input.ts'
import type { ComparedCount, FromTeam, HubDecision, TakenEffort, UnsentApproval } from '../team/team-message.ts'
import { watchTeam } from '../team/watch-team.ts'
import type { Accountability } from './accountability.ts'

export interface TeamLinkOptions {
  readonly home: string
  readonly version: string
  readonly compared: ComparedCounter
  readonly accountability: Pick<Accountability, 'approvals' | 'presence' | 'onApproval'>
  readonly parts: WorkParts
  /** `human:<name>` of this machine. */
  readonly person: string
  append(draft: EntryDraft): Promise<unknown>
  warn(message: string): void
}

export interface TeamLink {
  stop(): Promise<void>
}

export interface ComparedCounter {
  /** A call was judged by two bundles. */
  count(version: number, isNewDeny: boolean): void
  /** What was counted since this was asked last. */
  take(): readonly ComparedCount[]
}

const TELL_MS = 250
const ACTOR = 'system:team'
/** Kinds of entries that a hub could cause without end. */
const REFUSALS: ReadonlySet<string> = new Set(['hub_decision_refused', 'bundle_refused', 'hub_doubted'])
/** Said again whenever the thread starts: what was decided while the hub was away is made known once. */
const SAID_AGAIN = 200

export function createComparedCounter(): ComparedCounter {
  let counts = new Map<number, { calls: number; newDenies: number }>()
  return {
    count(version, isNewDeny) {
      const sum = counts.get(version) ?? { calls: 0, newDenies: 0 }
      counts.set(version, { calls: sum.calls + 1, newDenies: sum.newDenies + (isNewDeny ? 1 : 0) })
    },
    take() {
      const taken = [...counts].map(([version, sum]) => ({ version, ...sum }))
      if (taken.length > 0) counts = new Map()
      return taken
    },
  }
}

export function openTeamLink(options: TeamLinkOptions): TeamLink {
  const { home, version, compared, accountability, parts, person, append, warn } = options
  const { approvals, presence, onApproval } = accountability
  let leave: (() => void) | null = null
  const limit = createRecordLimit(() => performance.now())
  const record = ({ kind, body }: Pick<EntryDraft, 'kind' | 'body'>): void => {
    const more = REFUSALS.has(kind) ? limit.admit(kind) : {}
    if (more === null) return
    append({ actor: ACTOR, session: null, policy: null, kind, body: { ...body, ...more } }).catch(error =>
      warn(`the ledger took no entry of the team: ${error}`),
    )
  }
  const share = (request: ApprovalRequest): void => watched.tell({ kind: 'approval', approval: shareOf(request, person) })
  const hear = (message: FromTeam): void => {
    if (message.kind === 'record') record(message.entry)
    else if (message.kind === 'watched') watch(message.isWatched)
    else if (message.kind === 'taken') void letGo(message)
    else void decide(message.decision)
  }
  /** It is another machine's now: nobody goes on with it here. */
  const letGo = async ({ id, owner, name }: TakenEffort): Promise<void> => {
    const ended = await letGoEffort(parts, id, name).catch(error => ({ ok: false as const, problem: errorText(error) }))
    if (ended.ok) record({ kind: 'effort_taken', body: { effort: id, owner, name } })
  }
  /** Somebody at the hub is as good as somebody here. */
  const watch = (isWatched: boolean): void => {
    leave?.()
    leave = isWatched ? presence.arrive() : null
  }
  const decide = async ({ id, decision, by, note }: HubDecision): Promise<void> => {
    try {
      const request = needPending(approvals, id)
      needApprover(request, by)
      if (by === person) throw new Error('who asks does not decide')
      await approvals.decide(request, { state: decision, by, note, via: 'hub', always: null })
    } catch (error) {
      record({ kind: 'hub_decision_refused', body: { approval: id, decision, by, why: errorText(error) } })
      const known = approvals.find(id) ?? (await approvals.history(SAID_AGAIN)).find(each => each.id === id)
      if (known && known.state !== 'pending') share(known)
    }
  }
  const watched = watchTeam({
    home,
    version,
    onProblem: warn,
    hear,
    onStart: () => {
      approvals
        .history(SAID_AGAIN)
        .then(found => found.forEach(share))
        .catch(error => warn(`what waits was not told to the team: ${errorText(error)}`))
    },
  })
  onApproval(share)
  const timer = setInterval(() => {
    for (const count of compared.take()) watched.tell({ kind: 'compared', count })
  }, TELL_MS).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return watched.stop()
    },
  }
}

function shareOf(request: ApprovalRequest, person: string): UnsentApproval {
  const { id, state, approvers, expiresAt, decidedBy, note, createdAt, kind, root, agent, actor, agentId, session, commitment } = request
  const { tool, input, reason, rule, origin } = request
  const facts = { kind, root, agent, actor, agentId, session, commitment, tool, input: shortenInput(input), reason, rule, origin }
  const leftMs = Math.max(0, Date.parse(expiresAt) - Date.now())
  return { id, state, facts, requester: person, approvers, leftMs, decidedBy, note, createdAt }
}
