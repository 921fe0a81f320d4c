import { expect, test } from 'vitest'
import { mentionedFiles } from './mentioned-files.ts'

test.each<[prompt: unknown, name: string]>([
  ['look at @.env', '.env'],
  ['@.env please', '.env'],
  ['what is in @.env?', '.env'],
  ['compare (@src/a.ts) with it', 'src/a.ts'],
  ['@"my notes/secret.txt" is old', 'my notes/secret.txt'],
  ["@'my notes/secret.txt' is old", 'my notes/secret.txt'],
  ['@my\\ notes.txt', 'my notes.txt'],
  ['@src/app.ts#L10-20', 'src/app.ts'],
  ['@src/app.ts:10-20', 'src/app.ts'],
  ['one\n@/etc/passwd', '/etc/passwd'],
  ['a,@.env', '.env'],
  ['@file:///etc/passwd', '/etc/passwd'],
])('%j names %s', (prompt, name) => {
  expect(mentionedFiles(prompt)).toContainEqual({ tool: 'Read', input: { file_path: name } })
})

test.each(['write to me@example.org', 'nothing here', 'an @ alone', 7])('%j names no file', prompt => {
  expect(mentionedFiles(prompt)).toEqual([])
})

test('a prompt of a great many of them is cut short', () => {
  expect(mentionedFiles(Array.from({ length: 20_000 }, (_, at) => `@f${at}`).join(' ')).length).toBeLessThan(10_010)
})
