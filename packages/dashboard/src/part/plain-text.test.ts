import { expect, test } from 'vitest'
import { inProject, plainLine, plainText, withoutRule } from './plain-text.ts'

test.each([
  ['plain text stays', 'plain text stays'],
  ['zwei\n\tZeilen, ümlaut, 漢字, 🙂', 'zwei\n\tZeilen, ümlaut, 漢字, 🙂'],
  ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
  ['rm -rf \u202e/ emoh', 'rm -rf \\u202e/ emoh'],
  ['a\u2066b\u2069', 'a\\u2066b\\u2069'],
  ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
  ['bell\u0007 null\u0000 c1\u009b', 'bell\\x07 null\\x00 c1\\x9b'],
  ['carriage\rreturn', 'carriage\\x0dreturn'],
  ['tag \u{e0041}', 'tag \\u{e0041}'],
  ['half \ud800', 'half \\ud800'],
  ['line\u2028separator', 'line\\u2028separator'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
])('%j', (given, shown) => {
  expect(plainText(given)).toBe(shown)
})

test.each([
  ['/w/shop/src/a.ts', '/w/shop', 'src/a.ts'],
  [
    'the rule Read(*) (/w/shop/.belay/genesis.key:3:1), not /w/shop-2/x',
    '/w/shop',
    'the rule Read(*) (.belay/genesis.key:3:1), not /w/shop-2/x',
  ],
  ['/etc/passwd', '/', '/etc/passwd'],
  ['/etc/passwd', null, '/etc/passwd'],
])('%j in %j', (given, project, shown) => {
  expect(inProject(given, project)).toBe(shown)
})

test('a megabyte is cut before anything else is done to it', () => {
  expect(plainText('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxxx…')
})

test.each([
  ['echo a\n  echo b', 'echo a ⏎ echo b'],
  ['a\tb', 'a b'],
])('%j on one line', (given, shown) => {
  expect(plainLine(given)).toBe(shown)
})

test.each([
  ['Pushing is for people. (rule Bash(git push *), /p/.belay/genesis.key:50:20)', 'Bash(git push *)', 'Pushing is for people.'],
  [
    '"git push" is forbidden by the rule Bash(git push *) (.belay/genesis.key:7:16). Tell the person.',
    'Bash(git push *)',
    '"git push" is forbidden. Tell the person.',
  ],
  [
    '"git push" is forbidden by the rule Bash(git *) (genesis.key:7:16).',
    'Bash(git push *)',
    '"git push" is forbidden by the rule Bash(git *) (genesis.key:7:16).',
  ],
  ['no rule covers it', null, 'no rule covers it'],
])('%s beside the rule %s', (text, rule, left) => {
  expect(withoutRule(text, rule)).toBe(left)
})
