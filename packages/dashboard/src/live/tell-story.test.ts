import { expect, test } from 'vitest'
import type { RecordRow } from '#page/record.ts'
import type { StoryEntry } from '#page/story.ts'
import { makeRow } from './fixtures.ts'
import { tellStory } from './tell-story.ts'

function entry(seq: number, more: Partial<RecordRow>, subagent: string | null = null): StoryEntry {
  const row = makeRow(seq, more)
  return {
    row,
    subagent: subagent === null ? null : { id: subagent, type: 'explore' },
    text: null,
    context: [],
    hooks: [],
    diffs: [],
    change: null,
  }
}

const prompt = (seq: number) => entry(seq, { event: 'UserPromptSubmit', kind: 'user_prompt_submit', tool: null })
const call = (seq: number, callId: string, subagent: string | null = null) => entry(seq, { callId, summary: callId }, subagent)
const done = (seq: number, callId: string) => entry(seq, { callId, summary: callId, kind: 'post_tool_use' })

test('turns, calls with their ends, and sub-agents below the moment they began', () => {
  const turns = tellStory([
    entry(1, { event: 'SessionStart', kind: 'session_start', tool: null }),
    prompt(2),
    call(3, 'a'),
    call(4, 'x', 'sub'),
    call(5, 'b'),
    call(6, 'y', 'sub'),
    done(7, 'a'),
    prompt(8),
    done(9, 'b'),
  ])
  const seqs = turns.map(({ prompt: asked, items }) => [
    asked?.row.seq ?? null,
    items.map(item =>
      item.kind === 'branch' ? [item.id, ...item.items.map(inner => inner.entries[0]?.row.seq)] : item.entries.map(({ row }) => row.seq),
    ),
  ])
  expect(seqs).toEqual([
    [null, [[1]]],
    [
      2,
      [
        [3, 7],
        ['sub', 4, 6],
        [5, 9],
      ],
    ],
    [8, []],
  ])
})
