// RPC verbs: commitments.<operation>, commitments.list, .show, .import, .export. The caller says who it is; a page of the dashboard is a person.
import { basename } from 'node:path'
import { type Commitment, STATES } from '../commitment/board.ts'
import { draftOfEnvelope, envelopeOfEntry, parseEnvelope } from '../commitment/ledger-lines.ts'
import { readOperations } from '../commitment/load-board.ts'
import type { Commitments } from '../commitment/open-commitments.ts'
import { EVIDENCE_KINDS, type EvidenceItem, OPERATIONS, type OperationName, type OperationRequest } from '../commitment/operation.ts'
import { isTier } from '../commitment/tier.ts'
import { isPerson, legalOperations } from '../commitment/transition.ts'
import { agentName, isAgentName } from '../config/agent-name.ts'
import type { Config } from '../config/config-file.ts'
import { findProject } from '../config/project.ts'
import type { RouteCall } from '../http/route.ts'
import { restoreBody } from '../ledger/restore-body.ts'
import { type Params, readText } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RPC_REFUSED, RpcError, type RpcMethod } from '../rpc/rpc.ts'
import type { Binding } from '../state/agent-binding.ts'
import type { Store } from '../store/store.ts'
import { writtenNames } from '../wire/shim-frame.ts'
import type { People } from './person.ts'

export interface CommitmentMethodOptions {
  readonly commitments: Commitments
  readonly store: Store
  readonly home: string
  /** `human:<name>` of this machine. */
  readonly person: string
  readonly people: People
  roleOf(agentId: string): Promise<string | null> | string | null
  bindingOf(secret: string): Binding | null
  /** As it is now. */
  config(): Config
  publish(type: string, data: unknown): void
}

type Method = RpcMethod<RouteCall>

export function createCommitmentMethods(options: CommitmentMethodOptions): readonly (readonly [string, Method])[] {
  const operations = OPERATIONS.map(name => [`commitments.${name}`, operate(name, options)] as const)
  return [
    ...operations,
    ['commitments.list', params => list(params, options)],
    ['commitments.show', params => show(params, options)],
    ['commitments.import', params => importLines(params, options)],
    ['commitments.export', params => exportLines(params, options)],
  ]
}

function operate(name: OperationName, options: CommitmentMethodOptions): Method {
  return async (params, caller) => {
    const request = await readRequest(name, params, caller, options)
    const done = await options.commitments.perform(request)
    if (!done.ok) throw new RpcError(RPC_REFUSED, done.why)
    const { entry, commitment, memory } = done
    options.publish('commitment', { operation: name, actor: request.actor, commitment, memory })
    return { seq: entry.seq, id: entry.id, commitment, memory, actor: request.actor }
  }
}

async function readRequest(
  name: OperationName,
  params: Params,
  caller: RouteCall,
  options: CommitmentMethodOptions,
): Promise<OperationRequest> {
  const tier = readText(params, 'tier')?.toLowerCase() ?? null
  if (tier !== null && !isTier(tier)) throw invalid(`the tier ${tier} is not known: t1, t2 or t3`)
  const { actor, alsoAs, agentId, isProven } = await operatorOf(params, caller, options)
  if (name === 'claim' && !isProven)
    throw new RpcError(
      RPC_REFUSED,
      `${agentId} has a role, and this caller does not have its secret: start the agent with belay run --actor`,
    )
  if (isPerson(actor)) await options.people.need({ method: `commitments.${name}`, params, caller, what: `${name} as ${actor}` })
  const request: OperationRequest = {
    name,
    actor,
    alsoAs,
    agentId,
    root: rootOf(params, options),
    target: readText(params, 'target'),
    text: readText(params, 'text'),
    tags: texts(params, 'tags'),
    tier,
    review: typeof params.review === 'boolean' ? params.review : null,
    source: readText(params, 'source'),
    relation: readText(params, 'relation'),
    evidence: name === 'evidence' ? readEvidence(params) : null,
  }
  if ((name === 'capture' || name === 'commit' || name === 'annotate') && request.text === null) throw invalid(`${name} needs a text`)
  if ((name === 'reject' || name === 'reopen' || name === 'dismiss') && request.text === null) throw invalid(`${name} needs a reason`)
  if (name === 'link' && request.source === null) throw invalid('link needs two ids')
  return request
}

interface Operator extends Pick<OperationRequest, 'actor' | 'alsoAs' | 'agentId'> {
  /** The id is nobody's by a person's word, or the secret for it was shown. */
  readonly isProven: boolean
}

/** The same as for a hook call: a secret proves a role, a name alone can only lower rights, and nobody's word makes a person of an agent. */
async function operatorOf(params: Params, { as }: RouteCall, options: CommitmentMethodOptions): Promise<Operator> {
  const { person, roleOf, bindingOf } = options
  if (as === 'session') return { actor: person, alsoAs: [], agentId: null, isProven: true }
  const secret = readText(params, 'secret')
  const binding = secret === null ? null : bindingOf(secret)
  const agent = readText(params, 'agent')
  const agentId = binding?.agentId ?? readText(params, 'agentId')
  const bound = binding !== null || agentId === null ? null : await roleOf(agentId)
  const names = writtenNames(readText(params, 'actor'), bound === null ? null : agentName(bound))
  const own = agent === null ? person : (options.config().agents?.[agent]?.actor ?? `agent:${agent}`)
  const actor = binding?.role ?? own
  const alsoAs = names.filter(name => isAgentName(name) && name !== actor)
  return { actor, alsoAs, agentId, isProven: bound === null }
}

function rootOf(params: Params, { home }: CommitmentMethodOptions): string {
  return findProject(readText(params, 'cwd') ?? '/', home).root
}

function readEvidence(params: Params): EvidenceItem {
  const kind = EVIDENCE_KINDS.find(known => known === (readText(params, 'kind') ?? 'custom'))
  if (kind === undefined) throw invalid(`evidence is of kind ${EVIDENCE_KINDS.join(', ')}`)
  const item = {
    kind,
    status: readText(params, 'status'),
    url: readText(params, 'url'),
    log: readText(params, 'log'),
    summary: readText(params, 'text'),
  }
  if (item.url === null && item.log === null && item.summary === null) throw invalid('evidence needs a url, a log or a summary')
  return item
}

async function list(params: Params, options: CommitmentMethodOptions): Promise<unknown> {
  const { commitments, memories } = await options.commitments.board()
  const root = params.all === true ? null : rootOf(params, options)
  const [state, actor, tag] = [readText(params, 'state'), readText(params, 'claimedBy'), readText(params, 'tag')]
  if (state !== null && !STATES.some(known => known === state)) throw invalid(`--state ${state}: give ${STATES.join(', ')}`)
  const wanted = ({ state: is, claimedBy, tags, root: place }: Commitment): boolean =>
    (root === null || place === root) &&
    (state === null || is === state) &&
    (actor === null || claimedBy === actor) &&
    (tag === null || tags.includes(tag))
  return {
    commitments: [...commitments.values()].filter(wanted),
    memories: [...memories.values()].filter(memory => !memory.dismissed && (root === null || memory.root === root)),
  }
}

async function show(params: Params, options: CommitmentMethodOptions): Promise<unknown> {
  const id = readText(params, 'id') ?? ''
  const commitment = await options.commitments.find(id)
  if (commitment === null) throw new RpcError(RPC_REFUSED, `there is no commitment ${id}`)
  const history: unknown[] = []
  for await (const entry of readOperations(options.store)) {
    if ((JSON.parse(entry.body) as Params).commitment !== id) continue
    const body = await restoreBody(options.store, entry)
    history.push({ seq: entry.seq, time: entry.time, actor: entry.actor, operation: entry.kind, body })
  }
  return { commitment, legal: legalOperations(commitment), history }
}

async function importLines(params: Params, options: CommitmentMethodOptions): Promise<unknown> {
  const lines = texts(params, 'lines')
  const root = rootOf(params, options)
  const parsed = lines.map((line, index) => ({ ...parseEnvelope(line), line: index + 1 }))
  const refused = parsed.flatMap(each => (each.ok ? [] : [`line ${each.line}: ${each.why}`]))
  if (refused.length > 0) throw new RpcError(RPC_REFUSED, `nothing was imported: ${refused.slice(0, 5).join('; ')}`, { refused })
  const operations = parsed.flatMap(each =>
    each.ok ? [{ draft: draftOfEnvelope(each.envelope, root), eventId: `import ${root} ${each.envelope.id}` }] : [],
  )
  return { imported: operations.length, added: await options.commitments.adopt(operations) }
}

async function exportLines(params: Params, options: CommitmentMethodOptions): Promise<unknown> {
  const root = rootOf(params, options)
  const lines: string[] = []
  for await (const entry of readOperations(options.store)) {
    const body = await restoreBody(options.store, entry)
    if (body.root === root) lines.push(JSON.stringify(envelopeOfEntry(entry, body, basename(root))))
  }
  return { lines }
}

function texts(params: Params, name: string): readonly string[] {
  const value = params[name]
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

function invalid(message: string): RpcError {
  return new RpcError(RPC_INVALID_PARAMS, message)
}
