// The daemon's side of the page: its verbs and the export. Loaded when a page first asks: a daemon that nobody looks at does without.
import type { EventFeed } from '../../feed/event-feed.ts'
import type { Route, RouteCall } from '../../http/route.ts'
import type { FindUnguarded } from '../../method/unguarded.ts'
import type { RpcMethod } from '../../rpc/rpc.ts'
import type { Doings } from '../../statistic/doings.ts'
import type { PageParts } from './page-parts.ts'
import { PAGE_VERBS } from './page-verb.ts'

/** What the page needs of the engine behind the daemon. */
export interface PageEngine extends Pick<PageParts, 'ledger' | 'guards' | 'state' | 'tally' | 'person'> {
  readonly accountability: Pick<PageParts, 'approvals' | 'commitments' | 'heldUntil'>
}

export interface PageOptions {
  readonly engine: PageEngine
  readonly feed: EventFeed
  readonly doings: Doings
  readonly home: string
  readonly place: PageParts['place']
  readonly unguarded: FindUnguarded
  readonly version: string
  readonly startedAt: number
}

export interface Page {
  readonly methods: readonly (readonly [string, RpcMethod<RouteCall>])[]
  readonly routes: readonly Route[]
}

export function openPage({ engine, ...facts }: PageOptions): Page {
  const { ledger, guards, state, tally, person, accountability } = engine
  const { approvals, commitments, heldUntil } = accountability
  const parts: PageParts = {
    ...facts,
    ledger,
    guards,
    state,
    tally,
    person,
    approvals,
    commitments,
    heldUntil,
    redact: state.parts.redact,
    now: Date.now,
  }
  let loading: Promise<ReadonlyMap<string, RpcMethod<RouteCall>>> | null = null
  const load = async () => new Map((await import('./page-methods.ts')).createPageMethods(parts))
  const call = (name: string): RpcMethod<RouteCall> => {
    return async (params, caller) => {
      loading ??= load()
      return (await loading).get(name)?.(params, caller)
    }
  }
  return { methods: PAGE_VERBS.map(name => [name, call(name)] as const), routes: [exportRoute(parts)] }
}

function exportRoute({ ledger: { store } }: PageParts): Route {
  return {
    method: 'GET',
    path: '/v1/export',
    summary: 'Entries of the ledger as ?format=jsonl or csv, narrowed like `belay ledger export` (actor, kind, tool, verdict, since, ...).',
    run: async call => (await import('./export-entries.ts')).exportEntries(store, call),
  }
}
