// Verbs for people behind programs that nobody described, which may run what they are given. The verb itself looks who calls, too.
import { afterAll, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { allowed, stopped, remove } = setupGuardedHome('carried-verb')
afterAll(remove)

const LAUNCHES = [
  ...['foo', 'foo -x', 'foo --', 'foo run', 'just --command', 'gnome-terminal --', 'nix develop -c', 'nix shell nixpkgs#x -c', 'xterm -e'],
  ...['konsole -e', 'alacritty -e', 'bwrap --bind / /', 'terminator -x', 'flatpak-spawn --host', 'my-env A=1', 'a b c d', 'foo node'],
]
const NAMES = ['belay', 'mentu', './node_modules/.bin/belay', '/opt/x/node_modules/@belay/host/bin/belay.cjs', '@belay/host']
const VERBS = [
  ...['down', 'pause 1h', 'policy trust', 'allow "Bash(x *)"', 'uninstall', 'genesis init --force', 'key rotate', '--json down', '"$V"'],
  ...['ledger export -o x', 'hook --agent x', 'agent bind x y'],
]

test.each(LAUNCHES)('%s', launch => {
  expect(allowed(NAMES.flatMap(name => VERBS.map(verb => `${launch} ${name} ${verb}`)))).toEqual([])
})

test('verbs that agents may use, and names that start nothing, are left alone', () => {
  const verbs = ['status', 'ledger tail', 'commitments', 'why', 'doctor', 'policy test']
  expect(stopped(['foo', 'just --command', 'xterm -e'].flatMap(launch => verbs.map(verb => `${launch} belay ${verb}`)))).toEqual([])
  const free = [
    ...[
      'git commit -m "belay down"',
      'git commit -m belay down',
      'gh pr create --title belay --body down',
      'echo belay down',
      'grep belay down',
    ],
    ...['make -C belay install', 'docker compose -p belay down', 'docker build -t belay .', 'kubectl -n belay delete pod x'],
    ...['foo belay', 'foo belay x', 'npm test -w belay', 'cargo test -p belay down', 'rg belay', 'terraform apply -var name=belay'],
  ]
  expect(stopped(free)).toEqual([])
})
