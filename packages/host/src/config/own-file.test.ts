import { linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { appendOwnFile, readOwnFile, refuseTaskDir } from './own-file.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-own-')))
const at = (path: string) => join(folder, path)
for (const name of ['task', '.belay', 'secret']) mkdirSync(at(name))
writeFileSync(at('secret/.env'), 'KEY=1')
writeFileSync(at('task/plain.md'), 'text')
symlinkSync(at('secret/.env'), at('task/soft.md'))
linkSync(at('secret/.env'), at('task/hard.md'))
symlinkSync(at('secret'), at('task/inner'))
symlinkSync(at('.belay'), at('sideways'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['task/plain.md', 'text'],
  ['task/soft.md', null],
  ['task/hard.md', null],
  ['task/inner/.env', null],
  ['secret/.env', null],
  ['task/missing.md', null],
  ['task/inner', null],
])('reading %s through the task gives %j', (path, text) => {
  expect(readOwnFile(at(path), at('task'))).toBe(text)
})

test.each(['task/soft.md', 'task/hard.md'])('nothing is appended through %s', path => {
  expect(appendOwnFile(at(path), 'more').ok).toBe(false)
  expect(readFileSync(at('secret/.env'), 'utf8')).toBe('KEY=1')
})

test('a file is made, and added to', () => {
  expect([appendOwnFile(at('task/log.md'), 'a').ok, appendOwnFile(at('task/log.md'), 'b').ok]).toEqual([true, true])
  expect(readFileSync(at('task/log.md'), 'utf8')).toBe('ab')
})

test.each([
  ['task', null],
  ['new/deep', null],
  ['.', null],
  ['..', 'not inside the project'],
  ['.belay/tasks', 'holds configuration'],
  ['sideways/x', 'holds configuration'],
  ['task/../.git', 'holds configuration'],
])('a task in %s: %j', (path, why) => {
  const refused = refuseTaskDir(at(path), folder)
  if (why === null) expect(refused).toBeNull()
  else expect(refused).toContain(why)
})
