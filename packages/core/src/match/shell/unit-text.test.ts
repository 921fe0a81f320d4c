import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import type { Unit } from './shell-analysis.ts'
import { splitFlags, unitParts, unitText, writtenText } from './unit-text.ts'

function firstUnit(command: string): Unit {
  const [unit] = analyzeCommand(command, { cwd: '/repo', root: '/repo', home: '/home/dev' }).units
  if (!unit) throw new Error(`no unit in ${command}`)
  return unit
}

test.each([
  ["r''m  -rf   /", 'rm -rf /'],
  ["echo 'x --force'", "echo 'x --force'"],
  ['$\'\\162m\' "-r"f', 'rm -rf'],
  ["echo ''", "echo ''"],
  ["echo it\\'s", "echo 'it'\\''s'"],
  ['echo {a,b}{1..2}', 'echo a1 a2 b1 b2'],
  ['rm -rf ~/x', 'rm -rf /home/dev/x'],
])('%s', (command, text) => {
  expect(unitText(firstUnit(command))).toBe(text)
})

test('the form as written keeps the tilde', () => {
  expect(writtenText(firstUnit('cat ~/.ssh/id $HOME/x'))).toBe('cat ~/.ssh/id $HOME/x')
  expect(writtenText(firstUnit('cat x'))).toBeNull()
})

test('a hole stays a hole', () => {
  expect(unitParts(firstUnit('git push "$X"'))).toEqual([
    { kind: 'text', value: 'git' },
    { kind: 'text', value: ' ' },
    { kind: 'text', value: 'push' },
    { kind: 'text', value: ' ' },
    { kind: 'hole', splits: false },
  ])
})

test.each([
  ['rm -rf /', 'rm', ['-f', '-r'], ['/']],
  ['rm / -fr', 'rm', ['-f', '-r'], ['/']],
  ['rm --recursive --force -v /', 'rm', ['-f', '-r', '-v'], ['/']],
  ['/bin/rm -R -f x', 'rm', ['-f', '-r'], ['x']],
  ['git -C x push origin main', 'git', ['-C'], ['push', 'origin', 'main']],
  ['git --no-pager push -f', 'git', ['-P', '-f'], ['push']],
  ['git push --force', 'git', ['-f'], ['push']],
  ['git reset HEAD~1 --hard', 'git', ['--hard'], ['reset', 'HEAD~1']],
  ['unknown -ab --long x', 'unknown', ['--long', '-a', '-b'], ['x']],
  ['git checkout -- --force', 'git', [], ['checkout', '--force']],
])('flags of %s', (command, program, flags, operands) => {
  const split = splitFlags(firstUnit(command))
  expect({ ...split, flags: [...split.flags].sort(), operands: split.operands.map(word => word.value) }).toEqual({
    program,
    flags,
    operands,
    open: false,
  })
})
