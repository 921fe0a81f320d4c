// An agent that is started in another folder works under the policy of that place, or under none.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AGENT_PROGRAMS } from '../match/path/agent-program.ts'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { home, root, allowed, stopped, remove } = setupGuardedHome('agent-place')
afterAll(remove)

const MOVES = [
  ...['cd /tmp && A', 'cd ~ && A', 'cd .. && A', '(cd /tmp; A)', 'pushd /tmp; A', 'env -C /tmp A', 'sh -c "cd /tmp && A"', 'cd "$D" && A'],
  ...['cd /tmp/x && timeout 60 A &', 'find .. -maxdepth 0 -execdir A \\;', 'cd $(mktemp -d) && A'],
]
const OPTIONS = [
  '-C /tmp',
  '-C/tmp',
  '-C=..',
  '--cd /tmp',
  '--cd=..',
  '--cwd /tmp',
  '--cwd=$D',
  '--dir ~',
  '--workspace /tmp',
  '--directory ..',
]

test.each(AGENT_PROGRAMS)('%s', name => {
  const line = `${name} run x`
  const moved = MOVES.map(move => move.replace('A', () => line))
  expect(allowed([...moved, ...OPTIONS.map(option => `${name} ${option} run x`)])).toEqual([])
  const here = ['', 'cd src && ', 'cd ./src/../src; '].map(move => `${move}${line}`)
  expect(stopped([...here, `${name} -C src run x`, `${name} --cwd=. x`, `cd /tmp && ${name} --version`])).toEqual([])
})

test('a working tree of the same repository is the same project', () => {
  const tree = join(home, 'trees', 'feature')
  mkdirSync(tree, { recursive: true })
  writeFileSync(join(tree, '.git'), `gitdir: ${root}/.git/worktrees/feature\n`)
  expect(stopped([`cd ${tree} && claude -p x`, 'cd ../../trees/feature && codex exec x'])).toEqual([])
  writeFileSync(join(tree, '.git'), `gitdir: ${home}/other/.git/worktrees/feature\n`)
  expect(allowed([`cd ${tree} && claude -p x`])).toEqual([])
})

test('in a script, too', () => {
  writeFileSync(join(root, 'go.sh'), 'cd /tmp\nclaude -p x\n')
  expect(allowed(['sh go.sh', './go.sh', '. go.sh'])).toEqual([])
  writeFileSync(join(root, 'go.sh'), 'cd src\nclaude -p x\n')
  expect(stopped(['sh go.sh'])).toEqual([])
})
