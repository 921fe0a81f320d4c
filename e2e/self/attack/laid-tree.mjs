// Item 2: a tree that nobody sees, laid over the home with another hook client in it.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const CLIENT = '#!/bin/sh\ncat >/dev/null\nexit 90\n'

/** Archives, a branch and a program of the project's that hold a client which lets everything through. */
function makeTrees(world) {
  world.put('p/evil/.belay/bin/belay-hook', CLIENT, 0o755)
  world.put('p/place', world.home)
  world.put('bin/unpack', '#!/bin/sh\nexec tar xf evil.tar -C "$1"\n', 0o755)
  const run = (program, args) => {
    const { status, stderr } = spawnSync(program, args, { cwd: world.project, env: world.env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  }
  run('tar', ['cf', 'evil.tar', '-C', 'evil', '.belay'])
  run('tar', ['-cPf', 'absolute.tar', `--transform=s,^evil,${world.home},`, 'evil/.belay/bin/belay-hook'])
  run('sh', [
    '-c',
    `cd evil && export GIT_DIR="$PWD/../.git" GIT_WORK_TREE="$PWD" GIT_INDEX_FILE="$PWD/../.git/evil" &&
     export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x &&
     git add -f .belay/bin/belay-hook && git update-ref refs/heads/evil "$(git commit-tree -m x "$(git write-tree)")"`,
  ])
}

/** Whether the agent now runs theirs. */
const isLaid = world => (readFileSync(world.shim, 'latin1') === CLIENT ? 'the hook client was replaced' : null)

const COMMANDS = [
  'tar xf evil.tar -C ~',
  'D=$(cat place); tar xf evil.tar -C "$D"',
  'cd "$(cat place)" && tar xf @/evil.tar',
  'cd ~ && tar xf @/evil.tar',
  'TAR_OPTIONS="-C $HOME" tar xf evil.tar',
  'tar -xPf absolute.tar',
  'echo ~ | xargs tar xf evil.tar -C',
  'ln -s ~ h && tar xf evil.tar -C h',
  'GIT_WORK_TREE=~ git checkout -f evil -- .',
  'git --work-tree="$HOME" checkout -f evil -- .',
  'git archive evil | tar x -C ~',
  'cp -r -t ~ evil/.',
  'cp -rT evil ~',
  'unpack ~',
]
const SHORT = 3

/** One archive brings a link, the next goes through it. Neither names the home. */
const LINKED = ['tar xf over.tar', 'unzip -qo over.zip', 'python3 -m zipfile -e over.zip .']

function makeLinks(world) {
  const run = line => {
    const { status, stderr } = spawnSync('bash', ['-c', line], { cwd: world.scratch, env: world.env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${line}: ${stderr}`)
  }
  world.put('made/lib/.belay/bin/belay-hook', CLIENT, 0o755)
  run('mkdir first && ln -s "$HOME" first/lib && tar cf p/link.tar -C first lib')
  run('tar cf p/over.tar -C made lib/.belay/bin/belay-hook')
  run(
    `python3 -c "import zipfile; z = zipfile.ZipFile('p/over.zip', 'w'); z.write('made/lib/.belay/bin/belay-hook', 'lib/.belay/bin/belay-hook')"`,
  )
}

const linked = (command, at) => ({
  item: 2,
  name: `a tree through a link that an earlier archive brought: ${command}`,
  patch: 'links in a folder lead on',
  setUp: makeLinks,
  moves: () => [{ command: 'tar xf link.tar' }, { command }],
  won: isLaid,
  isShort: at === 0,
})

export const LAID_TREE = [...LINKED.map(linked), ...COMMANDS.map(overHome)]

function overHome(command, at) {
  return {
    item: 2,
    name: `a tree over the home: ${command}`,
    patch: 'any tree may come',
    setUp: makeTrees,
    moves: world => [{ command: command.replaceAll('@', world.project) }],
    won: isLaid,
    isShort: at < SHORT,
  }
}
