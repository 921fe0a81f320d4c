// What must hold for every rule set and every command: tightening never allows more, order never matters, spelling never
// turns a deny into an allow. BELAY_FUZZ sets the number of rounds.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const numRuns = Number(process.env.BELAY_FUZZ ?? 150)
const RANK = { allow: 0, ask: 1, deny: 2 } as const
type Decision = keyof typeof RANK

function decide(command: string, allow: readonly string[], deny: readonly string[]): Decision {
  const line = JSON.stringify({ id: 1, tool: 'Bash', input: { command }, allow, deny })
  return (JSON.parse(decideBatchLine(line)) as { decision: Decision }).decision
}

const ruleTexts = fc.constantFrom(
  ...[
    'Bash',
    'Bash(*)',
    'Bash(git *)',
    'Bash(git push *)',
    'Bash(git push)',
    'Bash(rm -rf *)',
    'Bash(rm *)',
    'Bash(* --force)',
    'Bash(npm run t*)',
  ],
  ...[
    'Bash(echo *)',
    'Bash(cat *)',
    'Bash(xargs *)',
    'Bash(sudo *)',
    'Write(src/*)',
    'Write(.env*)',
    'Read(*)',
    'Read(.env)',
    'Write',
    'Bash(sh -c *)',
  ],
)
const ruleSets = fc.array(ruleTexts, { maxLength: 6 })
const pieces = fc.constantFrom(
  ...['git push', 'git status', 'rm -rf x', 'rm x', 'npm run test', 'echo hi', 'echo "$(git push)"', 'cat .env', 'cat a', 'sudo rm -rf /'],
  ...[
    'echo x > src/a',
    'echo x > .env',
    'git $x',
    '$x',
    'sh -c "git push"',
    'ls | xargs rm',
    'cd src',
    'for f in a b; do rm $f; done',
    'echo "unterminated',
  ],
)
const commands = fc
  .array(fc.tuple(pieces, fc.constantFrom(' && ', '; ', ' | ', ' || ', '\n')), { minLength: 1, maxLength: 3 })
  .map(parts => parts.map(([piece, join], index) => (index === 0 ? piece : `${join}${piece}`)).join(''))

describe('rules', () => {
  test('a further deny never allows more', () => {
    fc.assert(
      fc.property(commands, ruleSets, ruleSets, ruleTexts, (command, allow, deny, more) => {
        expect(RANK[decide(command, allow, [...deny, more])]).toBeGreaterThanOrEqual(RANK[decide(command, allow, deny)])
      }),
      { numRuns },
    )
  })

  test('one allow less never allows more', () => {
    fc.assert(
      fc.property(commands, ruleSets, ruleSets, (command, allow, deny) => {
        expect(RANK[decide(command, allow.slice(1), deny)]).toBeGreaterThanOrEqual(RANK[decide(command, allow, deny)])
      }),
      { numRuns },
    )
  })

  test('their order does not matter', () => {
    fc.assert(
      fc.property(commands, ruleSets, ruleSets, (command, allow, deny) => {
        expect(decide(command, allow.toReversed(), deny.toReversed())).toBe(decide(command, allow, deny))
      }),
      { numRuns },
    )
  })
})

/** Other spellings of a command that mean the same, or more. */
const rewrites: readonly (readonly [string, (command: string) => string])[] = [
  ['blanks before', command => `  \t ${command}`],
  ['a comment behind', command => `${command} # fine`],
  ['more blanks', command => command.replaceAll(' ', '   ')],
  ['a quoted program', command => command.replace(/^\S+/, word => `'${word}'`)],
  ['a double-quoted program', command => command.replace(/^\S+/, word => `"${word}"`)],
  ['a backslash in the program', command => command.replace(/^(\S)(\S)/, '$1\\$2')],
  ['empty quotes in the program', command => command.replace(/^(\S)(\S)/, "$1''$2")],
  ['a line continuation', command => command.replace(' ', ' \\\n ')],
  ['ANSI-C quotes', command => command.replace(/^\S+/, word => `$'${word}'`)],
  ['a full path', command => command.replace(/^\S+/, word => `/usr/bin/${word}`)],
  ['an assignment before', command => `A=1 ${command}`],
  ['a group', command => `{ ${command}; }`],
  ['a subshell', command => `( ${command} )`],
  ['a list', command => `true && ${command}`],
  ['a pipeline', command => `true | ${command}`],
  ['a condition', command => `if true; then ${command}; fi`],
  ['a substitution', command => `echo "$( ${command} )"`],
  ['a function', command => `f() { ${command}; }; f`],
  ['command', command => `command ${command}`],
  ['env', command => `env ${command}`],
  ['timeout', command => `timeout 5 ${command}`],
  ['sh -c', command => `sh -c "${command}"`],
  ['eval', command => `eval '${command}'`],
  ['background', command => `${command} &`],
  ['negation', command => `! ${command}`],
]

describe('spelling never turns a deny into an allow', () => {
  const deny = ['Bash(git push *)', 'Bash(rm -rf *)', 'Bash(curl *)']
  const denied = ['git push', 'git push origin main', 'rm -rf x', 'rm -f -r x', 'git -C x push', 'curl example.com']
  test.each(rewrites)('%s', (_, rewrite) => {
    for (const command of denied)
      expect([rewrite(command), decide(rewrite(command), ['Bash', 'Write', 'Read'], deny)]).toEqual([rewrite(command), 'deny'])
  })

  test('two rewrites, one around the other', () => {
    const around = rewrites.slice(rewrites.findIndex(([name]) => name === 'a group'))
    for (const [, first] of rewrites) {
      for (const [, second] of around) {
        // Quotes inside the same quotes would end them.
        if (first === second) continue
        const command = second(first('git push origin'))
        expect([command, decide(command, ['Bash', 'Write', 'Read'], deny)]).not.toEqual([command, 'allow'])
      }
    }
  })
})

describe('a value known only at run time', () => {
  const words = fc.constantFrom(
    ...[
      'git',
      'rm',
      'npm',
      'run',
      'test',
      'push',
      '-rf',
      '-f',
      '--force',
      'x',
      'cat',
      'echo',
      '"$v"',
      '$v',
      'te$v',
      '-$v',
      '"$v"x',
      '> "$v"',
      'src/"$v"',
    ],
  )
  const templates = fc
    .array(words, { minLength: 1, maxLength: 5 })
    .map(parts => parts.join(' '))
    .filter(template => template.includes('$v'))
  const values = fc.constantFrom('push', '-rf', '--force', 'x', 'src/a', '.env', 'rf', 'st', '', 'a b', '/etc/passwd', '../.env', 'rm')

  /** Of a command that may only look, an unknown word is no word of a rule for any program (`Bash(* --force)`). */
  function isExempt(filled: string, allow: readonly string[], deny: readonly string[]): boolean {
    if (!/^(?:test|cat|echo|git)\b/.test(filled)) return false
    return (
      decide(
        filled,
        allow,
        deny.filter(rule => !rule.startsWith('Bash(* ')),
      ) !== 'deny'
    )
  }

  test('is never allowed where one of its values is denied, and denied only where all are', () => {
    fc.assert(
      fc.property(templates, values, ruleSets, ruleSets, (template, value, allow, deny) => {
        const filled = template.replaceAll('"$v"', `'${value}'`).replaceAll('$v', value)
        const open = decide(template, allow, deny)
        const known = decide(filled, allow, deny)
        if (known === 'deny' && !isExempt(filled, allow, deny)) {
          expect({ template, filled, allow, deny, open }).not.toMatchObject({ open: 'allow' })
        }
        // A value that vanishes at the front makes another word the program.
        const hasProgram = !/^\s/.test(filled)
        if (open === 'deny' && hasProgram) expect({ template, filled, allow, deny, known }).toMatchObject({ known: 'deny' })
      }),
      { numRuns: numRuns * 3 },
    )
  })
})

test('no text makes it throw', () => {
  const shell = fc.string({ unit: fc.constantFrom(...'abrm -/.;|&$(){}<>"\'`\\\n*?[]=#!~0\u00a0\u200b\u{1f600}'), maxLength: 40 })
  fc.assert(
    fc.property(shell, ruleSets, ruleSets, (command, allow, deny) => {
      expect(['allow', 'ask', 'deny']).toContain(decide(command, allow, deny))
    }),
    { numRuns: numRuns * 3 },
  )
})
