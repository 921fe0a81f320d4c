// Short-lived proof that a person confirmed something at a terminal: bound to the requests it was asked for, used once.
import { randomBytes } from 'node:crypto'
import { findAgent, listAncestors } from './process-ancestry.ts'

export interface PersonTokens {
  /** The token, or why not. */
  mint(confirmation: Confirmation): { readonly ok: true; readonly token: string } | { readonly ok: false; readonly why: string }
  /** Whether it is good for exactly these requests; it is gone then. */
  redeem(token: string, ids: readonly string[]): boolean
}

export interface Confirmation {
  /** The process at the terminal. */
  readonly pid: number
  readonly ids: readonly string[]
  /** What the person typed: the last four characters of the last id. */
  readonly typed: string
}

export const CONFIRMED_CHARACTERS = 4
const LIFE_MS = 60_000

export function createPersonTokens(now: () => number): PersonTokens {
  const tokens = new Map<string, { readonly ids: string; readonly until: number }>()
  return {
    mint({ pid, ids, typed }) {
      const agent = findAgent(listAncestors(pid))
      if (agent !== null) return { ok: false, why: refusalFor(agent.agent, agent.process.pid) }
      const wanted = ids.at(-1)?.slice(-CONFIRMED_CHARACTERS) ?? ''
      if (wanted === '' || typed.trim().toLowerCase() !== wanted)
        return { ok: false, why: 'what was typed is not the end of the id; nothing was decided' }
      for (const [token, { until }] of tokens) if (until < now()) tokens.delete(token)
      const token = randomBytes(24).toString('base64url')
      tokens.set(token, { ids: ids.join(' '), until: now() + LIFE_MS })
      return { ok: true, token }
    },
    redeem(token, ids) {
      const known = tokens.get(token)
      tokens.delete(token)
      return known !== undefined && known.until >= now() && known.ids === ids.join(' ')
    },
  }
}

export function refusalFor(agent: string, pid: number): string {
  return `only people decide approvals, and this command was started by an agent (${agent}, process ${pid}); open a terminal of your own, or use the dashboard`
}
