// All scenes with one agent, one after the other. Whatever happens, nothing that was started goes on when it is over.
import { type Agent, findAgent } from '@belay/core/adapter'
import { errorText } from '@belay/core/value'
import { versionParts } from '../agent/ask-version.ts'
import type { Env, Headless } from '../agent/host-agent.ts'
import { type Finding, type Seen, type Subject, untried } from './case.ts'
import type { Scene } from './scene/scene.ts'
import { SCENES } from './scenes.ts'
import { openScratch, type Scratch } from './scratch.ts'
import { createStage } from './stage.ts'

export interface CaseResult extends Finding {
  readonly id: string
  readonly title: string
}

export interface ConformOptions {
  readonly agent: Agent
  readonly headless: Headless
  readonly program: string
  readonly env: Env
  /** Of the agent, as it says itself. */
  readonly version: string
  readonly signal: AbortSignal
  /** Only scenes in whose title or cases this stands. */
  readonly only: string | null
  onScene(progress: { readonly title: string; readonly at: number; readonly of: number }): void
  onResult(result: CaseResult): void
}

export interface Conformed {
  readonly cases: readonly CaseResult[]
  /** Why the agent does not run here at all; null: it runs. */
  readonly problem: string | null
}

export async function runConform(options: ConformOptions): Promise<Conformed> {
  const { agent, env, only, onScene, onResult } = options
  const scenes = SCENES.filter(scene => only === null || isNamed(scene, only))
  const cases: CaseResult[] = []
  let problem: string | null = null
  const add = (results: readonly CaseResult[]): void => {
    for (const result of results) {
      cases.push(result)
      onResult(result)
    }
  }
  const scratch = await openScratch({ agent: agent.id, installedFor: agent.id, env, version: versionParts(options.version) })
  try {
    await scratch.up()
    for (const [index, scene] of scenes.entries()) {
      onScene({ title: scene.title, at: index + 1, of: scenes.length })
      const why = problem ?? scene.whyNot?.(options) ?? null
      if (why !== null) {
        add(scene.cases.map(({ id, title }) => ({ id, title, state: problem === null ? 'unsupported' : 'untried', note: why })))
        continue
      }
      const played = await playScene(scene, scratch, options)
      // Where the first run asks its model for nothing, none will.
      if (index === 0 && typeof played !== 'string' && played.turns === 0) problem = whySilent(played)
      add(resultsOf(scene, options, problem ?? played))
    }
  } finally {
    await scratch.close()
  }
  return { cases, problem }
}

/** Ids of cases that stand for the scenes they are in. */
export function caseIds(): readonly string[] {
  return SCENES.flatMap(({ cases }) => cases.map(({ id }) => id))
}

export function hasScene(only: string): boolean {
  return SCENES.some(scene => isNamed(scene, only))
}

function isNamed({ title, cases }: Scene, text: string): boolean {
  return title.includes(text) || cases.some(({ id }) => id === text)
}

/** What was seen, or why nothing was. */
async function playScene(scene: Scene, scratch: Scratch, options: ConformOptions): Promise<Seen | string> {
  const lender = scene.borrows?.(options) ?? null
  const lent = lender === null ? null : await openLent(lender, options)
  const place = lent ?? scratch
  try {
    await lent?.up()
    return await scene.run(createStage({ ...options, scratch: place }))
  } catch (error) {
    options.signal.throwIfAborted()
    return errorText(error)
  } finally {
    await lent?.close()
  }
}

function openLent(lender: string, { agent, env, version }: ConformOptions): Promise<Scratch> {
  const known = findAgent(lender)
  if (known === null) throw new Error(`there is no agent ${lender}`)
  return openScratch({ agent: agent.id, installedFor: known.id, env, version: versionParts(version) })
}

function resultsOf({ cases }: Scene, subject: Subject, seen: Seen | string): readonly CaseResult[] {
  return cases.map(({ id, title, check, lacks }) => {
    if (typeof seen === 'string') return { id, title, ...untried(seen) }
    const found = check(seen)
    // What its contract does not have may hold all the same: that is worth knowing.
    const why = found.state === 'obeyed' || found.state === 'degraded' ? null : (lacks?.(subject) ?? null)
    return { id, title, ...(why === null ? found : { state: 'unsupported' as const, note: why }) }
  })
}

function whySilent({ code, said, isTimedOut }: Seen): string {
  const end = isTimedOut ? 'it did not ask its model for anything in time' : `it ended with ${code} before it asked its model for anything`
  return said === '' ? end : `${end}: ${said}`
}
