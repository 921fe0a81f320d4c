import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { isOurCommand } from '../agent/hook-command.ts'
import { addHooks, findHooks, removeHooks } from './hook-edit.ts'

const ours = (event: string) => ({
  event,
  value: {
    hooks: [{ type: 'command', command: `exec '/h/bin/belay-hook' --agent claude-code --event ${event} --deadline-ms 1`, timeout: 5 }],
  },
})
const entries = [ours('PreToolUse'), ours('Stop')]

const TEXTS: readonly [string, string][] = [
  ['an empty object', '{}'],
  ['an empty object with a newline', '{}\n'],
  ['an empty object over lines', '{\n}\n'],
  ['a comment alone', '{\n  // mine\n}\n'],
  ['no hooks', '{\n  "model": "opus"\n}\n'],
  ['a comment behind the last member', '{\n  "model": "opus" // the best\n}\n'],
  ['a comment below the last member', '{\n  "model": "opus"\n  // more to come\n}\n'],
  ['a trailing comma', '{\n  "model": "opus",\n}\n'],
  ['a trailing comma and a comment', '{\n  "model": "opus", // mine\n}\n'],
  ['empty hooks', '{\n  "hooks": {}\n}\n'],
  ['empty lists', '{\n  "hooks": {\n    "PreToolUse": [],\n    "Stop": []\n  }\n}\n'],
  ['minified', '{"a":1,"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
  ['on one line, no hooks', '{"model":"opus","permissions":{"allow":[]}}\n'],
  ['on one line with blanks', '{ "hooks": { "PreToolUse": [ { "hooks": [] } ] } }\n'],
  ['tabs', '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{ "matcher": "Bash", "hooks": [] }\n\t\t]\n\t}\n}\n'],
  ['CRLF', '{\r\n  "hooks": {\r\n    "Stop": [\r\n      { "hooks": [] }\r\n    ]\r\n  }\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{\n  "x": 1\n}\n'],
  ['four spaces', '{\n    "hooks": {\n        "PreToolUse": [\n            {"hooks": []}\n        ]\n    }\n}'],
  ['a comment before the first item', '{\n  "hooks": {\n    "Stop": [\n      // first\n      { "hooks": [] }\n    ]\n  }\n}\n'],
  ['a trailing comma in the list', '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [] },\n    ],\n  },\n}\n'],
  ['items on the line of the bracket', '{\n  "hooks": {\n    "Stop": [{\n      "hooks": []\n    }]\n  }\n}\n'],
  ['hooks twice: the last one holds', '{\n  "hooks": {},\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
  ['a trailing comma on one line', '{ "hooks": { "Stop": [ ], }, }'],
  ['a block comment', '{ /* a */ "hooks" /* b */ : { /* c */ } /* d */ }'],
]

function added(text: string): string {
  const edited = addHooks(text, { entries })
  if (!edited.ok) throw new Error(edited.why)
  return edited.text
}

describe('adding', () => {
  test.each(TEXTS)('%s: ours come first, everything else stays', (_title, text) => {
    const now = parse(added(text).replace('\uFEFF', ''))
    const before = parse(text.replace('\uFEFF', '')) ?? {}
    const theirs = (event: string) => before.hooks?.[event] ?? []
    expect(now).toEqual({
      ...before,
      hooks: { ...before.hooks, PreToolUse: [entries[0]?.value, ...theirs('PreToolUse')], Stop: [entries[1]?.value, ...theirs('Stop')] },
    })
  })

  test.each(TEXTS)('%s: no byte of theirs is lost', (_title, text) => {
    let at = 0
    const longer = added(text)
    for (const char of text.replace(/[\s,]/g, '')) at = longer.indexOf(char, at) + 1 || Number.NaN
    expect(at).not.toBeNaN()
  })

  test.each(TEXTS)('%s: line ends and indentation are of the file', (_title, text) => {
    const longer = added(text)
    if (text.includes('\r\n')) expect(longer.replaceAll('\r\n', '')).not.toContain('\n')
    if (text.includes('\n\t')) expect(longer).not.toMatch(/\n +/)
    if (text.length > 3 && !text.trim().includes('\n')) expect(longer.trim()).not.toContain('\n')
  })

  test('a file that is not there', () => {
    expect(JSON.parse(addHooks(null, { entries, beside: { version: 1 } }).ok ? added('') : '').hooks.Stop).toHaveLength(1)
  })

  test.each([
    ['[]', 'it is not a JSON object'],
    ['{"hooks": []}', '`hooks` is not an object'],
    ['{"hooks": {"PreToolUse": {}}}', '`hooks.PreToolUse` is not a list'],
    ['{"hooks": {', 'it is not JSON'],
    ['{"a": 1} x', 'it is not JSON'],
  ])('%s is refused', (text, why) => {
    expect(addHooks(text, { entries })).toMatchObject({ ok: false, why: expect.stringContaining(why) })
  })
})

const tight = (text: string) => text.replace(/\s+([}\]])/g, '$1')

describe('removing', () => {
  test.each(TEXTS)('%s: what was added goes again, byte for byte but for blanks before a closing bracket', (_title, text) => {
    const removed = removeHooks(added(text), isOurCommand, { original: text })
    expect(removed.ok && tight(removed.text)).toBe(tight(text))
  })

  test('what others put beside and into ours stays', () => {
    const text = added('{\n  "hooks": {}\n}\n')
    const theirs = text
      .replace('"timeout": 5\n          }', '"timeout": 5\n          },\n          { "type": "command", "command": "mine" }')
      .replace('"hooks": {', '"hooks": {\n    "PreCompact": [{ "hooks": [] }],')
    const removed = removeHooks(theirs, isOurCommand, { original: null })
    expect(removed.ok && parse(removed.text)).toEqual({
      hooks: { PreCompact: [{ hooks: [] }], PreToolUse: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    })
  })

  test('without an original, keys that only held ours go', () => {
    expect(removeHooks(added('{\n  "x": 1\n}\n'), isOurCommand, { original: null })).toEqual({ ok: true, text: '{\n  "x": 1\n}\n' })
  })
})

test('our commands are found by event', () => {
  expect(
    findHooks(added('{"hooks":{"Stop":[{"hooks":[{"command":"other"}]}]}}'), isOurCommand)
      .map(({ event }) => event)
      .sort(),
  ).toEqual(['PreToolUse', 'Stop'])
})

test.each([
  ['goes with our hooks', '{}', '{\n  "mine": 1\n}\n', '{\n  "mine": 1\n}\n'],
  ['stays where it was before us', '{"version":1}', '{\n  "version": 1,\n  "mine": 1\n}\n', '{\n  "version": 1,\n  "mine": 1\n}\n'],
])('what stands beside hooks %s', (_title, original, edited, left) => {
  const text = addHooks(edited, { entries: [], beside: { version: 1 } })
  const bare = text.ok ? text.text.replace(/,\s*"hooks": \{\}/, '') : ''
  expect(removeHooks(bare, isOurCommand, { original, beside: { version: 1 } })).toEqual({ ok: true, text: left })
})

test('what stands beside the hooks of others stays', () => {
  const text = '{"version":1,"hooks":{"stop":[{"command":"theirs"}]}}'
  expect(removeHooks(text, isOurCommand, { original: '{}', beside: { version: 1 } })).toEqual({ ok: true, text })
})
