// A session as turns: what was asked, what was done about it, call by call, with what sub-agents did below the moment they began.
import type { StoryEntry } from '#page/story.ts'
import { type Call, createCallJoiner } from './join-calls.ts'

export interface StoryCall {
  readonly kind: 'call' | 'mark'
  /** Oldest first: what belongs to one call, or one mark. */
  readonly entries: StoryEntry[]
}

export interface StoryBranch {
  readonly kind: 'branch'
  readonly id: string
  readonly type: string | null
  readonly items: StoryCall[]
}

export interface StoryTurn {
  /** null: what came before the first prompt. */
  readonly prompt: StoryEntry | null
  readonly items: (StoryCall | StoryBranch)[]
}

export function tellStory(entries: readonly StoryEntry[]): readonly StoryTurn[] {
  const turns: StoryTurn[] = []
  const joiner = createCallJoiner()
  const calls = new Map<Call, StoryCall>()
  for (const entry of entries) {
    const { row, subagent } = entry
    if (row.event === 'UserPromptSubmit' && subagent === null) {
      turns.push({ prompt: entry, items: [] })
      continue
    }
    const joined = joiner.join(row)
    const known = joined === null ? undefined : calls.get(joined)
    if (known !== undefined) {
      known.entries.push(entry)
      continue
    }
    const made: StoryCall = { kind: row.tool === null ? 'mark' : 'call', entries: [entry] }
    calls.set(joiner.begin(row), made)
    placeIn(lastOf(turns), made, subagent)
  }
  return turns
}

function lastOf(turns: StoryTurn[]): StoryTurn {
  const last = turns.at(-1)
  if (last !== undefined) return last
  const first: StoryTurn = { prompt: null, items: [] }
  turns.push(first)
  return first
}

/** Several sub-agents at once keep a branch each. */
function placeIn({ items }: StoryTurn, item: StoryCall, subagent: StoryEntry['subagent']): void {
  if (subagent === null) {
    items.push(item)
    return
  }
  const open = items.find(known => known.kind === 'branch' && known.id === subagent.id)
  if (open?.kind === 'branch') open.items.push(item)
  else items.push({ kind: 'branch', ...subagent, items: [item] })
}
