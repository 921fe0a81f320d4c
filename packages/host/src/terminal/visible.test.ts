import { spawnSync } from 'node:child_process'
import { styleText } from 'node:util'
import { expect, test } from 'vitest'
import { paint } from './style.ts'
import { escapeForTerminal, escapeHidden, own, unmark, visibleText, withoutOwn } from './visible.ts'

const HOSTILE = [
  '\u001b]0;title\u0007',
  '\u001b[2J\u001b[H',
  '\u001b[8mhidden',
  '\u001bP+q\u001b\\',
  '\u009b31m',
  '\u202eevil\u202c',
  '\u2066a\u2069',
  'a\u200bb',
  'a\u00adb',
  '\u0000',
  '\b\b\b',
  '\u007f',
  'a\u2028b',
  '\ufeff',
]
/** What a terminal must never be given. */
const RAW = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

test.each(HOSTILE)('%j is shown, not obeyed', text => {
  for (const clean of [escapeHidden, escapeForTerminal, visibleText]) expect(clean(`x ${text} y`)).not.toMatch(RAW)
})

test('in JSON the text stays the same', () => {
  for (const text of HOSTILE) expect(JSON.parse(escapeHidden(JSON.stringify({ text })))).toEqual({ text })
})

const RED = (text: string) => styleText('red', text, { validateStream: false })
const io = { isTty: true, env: {} } as unknown as Parameters<typeof paint>[0]

test('colours of ours, lines and tabs stay', () => {
  const text = `${paint(io, 'red', 'deny')}\ta\nb ${paint(io, 'dim', 'x')}`
  const plain = `${RED('deny')}\ta\nb ${styleText('dim', 'x', { validateStream: false })}`
  expect(escapeForTerminal(escapeHidden(text))).toBe(plain)
  expect(unmark(escapeHidden(text))).toBe(plain)
  expect(withoutOwn(text)).toBe('deny\ta\nb x')
  expect(escapeForTerminal(escapeHidden(`${own('\u0007')}new`))).toBe('\u0007new')
  expect(escapeForTerminal(`${own('\r')}## 3 of 5${own('\r')}${own('\u001b[K')}`)).toBe('\r## 3 of 5\r\u001b[K')
})

test.each([1, 2, 3, 4, 7, 22, 31, 32, 36, 39, 90].map(code => `\u001b[${code}m`).concat('\r', '\u001b[K', '\u001b[0;31m'))(
  '%j of others is shown, also where our own commands use it',
  text => {
    for (const clean of [escapeHidden, escapeForTerminal, visibleText]) expect(clean(`x${text}y`)).not.toMatch(/[\u001b\r]/)
    // Inside of what we paint, and around it.
    expect(escapeForTerminal(escapeHidden(paint(io, 'red', text)))).toBe(RED(visibleText(text) === ' ' ? '\\u000d' : visibleText(text)))
  },
)

test('one line stays one line', () => {
  expect(visibleText('a\n\tb\r\nc')).toBe('a b c')
})

test('an agent that writes colours has them shown', () => {
  expect(visibleText('\u001b[32mallow')).toBe('\\u001b[32mallow')
})

test('what bash prints for it is what it was', () => {
  const { stdout } = spawnSync('bash', ['-c', 'printf "%b" "$1"', '-', visibleText('\u202e')], { encoding: 'utf8' })
  expect(stdout).toBe('\u202e')
})
