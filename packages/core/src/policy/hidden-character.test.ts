import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'
import { findHidden, showHidden } from './hidden-character.ts'

function decide(command: string, byDefault: string): { decision: string; reason: string } {
  return JSON.parse(decideBatchLine(JSON.stringify({ id: 1, tool: 'Bash', input: { command }, allow: ['Bash(*)'], default: byDefault })))
}

describe('a character that hides or reorders what a command shows is asked about under every default', () => {
  const hiding = [
    ...[
      '\r',
      '\u001b[2K',
      '\u001b]0;x\u0007',
      '\b',
      '\u007f',
      '\u009b2K',
      '\u200b',
      '\u200e',
      '\u202e',
      '\u2066',
      '\u2028',
      '\ufeff',
      '\u2060',
    ],
    ...['\u00ad', '\u200d', '\u3164', '\u{e0041}'],
  ]
  test.each(hiding.map(text => [showHidden(text), text]))('%s', (shown, text) => {
    for (const command of [`echo a${text}b`, `echo a # x${text}ls`, `${text}echo a`, `echo 'a${text}b'`]) {
      for (const byDefault of ['ask', 'none', 'allow']) expect(decide(command, byDefault).decision).not.toBe('allow')
      expect(decide(command, 'none').reason).not.toContain(text)
      expect(showHidden(command)).toContain(shown)
    }
  })
})

test.each(['echo a\r\necho b\r\n', 'git commit -m "👩‍💻 done"', 'echo "می‌خواهم"', 'echo \t a', 'printf "\\e[0m"'])(
  '%j hides nothing',
  command => {
    expect(findHidden(command)).toBe(-1)
  },
)

test('written out', () => {
  expect(showHidden('a\rb\u001b[2K\u202ec\u{e0041}\n\té')).toBe('a\\rb\\x1b[2K\\u202ec\\u{e0041}\n\té')
})
