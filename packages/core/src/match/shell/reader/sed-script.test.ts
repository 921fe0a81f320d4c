import { expect, test } from 'vitest'
import { scanSed } from './sed-script.ts'

const unclear = { kind: 'unclear', text: '' }
const cases: readonly (readonly [string, readonly object[]])[] = [
  ['1,20p', []],
  ['s/a/b/g', []],
  ['s/[^/]*$//', []],
  ['s|/usr|/opt|;s/x/y/', []],
  ['/start/,/end/{s/a/b/;p}', []],
  ['$!N;P;D', []],
  ['/^#/d', []],
  ['\\,x,d', []],
  ['y/abc/xyz/', []],
  ['1i\\\nwrite w .env', []],
  ['a e rm -rf /', []],
  [':a;N;$!ba;s/\\n/ /g', []],
  ['0~3d', []],
  ['s/w .env/x/', []],
  ['w .env', [{ kind: 'write', text: '.env' }]],
  ['s/a/b/w out.txt', [{ kind: 'write', text: 'out.txt' }]],
  ['s/a/b/gpw out.txt', [{ kind: 'write', text: 'out.txt' }]],
  [
    'p\nw a\nw b',
    [
      { kind: 'write', text: 'a' },
      { kind: 'write', text: 'b' },
    ],
  ],
  ['r .env', [{ kind: 'read', text: '.env' }]],
  ['1e rm -rf /', [{ kind: 'run', text: 'rm -rf /' }]],
  ['e', [{ kind: 'run', text: '' }]],
  ['s/x/rm -rf ./e', [unclear]],
  ['s/[/]/x/;e ls', [{ kind: 'run', text: 'ls' }]],
  ['s/a/b', [unclear]],
  ['?', [unclear]],
]

test.each(cases)('%s', (script, actions) => {
  expect(scanSed(script)).toEqual(actions)
})
