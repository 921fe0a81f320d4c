// The quick look may say yes too often, never no too often: whatever the finders find it must see, in the text, in JSON of it, in JSON
// of that, after an escape, and spread over the words of a list.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { plants } from './fixtures/plants.ts'
import { mayHoldSecret } from './may-hold-secret.ts'
import { isSecretName } from './secret-name.ts'

const seed = Number(process.env.BELAY_REDACT_SEED ?? 20261115)

/** How many made-up texts and names. */
const runs = Number(process.env.BELAY_REDACT_RUNS ?? 3000)

const spellings: readonly ((text: string) => string)[] = [
  text => text,
  text => JSON.stringify(text),
  text => JSON.stringify({ a: ['x', text] }),
  text => JSON.stringify(JSON.stringify({ a: text })),
  text => JSON.stringify(JSON.stringify(JSON.stringify([text]))),
  text => JSON.stringify(text.split(' ')),
  text => JSON.stringify(JSON.stringify({ a: text }).replaceAll('/', '\\/')),
  text => JSON.stringify(JSON.stringify({ a: text }).replace(/[a-z]/g, letter => `\\u00${letter.charCodeAt(0).toString(16)}`)),
]

function missed(text: string): readonly string[] {
  return spellings.map(spell => spell(text)).filter(spelt => !mayHoldSecret(spelt))
}

describe('what is found in a text is seen', () => {
  test(`planted secrets, after any escape (seed ${seed})`, () => {
    const texts = plants(seed).map(({ planted }) => (typeof planted === 'string' ? planted : JSON.stringify(planted)))
    const found = texts.flatMap(text => ['', '\n', '\t', '\u001b', '\u0000', '\\', '\u00e9'].map(before => before + text))
    const seen = found.filter(text => findSecrets(text).length > 0)
    expect(seen.length).toBeGreaterThan(2000)
    expect(seen.flatMap(missed)).toEqual([])
  })

  const pieces = fc.constantFrom(
    ...'password pass PASS pwd secret token api key keys apiKey access_key conn connection string Bearer basic Basic auth _auth cookie jwt otp'.split(
      ' ',
    ),
    ...'mysql curl docker login redis-cli -p -a -u --user admin: :// @ host :5432: db: = : " \' , ; { } [ ] \n \t \\ \u001b'.split(
      /(?<! ) /,
    ),
    ...['hunter2!x', 'Tr0ub4dor', 'Ym9iOmh1bnRlcjI=', ' ', '  ', 'PRIVATE', 'KEY', 'Private-Lines: 9', 'é', 'x'.repeat(40)],
    ...[
      'rclone',
      'net use',
      'net',
      'use',
      '/user:bob',
      'composer',
      'config',
      'http-basic.x',
      'github-oauth.x',
      'htpasswd',
      'obscure',
      '_PAT',
      'A_PAT',
    ],
  )

  test('anything put together from what secrets are made of', () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 12 }), parts => {
        const text = parts.join('')
        if (findSecrets(text).length > 0) expect(missed(text)).toEqual([])
        const words = parts.filter(part => part.trim() !== '')
        if (findSecrets(words.join(' ')).length > 0) expect(mayHoldSecret(JSON.stringify(words))).toBe(true)
      }),
      { numRuns: runs, seed },
    )
  })
})

test('every name of a secret is seen', () => {
  const words = fc.constantFrom(
    ...'db my user password passwd passwort pwd pass pgpass passphrase secret creds cred auth authorization bearer cookie jwt otp totp cvv'.split(
      ' ',
    ),
    ...'cvc mnemonic token tokens access refresh api key keys master openai connection conn string str base id value Value Pass Key Token'.split(
      ' ',
    ),
  )
  const separator = fc.constantFrom('', '', '_', '-', '.', ' ', '::', '\n', '\u001b', ' - ')
  fc.assert(
    fc.property(fc.array(fc.tuple(words, separator), { minLength: 1, maxLength: 4 }), parts => {
      const name = parts.flat().join('')
      if (!isSecretName(name)) return
      for (const json of [{ [name]: 'x' }, [name, 'x'], { name, value: 'x' }]) expect(mayHoldSecret(JSON.stringify(json)), name).toBe(true)
      expect(mayHoldSecret(JSON.stringify(name.toUpperCase()))).toBe(true)
    }),
    { numRuns: runs, seed },
  )
})

test.each([
  '{"cwd":"/home/ana/project","place":"/home/ana/project/.belay/genesis.key:14","session":"b1946ac9-2492-4d23-8d3e-0a1f0c2b7a11"}',
  '{"command":"npm test -- --reporter=dot packages/core/src/ledger && git status --short | head -20"}',
  '{"answer":"{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"permissionDecision\\":\\"allow\\"}}"}',
  'mkdir -p src/components && cp -p a b',
  '\u001b[32mok\u001b[0m 14 tests in 3 files',
])('and an ordinary record is let by: %s', record => {
  expect(mayHoldSecret(record)).toBe(false)
  expect(mayHoldSecret(JSON.stringify(record))).toBe(false)
})
