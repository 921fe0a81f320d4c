import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { field, textOf, toValue } from './config-node.ts'
import { indexLines } from './line-index.ts'
import { parseText } from './parse-text.ts'

const value = (text: string | Uint8Array, path?: string) => {
  const { root } = parseText(text, path)
  return root === null ? null : toValue(root)
}

describe('JSON', () => {
  it.each([
    ['{"a": [1, "x", null, true]}', 'strict', { a: [1, 'x', null, true] }],
    ['{"a": 1,}', 'tolerant', { a: 1 }],
    ['[1, 2,]', 'tolerant', [1, 2]],
    ['// note\n{"a": /* here */ 1}', 'tolerant', { a: 1 }],
    ['{"a": 1, "a": 2}', 'strict', { a: 2 }],
    ['{,}', 'invalid', null],
    ['[,]', 'invalid', null],
    ['[1,,2]', 'invalid', null],
    ['{"a" 1}', 'invalid', null],
    ['{"a": 1}}', 'invalid', null],
    ['{"a": [1}', 'invalid', null],
    ['{"a": "b\nc"}', 'invalid', null],
    ['', 'invalid', null],
    ['// {\n// }', 'invalid', null],
  ])('%s', (text, parse, expected) => {
    expect([parseText(text, 'x.json').parse, value(text, 'x.json')]).toEqual([parse, expected])
  })

  it.each([
    ['{\r\n  "a": nope\r\n}', 'not JSON: a value is expected', 2, 8],
    ['{"a": "say "no""}', 'not JSON: a comma or the closing bracket is expected', 1, 13],
    ['{"a": ', 'not JSON: the text ends where a value is expected', 1, 7],
  ])('the error of %s has its place', (text, message, line, column) => {
    const { problems } = parseText(text, 'x.json')
    expect(problems.map(problem => ({ message: problem.message, ...indexLines(text)(problem.at) }))).toEqual([{ message, line, column }])
  })

  it('agrees with JSON.parse on what is strict', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-0',
      '01',
      '1.',
      'true',
      'nul',
      ' ',
      '\t',
      '"\\u00e9"',
      '"\\x"',
      '//',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), pieces => {
        const text = pieces.join('')
        const { parse, root } = parseText(text, 'x.json')
        const native = parseNatively(text)
        expect(parse === 'strict').toBe(native.ok)
        if (native.ok && root !== null) expect(toValue(root)).toEqual(native.value)
      }),
      { numRuns: 3000 },
    )
  })

  it('reads any JSON value as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        expect(value(text, 'x.json')).toEqual(JSON.parse(text))
      }),
    )
  })

  it('a key named __proto__ is only a key', () => {
    const parsed = value('{"__proto__": {"polluted": true}, "constructor": 1}', 'x.json')
    expect(Object.keys(parsed as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('nesting of 100,000 levels is passed over, not died of', () => {
    const text = `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "b": 1}`
    const { parse, root, problems } = parseText(text, 'x.json')
    expect([parse, textOf(field(root ?? undefined, 'c')), problems.length]).toEqual(['strict', undefined, 1])
  })
})

function parseNatively(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

describe('encodings', () => {
  const text = '{"a": "é"}'
  const le = Buffer.from(`\ufeff${text}`, 'utf16le')
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', le],
    ['UTF-16 LE without a mark', le.subarray(2)],
    ['UTF-16 BE', Buffer.from(le).swap16()],
    ['UTF-16 BE without a mark', Buffer.from(le).swap16().subarray(2)],
  ])('%s', (_, bytes) => {
    expect(value(bytes)).toEqual({ a: 'é' })
  })
})

describe('formats by content', () => {
  it.each([
    ['{"a": 1}', 'json'],
    ['// x\n{}', 'json'],
    ['["./a.json"]', 'json'],
    ['[[hooks]]\nevent = "Stop"', 'toml'],
    ['[hooks]\na = 1', 'toml'],
    ['# note\nnotify = ["a"]', 'toml'],
    ['---\nname: x\n---\nText', 'frontmatter'],
    ['hooks:\n  stop: []', 'yaml'],
  ])('%s', (text, format) => {
    expect(parseText(text).format).toBe(format)
  })
})

describe('YAML', () => {
  it('follows aliases and takes the last of a doubled key', () => {
    expect(value('a: &x [1]\nb: *x\nc: 1\nc: 2', 'x.yaml')).toEqual({ a: [1], b: [1], c: 2 })
  })
  it('a file that multiplies itself stays small', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 12; level += 1)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      )
    expect(parseText(lines.join('\n'), 'x.yaml').parse).toBe('strict')
  })
  it.each(['a: [', 'a: b: c', '\t- x', `${'['.repeat(50_000)}`])('broken: %.20s', text => {
    const { parse, problems } = parseText(text, 'x.yaml')
    expect([parse, problems.length]).toEqual(['invalid', 1])
  })
  it('frontmatter keeps the places of the whole file', () => {
    const text = '---\r\nname: x\r\nhooks:\r\n  Stop: []\r\n---\r\nhooks: not here\r\n'
    const { root } = parseText(text, 'SKILL.md')
    const hooks = field(root ?? undefined, 'hooks')
    expect(hooks && indexLines(text)(hooks.at)).toEqual({ line: 4, column: 3 })
  })
  it('a document without frontmatter holds nothing', () => {
    expect(parseText('# Title\n', 'SKILL.md')).toMatchObject({ parse: 'strict', root: null, problems: [] })
  })
})

describe('TOML', () => {
  const text = [
    '# hooks',
    '[[hooks]]',
    'event = "Stop"',
    '[hooks.shell]',
    "command = '''",
    '[[hooks]]',
    'event = "no"',
    "'''",
    '[[hooks]]',
    '  event = "SessionEnd"',
  ].join('\n')
  it('knows the line of each table and key', () => {
    const { root } = parseText(text, 'hooks.toml')
    const hooks = field(root ?? undefined, 'hooks')
    const items = hooks?.kind === 'array' ? hooks.items : []
    const lines = items.map(item => [item, field(item, 'event'), field(field(item, 'shell'), 'command')])
    expect(lines.map(row => row.map(node => node && indexLines(text)(node.at)))).toEqual([
      [
        { line: 2, column: 1 },
        { line: 3, column: 1 },
        { line: 5, column: 1 },
      ],
      [{ line: 9, column: 1 }, { line: 10, column: 3 }, undefined],
    ])
  })
  it('an error has its place', () => {
    expect(parseText('a = 1\nb = = 2', 'x.toml')).toMatchObject({ parse: 'invalid', problems: [{ at: 10 }] })
  })
})
