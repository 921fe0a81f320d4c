// The verbs of the page, held to its contract by their types. Reading is free to whoever reached the daemon; changing needs a person.

import type { RouteCall } from '../../http/route.ts'
import { proveEntry } from '../../ledger/prove-entry.ts'
import type { PageApi } from '../../page/api.ts'
import type { TriedCall } from '../../page/policy.ts'
import { needText, type Params, readFlag, readRecord, readText, readWhole } from '../../rpc/param.ts'
import { RPC_REFUSED, RpcError, type RpcMethod } from '../../rpc/rpc.ts'
import { MAX_MINUTES } from '../../statistic/minute-tally.ts'
import { markAgentChecked, readAgent, readArtifact, readMessages } from './agent-view.ts'
import { readApproval } from './approval-view.ts'
import { readCommitment } from './commitment-view.ts'
import { compareLast, compareRange } from './compare-policy.ts'
import { listDenials } from './denials.ts'
import { draftPolicy, needRoot, readPolicyParam } from './draft-policy.ts'
import { createFrame } from './frame.ts'
import { readLanes, readRange } from './lanes.ts'
import { countFacets, listRecords } from './list-records.ts'
import { readOverview } from './overview.ts'
import type { PageParts } from './page-parts.ts'
import type { PageVerb } from './page-verb.ts'
import { readPolicy } from './policy-view.ts'
import { previewPattern } from './preview-pattern.ts'
import { invalid, readFilter } from './read-filter.ts'
import { needEntry, readDetail } from './record-detail.ts'
import { rejudge } from './rejudge.ts'
import { allowAlways, savePolicy } from './save-policy.ts'
import { simulateCall } from './simulate-call.ts'
import { readStory } from './story.ts'
import { tryCall } from './try-call.ts'
import { readSeqs, tryRecorded } from './try-recorded.ts'
import { createVerifier } from './verification.ts'

type Methods = { readonly [Name in PageVerb]: (params: Params, caller: RouteCall) => Promise<PageApi[Name]['result']> }

const ANY_SEQ = { min: 1, max: Number.MAX_SAFE_INTEGER }

export function createPageMethods(parts: PageParts): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  return Object.entries({ ...ledgerMethods(parts), ...fleetMethods(parts), ...policyMethods(parts) } satisfies Methods)
}

function ledgerMethods(parts: PageParts) {
  const { store } = parts.ledger
  const frame = createFrame(parts)
  const verifier = createVerifier(parts)
  return {
    'page.frame': () => frame(),
    'page.overview': async (params: Params) =>
      readOverview(parts, readWhole(params, 'minutes', { min: 1, max: MAX_MINUTES, fallback: 60 })),
    'page.records': async (params: Params) =>
      listRecords(store, {
        filter: filterOf(params),
        before: params.before === undefined ? null : readWhole(params, 'before', ANY_SEQ),
        limit: readWhole(params, 'limit', { min: 1, max: 500, fallback: 100 }),
      }),
    'page.facets': async (params: Params) => countFacets(store, filterOf(params)),
    'page.record': async (params: Params) => readDetail(store, seqOf(params)),
    'page.story': async (params: Params) => readStory(parts, needText(params, 'session')),
    'page.rejudge': async (params: Params) => rejudge(parts, seqOf(params)),
    'page.proof': async (params: Params) => {
      const proof = await proveEntry(store, await needEntry(store, seqOf(params)))
      return { proof: proof === undefined ? null : { ...proof } }
    },
    'page.verify': async (params: Params) => (readFlag(params, 'start') ? verifier.start() : verifier.current()),
    'page.commitment': async (params: Params) => readCommitment(parts, needText(params, 'id')),
  }
}

function fleetMethods(parts: PageParts) {
  return {
    'page.lanes': async (params: Params) => readLanes(parts, readRange(params)),
    'page.agent': async (params: Params) => readAgent(parts, needText(params, 'agent')),
    'page.messages': async (params: Params) => readMessages(parts, readWhole(params, 'session', ANY_SEQ)),
    'page.artifact': async (params: Params) =>
      readArtifact(parts, { effort: readWhole(params, 'effort', ANY_SEQ), path: needText(params, 'path') }),
    'page.markChecked': async (params: Params, caller: RouteCall) => {
      needPerson(caller)
      return markAgentChecked(parts, needText(params, 'agent'))
    },
    'page.approval': async (params: Params) => readApproval(parts, needText(params, 'id')),
  }
}

function policyMethods(parts: PageParts) {
  return {
    'page.policy': async (params: Params) => readPolicy(parts, needRoot(parts, params)),
    'page.try': async (params: Params) => tryCall(draftPolicy(parts, needRoot(parts, params), readPolicyParam(params)), callOf(params)),
    'page.simulate': async (params: Params) => simulateCall(parts, needRoot(parts, params), params),
    'page.tryRecorded': async (params: Params) =>
      tryRecorded(parts, draftPolicy(parts, needRoot(parts, params), readPolicyParam(params)), readSeqs(params)),
    'page.denials': async (params: Params) =>
      listDenials(parts, needRoot(parts, params), readWhole(params, 'days', { min: 1, max: 90, fallback: 7 })),
    'page.compare': async (params: Params) => {
      const draft = { root: needRoot(parts, params), text: needPolicyText(params) }
      if (readRecord(params, 'filter') !== null) return compareRange(parts, draft, filterOf(params))
      return compareLast(parts, { ...draft, last: readWhole(params, 'last', { min: 1, max: 2000, fallback: 500 }) })
    },
    'page.preview': async (params: Params) =>
      previewPattern(parts, {
        pattern: needText(params, 'pattern'),
        actor: readText(params, 'actor'),
        root: readText(params, 'root') === null ? null : needRoot(parts, params),
        days: readWhole(params, 'days', { min: 1, max: 90, fallback: 7 }),
      }),
    'page.save': async (params: Params, caller: RouteCall) => {
      needConfirmation(params, caller)
      const baseHash = readText(params, 'baseHash')
      return savePolicy(parts, { root: needRoot(parts, params), text: needPolicyText(params), baseHash })
    },
    'page.allow': async (params: Params, caller: RouteCall) => {
      needConfirmation(params, caller)
      return allowAlways(parts, { root: needRoot(parts, params), actor: needText(params, 'actor'), pattern: needText(params, 'pattern') })
    },
  }
}

function filterOf(params: Params) {
  return readFilter(readRecord(params, 'filter') ?? {})
}

function seqOf(params: Params): number {
  return readWhole(params, 'seq', ANY_SEQ)
}

function needPolicyText(params: Params): string {
  const text = readPolicyParam(params)
  if (text === null) throw invalid('text is missing.')
  return text
}

function callOf(params: Params): TriedCall {
  const call = readRecord(params, 'call')
  const input = call === null ? null : readRecord(call, 'input')
  if (call === null) throw invalid('call is missing.')
  if (input === null) throw invalid('call.input is missing.')
  const cwd = readText(call, 'cwd')
  return { actor: needText(call, 'actor'), tool: needText(call, 'tool'), input, ...(cwd === null ? {} : { cwd }) }
}

function needPerson({ as }: RouteCall): void {
  if (as !== 'session') throw new RpcError(RPC_REFUSED, 'only people do this: open the page with `belay dashboard`')
}

function needConfirmation(params: Params, caller: RouteCall): void {
  needPerson(caller)
  if (params.confirmed !== true) throw invalid('confirmed must be true: a person has to say so.')
}
