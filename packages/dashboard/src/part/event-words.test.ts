import { expect, test } from 'vitest'
import { eventWords } from './event-words.ts'

test.each([
  ['UserPromptSubmit', 'user_prompt_submit', 'prompt'],
  [null, 'approval_requested', 'held for a person'],
  [null, 'person_check', 'for people only'],
  [null, 'policy_change', 'policy change'],
])('%s, %s: %s', (event, kind, words) => {
  expect(eventWords({ event, kind })).toBe(words)
})
