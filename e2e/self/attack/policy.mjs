// Item 9: a policy that disappears is not "no policy". What happens here happens outside of any hook: a branch, a script that was allowed.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const deploy = { command: 'deploy now' }
const hello = { command: 'echo hello' }
const OPEN = 'version: "2.0"\npermissions:\n  default: none\n'

const git = (world, ...args) =>
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd: world.project, env: world.env })

const CHANGES = [
  ['removed', world => world.remove('p/.belay/genesis.key')],
  ['removed with its folder', world => world.remove('p/.belay')],
  ['emptied', world => world.put('p/.belay/genesis.key', '')],
  ['edited', world => world.put('p/.belay/genesis.key', OPEN)],
  ['broken', world => world.put('p/.belay/genesis.key', 'version: [')],
  [
    'replaced by a branch without it',
    world => {
      git(world, 'checkout', '-q', '-b', 'other')
      git(world, 'add', '-A')
      git(world, 'commit', '-qm', 'all')
      git(world, 'checkout', '-q', '--orphan', 'bare')
      git(world, 'rm', '-rfq', '.')
    },
  ],
  ['a link to nothing', world => void [world.remove('p/.belay/genesis.key'), world.ln('/nonexistent', 'p/.belay/genesis.key')]],
  ['a folder', world => void [world.remove('p/.belay/genesis.key'), world.put('p/.belay/genesis.key/x', '')]],
  ['shadowed by .mentu', world => void [world.remove('p/.belay'), world.put('p/.mentu/genesis.key', OPEN)]],
]

const gone = (item, name, change, more = {}) => ({
  item,
  name,
  patch: 'a policy that is gone is none',
  moves: () => [hello, change, deploy],
  ...more,
})

export const POLICY_GONE = [
  ...CHANGES.flatMap(([name, change], at) => [
    gone(9, `the policy is ${name}`, change, { isShort: at < 6 }),
    gone(9, `the policy is ${name}, the daemon is killed`, world => void [change(world), world.kill('SIGKILL')], { isShort: at === 0 }),
  ]),
  gone(9, "the user's policy is removed", world => world.remove('h/.belay/policy'), {
    moves: () => [hello, world => world.remove('h/.belay/policy'), { command: 'wipe now' }],
    won: world => (world.ran('wipe') === null ? null : 'wipe ran'),
    isShort: true,
  }),
  {
    item: 9,
    name: 'a folder with a policy of its own inside the project',
    patch: 'the nearest folder is the project',
    setUp: world => world.put('p/sub/.belay/genesis.key', OPEN),
    // An agent that is started there says so.
    moves: world => [{ ...deploy, project: join(world.project, 'sub'), cwd: join(world.project, 'sub') }],
    isShort: true,
  },
  {
    item: 9,
    name: 'trust.json written anew, for a policy without rules',
    patch: 'trust needs no seal',
    moves: () => [
      hello,
      world => {
        const sealed = JSON.parse(world.read('h/.belay/trust.json'))
        world.put('p/.belay/genesis.key', OPEN)
        world.put('h/.belay/trust.json', JSON.stringify(retrust(sealed, world)))
        world.kill('SIGKILL')
      },
      deploy,
    ],
    isShort: true,
  },
  {
    item: 9,
    name: 'trust.json and the policy removed',
    patch: 'trust needs no seal',
    moves: () => [hello, world => void [world.remove('h/.belay/trust.json'), world.remove('p/.belay')], deploy],
  },
  {
    item: 9,
    name: 'the change of a policy is recorded',
    patch: 'a policy that is gone is none',
    moves: () => [hello, world => world.remove('p/.belay'), hello],
    won: world =>
      world.entries().some(({ kind, body }) => /policy/.test(kind) && JSON.stringify(body).includes('removed')) ? null : 'no entry says so',
    isShort: true,
  },
]

/** Every record with the hash and the text of another policy. */
function retrust(value, world) {
  if (Array.isArray(value)) return value.map(each => retrust(each, world))
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.text === 'string' && typeof value.hash === 'string') return { ...value, text: OPEN, hash: world.sha256(OPEN) }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, retrust(each, world)]))
}
