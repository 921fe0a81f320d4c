import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import { unitText } from './fixtures/unit-text.ts'
import type { Unit } from './shell-analysis.ts'

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
