// Policies of the team: publishers publish, everybody reads, machines wait for what is new and say how it goes.
import type { NoteSigner } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import type { Refusals } from '../act/refusals.ts'
import { findDecisions, isWatched } from '../approval/take-approvals.ts'
import { findNewFor, listBundles, readBundleText } from '../bundle/list-bundles.ts'
import { publishBundle } from '../bundle/publish-bundle.ts'
import { listPublishers } from '../bundle/publisher.ts'
import { addCounts, type Count } from '../bundle/roll-out.ts'
import type { Database } from '../database/open-database.ts'
import type { Listening, Pulses } from '../database/pulse.ts'
import { findTaken, keepWork } from '../fleet/fleet.ts'
import { noteContact } from '../machine/note-contact.ts'
import { type Answer, ok, type Routes, refuse } from './route.ts'

const MAX_WAIT_MS = 20_000
/** A machine waits once; what a daemon that was ended left behind ends by itself. */
const MAX_WAITING = 8

export interface BundleRoutesOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly pulses: Pulses
  readonly refusals: Refusals
  /** Somebody is told of every request. */
  readonly hasNotices: boolean
}

export function createBundleRoutes(options: BundleRoutesOptions): Routes {
  return { ...createPersonRoutes(options), ...createMachineRoutes(options) }
}

function createPersonRoutes({ db, signer, refusals }: BundleRoutesOptions): Routes {
  return {
    'GET /v1/bundles': { for: 'viewer', run: async () => ok({ bundles: await listBundles(db) }) },
    'GET /v1/bundle': {
      for: 'viewer',
      run: async ({ query }) => {
        const text = query.get('version')
        if (text !== null && !/^\d{1,9}$/.test(text)) return refuse(400, 'version is a number')
        const found = await readBundleText(db, text === null ? null : Number(text))
        return found ? ok(found) : refuse(404, text === null ? 'nothing was published yet' : `there is no bundle ${text}`)
      },
    },
    'POST /v1/bundles': {
      for: 'publisher',
      run: async ({ body }, person) => {
        if (!isObject(body) || typeof body.bundle !== 'string') return refuse(400, 'bundle is a text')
        const published = await publishBundle(db, signer, person.name, body.bundle)
        if (published.ok) return ok({ version: published.version, hash: published.hash })
        await refusals.note({ actor: `person:${person.name}`, kind: 'bundle_refused', body: { why: published.why } })
        return refuse(published.status, published.why)
      },
    },
    'GET /v1/publishers': { for: 'viewer', run: async () => ok({ publishers: await listPublishers(db) }) },
  }
}

function createMachineRoutes({ db, signer, pulses, hasNotices }: BundleRoutesOptions): Routes {
  const waiting = createCounts()
  return {
    'POST /v1/wait': {
      for: 'machine',
      run: async ({ body }, machine) => {
        const question = parseQuestion(body)
        if (!question) return refuse(400, 'seen is a version, halted a list of versions, decided a list of requests')
        if (question.waitMs > 0 && waiting.count(machine.id) >= MAX_WAITING) return refuse(429, 'this machine waits here often enough')
        const find = async () => {
          const [policies, decisions, watched, taken] = await Promise.all([
            findNewFor(db, question.seen, question.halted),
            findDecisions(db, machine.id, question.decided),
            isWatched(db, hasNotices),
            findTaken(db, machine.id, question.taken),
          ])
          return { ...policies, decisions, isWatched: watched, taken }
        }
        const end = question.waitMs > 0 ? waiting.begin(machine.id) : () => undefined
        try {
          await noteContact(db, machine.id, {})
          return await waitFor({ listen: () => pulses.listen(machine.id), find, question })
        } finally {
          end()
        }
      },
    },
    'POST /v1/report': {
      for: 'machine',
      run: async ({ body }, machine) => {
        if (!isObject(body) || !isObject(body.policy) || !Array.isArray(body.counts))
          return refuse(400, 'policy is an object, counts a list')
        const counts = body.counts.map(parseCount)
        if (!counts.every(count => count !== undefined)) return refuse(400, 'a count is {version, calls, newDenies}')
        await noteContact(db, machine.id, { policy: body.policy })
        await addCounts(db, signer, machine.id, counts)
        if (isObject(body.work)) await keepWork(db, machine.id, body.work)
        return ok({})
      },
    },
  }
}

interface Found {
  readonly bundles: readonly unknown[]
  readonly halted: readonly unknown[]
  readonly decisions: readonly unknown[]
  readonly taken: readonly unknown[]
  readonly isWatched: boolean
}

interface WaitOptions {
  listen(): Listening
  find(): Promise<Found>
  readonly question: Question
}

/** Until there is something new, or for as long as it was asked. */
async function waitFor({ listen, find, question }: WaitOptions): Promise<Answer> {
  const until = performance.now() + question.waitMs
  for (;;) {
    const listening = listen()
    try {
      const found = await find()
      const isNew = found.bundles.length > 0 || found.halted.length > 0 || found.decisions.length > 0 || found.taken.length > 0
      const leftMs = until - performance.now()
      if (isNew || leftMs <= 0 || found.isWatched !== question.isWatched) return ok(found)
      if (!(await listening.wait(leftMs))) return ok(await find())
    } finally {
      listening.end()
    }
  }
}

/** How often each name is there right now. */
function createCounts() {
  const counts = new Map<string, number>()
  const add = (name: string, by: number): void => {
    const sum = (counts.get(name) ?? 0) + by
    if (sum === 0) counts.delete(name)
    else counts.set(name, sum)
  }
  return {
    count: (name: string): number => counts.get(name) ?? 0,
    begin: (name: string): (() => void) => {
      add(name, 1)
      return () => add(name, -1)
    },
  }
}

interface Question {
  readonly seen: number
  readonly halted: readonly number[]
  /** Requests whose decision the machine has. */
  readonly decided: readonly string[]
  /** Efforts that it knows to be taken. */
  readonly taken: readonly number[]
  readonly isWatched: boolean
  readonly waitMs: number
}

function parseQuestion(body: unknown): Question | undefined {
  if (!isObject(body) || !isPlace(body.seen) || !Array.isArray(body.halted) || !body.halted.every(isPlace)) return undefined
  const decided = body.decided ?? []
  if (!Array.isArray(decided) || !decided.every(id => typeof id === 'string')) return undefined
  const taken = body.taken ?? []
  if (!Array.isArray(taken) || !taken.every(isPlace)) return undefined
  const waitMs = isPlace(body.waitMs) ? Math.min(body.waitMs, MAX_WAIT_MS) : 0
  return { seen: body.seen, halted: body.halted, decided, taken, isWatched: body.isWatched === true, waitMs }
}

function parseCount(value: unknown): Count | undefined {
  if (!isObject(value)) return undefined
  const { version, calls, newDenies } = value
  return isPlace(version) && isPlace(calls) && isPlace(newDenies) && newDenies <= calls ? { version, calls, newDenies } : undefined
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
