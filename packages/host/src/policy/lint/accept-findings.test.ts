import { expect, test } from 'vitest'
import { lintFile } from './lint-file.ts'

function lint(rule: string, prove = false) {
  const text = `version: "2.0"\npermissions:\n  default: deny\n  actors:\n    "agent:*":\n      allow:\n        - ${rule}\n        - "Read(*)"\n`
  const { findings, accepted } = lintFile(text, 'x.key', { prove })
  return {
    found: findings.map(({ code, message }) => `${code}: ${message}`),
    accepted: accepted.map(({ code, place }) => `${code} ${place.line}`),
  }
}

const BROAD = 'broad-allow: allow Bash(node *) lets through more than it looks like: node runs whatever it is given'

test.each([
  ['with the reason', '"Bash(node *)" # lint broad-allow: files of the project', { found: [], accepted: ['broad-allow 7'] }],
  [
    'without one it is not accepted',
    '"Bash(node *)" # lint broad-allow',
    { found: [BROAD, 'doubtful-setting: `lint broad-allow` does not say why'], accepted: [] },
  ],
  [
    'of another code',
    '"Bash(node *)" # lint shadowed-rule: because',
    { found: [BROAD, 'doubtful-setting: nothing is found here that `lint shadowed-rule` could accept'], accepted: [] },
  ],
  [
    'of a code that there is not',
    '"Bash(node *)" # lint broad: because',
    { found: [BROAD, 'doubtful-setting: lint has no code broad'], accepted: [] },
  ],
  [
    'where nothing is found any more',
    '"Bash(ls *)" # lint broad-allow: because',
    { found: ['doubtful-setting: nothing is found here that `lint broad-allow` could accept'], accepted: [] },
  ],
  ['of what was not looked for', '"Bash(ls *)" # lint escaped-deny: because', { found: [], accepted: [] }],
  ['a comment about something else', '"Bash(ls *)" # linting is fine', { found: [], accepted: [] }],
  ['a rule that holds such a text', `"Bash(echo '# lint it *)"`, { found: [], accepted: [] }],
])('%s', (_title, rule, expected) => {
  const sorted = ({ found, accepted }: ReturnType<typeof lint>) => ({ found: found.toSorted(), accepted })
  expect(sorted(lint(rule))).toEqual(sorted(expected))
})

test('that a policy is not valid cannot be accepted', () => {
  const { findings, accepted } = lintFile('version: "9" # lint invalid-policy: later\n', 'x.key', { prove: false })
  expect([findings.some(({ code }) => code === 'invalid-policy'), accepted]).toEqual([true, []])
  expect(findings.map(({ message }) => message)).toContain('that a policy is not valid cannot be accepted')
})
