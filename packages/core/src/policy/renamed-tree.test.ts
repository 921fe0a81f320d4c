// What a line moves or copies it can use under another name; links inside lead where they led before.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string): string {
  const rules = { allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: ['Read(.env*)', 'Write(.env*)'] }
  const call = { id: 1, tool: 'Bash', input: { command }, ctx: { links: { 'src/z': '../.env', 'src/in/deep': '../../.env' } }, ...rules }
  return (JSON.parse(decideBatchLine(JSON.stringify(call))) as { decision: string }).decision
}

const renames: Readonly<Record<string, (old: string, made: string) => string>> = {
  mv: (old, made) => `mv ${old} ${made}`,
  'mv with options': (old, made) => `mv -v -- ${old} ${made}`,
  'mv by its path': (old, made) => `/bin/mv ${old} ./${made}`,
  'cp -a': (old, made) => `cp -a ${old} ${made}`,
  'cp -r': (old, made) => `cp -vr ${old}/ ${made}`,
  'cp --recursive': (old, made) => `cp --recursive ${old} ${made}`,
  'mv twice': (old, made) => `mv ${old} other; mv other ${made}`,
}

const uses = [
  'cat l/z',
  'cat < l/z',
  'echo x > l/z',
  'cp l/z copy',
  'cd l; cat z',
  'for f in l/z; do cat "$f"; done',
  'cat l/in/deep',
  '(cd l/in && cat deep)',
]

describe.each(Object.entries(renames))('%s', (_, rename) => {
  test.each(uses)('%s', use => {
    for (const command of [`${rename('src', 'l')}; ${use}`, `${rename('src', 'l')} && ${use}`, `sh -c '${rename('src', 'l')}; ${use}'`])
      expect([command, decide(command)]).not.toEqual([command, 'allow'])
  })
})

test.each([
  'mkdir d; mv src d; cat d/src/z',
  'mv -t d src; cat d/src/z',
  'cp -a --target-directory=d src; cat d/src/z',
  'mv a src d; cat d/src/z',
])('into a folder: %s', command => expect(decide(command)).not.toBe('allow'))

test.each(['mv src l; cat l/a', 'mv a b; cat b', 'cp -r src l; ls l', 'mv src l; cat k/z'])('nothing forbidden: %s', command =>
  expect(decide(command)).toBe('allow'),
)

describe('words that are known only at run time reach a command through xargs', () => {
  test.each([
    'read -r v <<< .env; echo "$v" | xargs cat',
    'echo $OLDPWD/.env | xargs cat',
    'printf "%s\\n" "$v" | xargs cat',
    'echo "$v" | sort | xargs cat',
    'echo "$v" | xargs -I{} cat {}',
    'echo .e* | xargs cat',
    'xargs cat <<< "$v"',
    'xargs cat <<< "$OLDPWD/.env"',
  ])('%s', command => expect(decide(command)).not.toBe('allow'))

  test.each(['ls *.ts | xargs cat', 'echo a b | xargs cat', 'git ls-files | xargs cat'])('%s', command =>
    expect(decide(command)).toBe('allow'),
  )
})

test('more moves than can be followed ask, and many sources of one move do not multiply', () => {
  const files = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}`).join(' ')
  expect(decide(`mv ${files(8)} d`)).toBe('allow')
  expect(decide(`mv ${files(800)} d`)).toBe('ask')
  expect(decide(`cp ${Array.from({ length: 1500 }, (_, index) => `/ -a${index}`).join(' ')} }`)).not.toBe('allow')
})
