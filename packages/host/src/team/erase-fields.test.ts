import { expect, test } from 'vitest'
import { eraseFields, eraseProblem } from './erase-fields.ts'

test.each<[string, readonly string[], string, readonly string[]]>([
  ['{"a":1,"input":{"command":"x","cwd":"y"}}', ['/input/command'], '{"a":1,"input":{"cwd":"y"}}', ['/input/command']],
  ['{"a":[{"b":1},{"b":2}]}', ['/a/1/b'], '{"a":[{"b":1},{}]}', ['/a/1/b']],
  ['{"a":[1,2]}', ['/a/0'], '{"a":[null,2]}', ['/a/0']],
  ['{"a/b":{"c~d":1}}', ['/a~1b/c~0d'], '{"a/b":{}}', ['/a~1b/c~0d']],
  ['{"a":1}', ['/b', '/a/b', '/constructor', '/__proto__/x'], '{"a":1}', []],
  ['{"a":{"b":1},"c":2}', ['/a', '/a/b', '/c'], '{}', ['/a', '/c']],
  ['{"":1}', ['/'], '{}', ['/']],
])('%s without %j', (body, pointers, left, erased) => {
  expect(eraseFields(body, pointers)).toEqual({ body: left, erased })
})

test.each<[readonly string[], string, RegExp | undefined]>([
  [['/input/command', '/a~1b'], 'bodies', undefined],
  [[], 'index', undefined],
  [['/a'], 'index', /goes with --upload bodies/],
  [['input'], 'bodies', /is a JSON pointer/],
  [['/a~2'], 'bodies', /is a JSON pointer/],
])('%j with %s', (pointers, upload, problem) => {
  const said = eraseProblem(pointers, upload)
  if (problem === undefined) expect(said).toBeUndefined()
  else expect(said).toMatch(problem)
})
