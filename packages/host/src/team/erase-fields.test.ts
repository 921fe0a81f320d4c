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
  ['{"input":{"a":1},"reason":"x"}', ['/output'], '{"input":{"a":1},"reason":"x"}', []],
  // Nothing of it stands in this one, but in words: an approval that was decided, say.
  [
    '{"decidedBy":"human:abe","note":null,"reason":"\\"ls\\" asks"}',
    ['/input/command'],
    '{"decidedBy":"human:abe","note":null}',
    ['/reason'],
  ],
  [
    '{"decidedBy":{"source":"ls"},"hooks":[{"ms":1,"reason":"no ls"}],"input":{"command":"ls","cwd":"y"},"parts":[{"source":"ls"}],"tool":"ls"}',
    ['/input/command'],
    '{"hooks":[{"ms":1}],"input":{"cwd":"y"},"tool":"ls"}',
    ['/input/command', '/decidedBy', '/hooks/0/reason', '/parts'],
  ],
  [
    '{"fields":{"output":["$ git push\\n\\"origin","done"]},"input":{"command":"git push \'origin\'"}}',
    ['/input/command'],
    '{"fields":{"output":[null,"done"]},"input":{}}',
    ['/input/command', '/fields/output/0'],
  ],
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

test('whatever is taken out of the input stands nowhere else, however it was quoted and wrapped', () => {
  for (const text of ['deploy --token abc', 'a"b\\c d\'e', 'two\nlines of it', 'ß→🙂 umlaut', 'x y']) {
    const wraps = [(it: string) => it, (it: string) => `say ${it}!`, JSON.stringify, (it: string) => JSON.stringify(JSON.stringify({ it }))]
    for (const [n, wrap] of wraps.entries()) {
      const body = {
        input: { command: text, deep: [text] },
        fields: { out: wrap(text), [`more-${n}`]: [{ text: wrap(wrap(text)) }] },
        ok: 'fine',
      }
      const { body: left } = eraseFields(JSON.stringify(body), ['/input'])
      expect(left).toMatch(/^\{"fields":\{"more-\d":\[\{\}\]\},"ok":"fine"\}$/)
    }
  }
})
