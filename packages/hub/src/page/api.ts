// What the page is told, by request: the types to which both sides are held. Moments go over the wire as text.
import type { ApprovalRow } from '../approval/decide-approval.ts'
import type { BundleRow } from '../bundle/list-bundles.ts'
import type { FleetMachine } from '../fleet/fleet.ts'
import type { LiveEntry } from '../http/live-entries.ts'
import type { FoundEntry } from '../http/search-entries.ts'
import type { EntryView, Me } from '../http/view-routes.ts'
import type { MachineRow } from '../witness/list-machines.ts'
import type { MachineReport } from '../witness/verify-hub.ts'

export type Sent<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Sent<T[Key]> }
      : T

export interface HubApi {
  '/v1/me': Sent<Me>
  '/v1/machines': { readonly machines: readonly Sent<MachineRow>[] }
  '/v1/fleet': { readonly machines: readonly Sent<FleetMachine>[] }
  '/v1/live': { readonly entries: readonly Sent<LiveEntry>[] }
  '/v1/entries': { readonly entries: readonly Sent<FoundEntry>[]; readonly searched: string }
  '/v1/entry': Sent<EntryView>
  '/v1/verify': Sent<MachineReport>
  '/v1/approvals': { readonly approvals: readonly Sent<ApprovalRow>[] }
  '/v1/bundles': { readonly bundles: readonly Sent<BundleRow>[] }
  '/v1/acts': { readonly acts: readonly Act[] }
}

export interface Act {
  readonly seq: number
  readonly time: string
  readonly actor: string
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

export type Machine = HubApi['/v1/machines']['machines'][number]
export type Request = HubApi['/v1/approvals']['approvals'][number]
export type Bundle = HubApi['/v1/bundles']['bundles'][number]
export type Live = HubApi['/v1/live']['entries'][number]
