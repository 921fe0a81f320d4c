// What the page asks of the daemon (POST /v1/rpc), held to by both sides. Verbs of other parts that it uses too are listed with their shapes.
// The stream (GET /v1/events?types=...) carries `row` (RecordRow), `approval` (without `heldUntil`), `agent.status`, `verification` (Verification),
// `hook` (HookProgress) and `gap`.
import type { HeldRequest } from '../approval/request.ts'
import type { Commitment } from '../commitment/board.ts'
import type { FleetAgent } from '../fleet/fleet-agent.ts'
import type { RunningHook } from '../guard/running-hook.ts'
import type { Simulation } from '../guard/simulate.ts'
import type { AgentView, MessageView } from './fleet.ts'
import type { Lanes } from './lanes.ts'
import type { Frame, Overview } from './overview.ts'
import type { AddedRule, Compared, Denials, PatternPreview, PolicyView, Saved, Tried, TriedCall, TriedRecord } from './policy.ts'
import type { RecordDetail, RecordFacets, RecordFilter, RecordPage, RecordRow, Rejudged, Verification } from './record.ts'
import type { Story } from './story.ts'

/** As the page sees it: without the keyed hash. */
export type Approval = Omit<HeldRequest, 'inputHash'>

interface Verb<Params, Result> {
  readonly params: Params
  readonly result: Result
}

type Nothing = Readonly<Record<string, never>>

export interface PageApi {
  readonly 'page.frame': Verb<Nothing, Frame>
  readonly 'page.overview': Verb<{ readonly minutes: number }, Overview>

  readonly 'page.records': Verb<{ readonly filter?: RecordFilter; readonly before?: number; readonly limit?: number }, RecordPage>
  readonly 'page.facets': Verb<{ readonly filter?: RecordFilter }, RecordFacets>
  readonly 'page.record': Verb<{ readonly seq: number }, RecordDetail>
  /** By the agent's own id of the session. */
  readonly 'page.story': Verb<{ readonly session: string }, Story>
  readonly 'page.rejudge': Verb<{ readonly seq: number }, Rejudged>
  /** The proof as `belay ledger prove` prints it; null: no checkpoint covers the entry yet. */
  readonly 'page.proof': Verb<{ readonly seq: number }, { readonly proof: Readonly<Record<string, unknown>> | null }>
  readonly 'page.verify': Verb<{ readonly start?: boolean }, Verification>

  readonly 'hooks.running': Verb<Nothing, { readonly hooks: readonly RunningHook[] }>
  /** A person's; what is stopped counts as failed. Recorded. */
  readonly 'hooks.cancel': Verb<{ readonly id: string }, { readonly cancelled: boolean; readonly hook: RunningHook }>

  readonly 'fleet.list': Verb<Nothing, readonly FleetAgent[]>
  /** ISO times. */
  readonly 'page.lanes': Verb<{ readonly from: string; readonly until: string }, Lanes>
  readonly 'page.agent': Verb<{ readonly agent: string }, AgentView>
  readonly 'page.messages': Verb<{ readonly session: number }, { readonly messages: readonly MessageView[] }>
  readonly 'page.artifact': Verb<{ readonly effort: number; readonly path: string }, { readonly text: string; readonly isCut: boolean }>
  /** A person has looked: a done, error or attention agent becomes checked. */
  readonly 'page.markChecked': Verb<{ readonly agent: string }, { readonly status: string }>

  readonly 'approvals.list': Verb<{ readonly all?: boolean }, { readonly requests: readonly Approval[] }>
  readonly 'approvals.allow': Verb<
    { readonly ids: readonly string[]; readonly always?: string; readonly note?: string },
    {
      readonly decided: readonly Approval[]
      readonly rule?: { readonly pattern: string; readonly actor: string; readonly file: string; readonly isTrusted: boolean }
    }
  >
  readonly 'approvals.deny': Verb<{ readonly ids: readonly string[]; readonly note?: string }, { readonly decided: readonly Approval[] }>
  /** The command of a waiting request cut into units, and a pattern to start from. */
  readonly 'page.approval': Verb<
    { readonly id: string },
    { readonly request: Approval; readonly tried: Tried | null; readonly suggested: string | null }
  >
  readonly 'page.preview': Verb<
    { readonly pattern: string; readonly actor?: string; readonly root?: string; readonly days?: number },
    PatternPreview
  >

  readonly 'commitments.list': Verb<{ readonly state?: string; readonly all?: boolean }, { readonly commitments: readonly Commitment[] }>
  readonly 'page.commitment': Verb<{ readonly id: string }, { readonly commitment: Commitment; readonly timeline: readonly RecordRow[] }>

  readonly 'page.policy': Verb<{ readonly root: string }, PolicyView>
  /** What `belay hooks simulate` says of this call: which hooks would run, which not and why. Nothing outside runs. */
  readonly 'page.simulate': Verb<
    { readonly root: string; readonly event: string; readonly actor: string; readonly tool: string; readonly args: string },
    Simulation
  >
  /** `text`: the project's policy as it stands in the editor; absent: as it stands on disk. */
  readonly 'page.try': Verb<{ readonly root: string; readonly text?: string; readonly call: TriedCall }, Tried>
  /** Recorded calls by the policy as it stands in the editor; what is not a call is left out. */
  readonly 'page.tryRecorded': Verb<
    { readonly root: string; readonly text?: string; readonly seqs: readonly number[] },
    { readonly calls: readonly TriedRecord[] }
  >
  readonly 'page.denials': Verb<{ readonly root: string; readonly days?: number }, Denials>
  readonly 'page.compare': Verb<
    {
      readonly root: string
      readonly text: string
      /** The newest so many; default 500. */
      readonly last?: number
      /** All calls of a range, in place of the last ones; empty: of the whole ledger. */
      readonly filter?: { readonly since?: string; readonly until?: string; readonly session?: string; readonly actor?: string }
    },
    Compared
  >
  /** `confirmed` is what the person typed; `baseHash` is of the text the editor began with (null: there was no file). Recorded. */
  readonly 'page.save': Verb<
    { readonly root: string; readonly text: string; readonly baseHash: string | null; readonly confirmed: true },
    Saved
  >
  /** An allow rule for what was not asked as an approval: what a recorded call would have needed. A person's, recorded. */
  readonly 'page.allow': Verb<
    { readonly root: string; readonly actor: string; readonly pattern: string; readonly confirmed: true },
    AddedRule
  >
}
