import { expect, test } from 'vitest'
import { scanAwk } from './awk.ts'

const cases: readonly (readonly [string, readonly object[]])[] = [
  ['{print $1}', []],
  ['$3 > 10 {print}', []],
  ['NR>1 && $2>3', []],
  ['/a|b/ {print}', []],
  ['{print ($1 > 2) ? 1 : 0}', []],
  ['{ x = $1 / 2; y = $2 / 3; print x | y }', [{ kind: 'feed', text: null }]],
  ['# system("x")\n{print}', []],
  ['{print "system(x) | sh > f"}', []],
  ['a || b {print}', []],
  ['BEGIN{system("rm -rf /")}', [{ kind: 'run', text: 'rm -rf /' }]],
  ['BEGIN{system ( "ls" )}', [{ kind: 'run', text: 'ls' }]],
  ['{system("rm " $1)}', [{ kind: 'run', text: null }]],
  ['{print "x" > ".env"}', [{ kind: 'write', text: '.env' }]],
  ['{print "x" >> ".env"}', [{ kind: 'write', text: '.env' }]],
  ['{printf("%s", $1) > "out"}', [{ kind: 'write', text: 'out' }]],
  ['{print > $1}', [{ kind: 'write', text: null }]],
  ['{print > "a" "b"}', [{ kind: 'write', text: null }]],
  ['{print $1 | "sort"}', [{ kind: 'feed', text: 'sort' }]],
  ['{"date" | getline d}', [{ kind: 'run', text: 'date' }]],
  ['{cmd | getline d}', [{ kind: 'run', text: null }]],
  ['{getline x < "f"}', [{ kind: 'read', text: 'f' }]],
  ['{print |& "x"}', [{ kind: 'feed', text: 'x' }]],
  ['{f = "system"; @f("x")}', [{ kind: 'run', text: null }]],
  ['/[/"]/ { system("rm") } /"/', [{ kind: 'run', text: null }]],
  ['{print "\\x72m" | "\\x73h"}', [{ kind: 'feed', text: null }]],
]

test.each(cases)('%s', (program, actions) => {
  expect(scanAwk(program)).toEqual(actions)
})
