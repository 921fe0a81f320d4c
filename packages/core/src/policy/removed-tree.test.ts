// Programs that remove whole trees, by kind: what they are given, what a pattern of their own finds, what a version control system does not keep.
import { afterAll, describe, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { allowed, stopped, remove } = setupGuardedHome('removed-tree')
afterAll(remove)

/** T is a tree. */
const REMOVERS = [
  ...[
    'rimraf T',
    'del T',
    'del-cli T',
    'rm-cli -f T',
    'trash T',
    'trash-cli T',
    'trash-put T',
    'gtrash put T',
    'gomi T',
    'rip T',
    'wipe -rf T',
  ],
  ...['rmtrash T', 'rmw T', 'scrub -r T', 'srm -r T', 'safe-rm -rf T', 'deltree T', 'bleachbit --shred T', 'tmpreaper 1d T', 'gio trash T'],
  ...['gio remove T', 'kioclient5 move T trash:/', 'shx rm -rf T', 'hg purge T', 'sl purge T', 'brz clean-tree T', 'fossil clean T'],
  ...['git clean -fd T', 'git clean -fdx -e log T', 'rclone purge T', 'rclone delete T', 'rclone sync empty T', 'rclone move T remote:x'],
  ...['aws s3 mv T s3://b --recursive', 'aws s3 sync s3://b T --delete', 'gsutil rsync -d gs://b T', 'mc mirror --remove m/b T'],
  ...['vite build --outDir T --emptyOutDir', 'hugo --cleanDestinationDir -d T', 'grm -rf T', 'gmv T /tmp/x'],
]
const STARTS = ['', 'npx ', 'npx -y ', 'bunx ', 'pnpm dlx ', 'yarn dlx ', 'npm exec -- ', 'sudo ', 'sh -c "', 'find . -maxdepth 0 -exec ']

describe.each(REMOVERS)('%s', remover => {
  test('a tree that holds ours', () => {
    const trees = ['.', './', '..', '~', '"$HOME"', '.belay', '~/.belay', '$PWD']
    expect(allowed(trees.map(tree => remover.replace('T', () => tree)))).toEqual([])
  })
  test('another tree', () => {
    const trees = ['dist', 'src', './node_modules', 'packages/a/dist', '~/other']
    expect(stopped(trees.map(tree => remover.replace('T', () => tree)))).toEqual([])
  })
})

test.each(STARTS)('behind "%s"', start => {
  const end = start.endsWith('"') ? '"' : start.startsWith('find') ? ' \\;' : ''
  const lines = ['rimraf .', 'del-cli .', 'trash .', 'trash ~', 'shx rm -rf .'].map(line => start + line + end)
  expect(allowed(lines)).toEqual([])
})

test('a pattern that the program reads itself', () => {
  const patterns = ["'.*'", "'.b*'", "'{*,.*}'", "'.bel?y'", "'[.]belay/**'", '.b*', "'src/../.b*'", "'{dist,.{a,belay}}'"]
  const programs = ['rimraf', 'rimraf -g', 'del', 'del-cli', 'trash', 'npx rimraf', 'shx rm -rf', 'git clean -fd']
  expect(allowed(programs.flatMap(program => patterns.map(pattern => `${program} ${pattern}`)))).toEqual([])
  const free = ["'dist/**'", "'*.log'", "'**/*.js'", "'packages/*/dist'", "'{dist,coverage}'", "'packages/*/{lib,dist}'"]
  expect(stopped(programs.flatMap(program => free.map(pattern => `${program} ${pattern}`)))).toEqual([])
})

test('what a version control system does not keep, where it runs', () => {
  const lines = [
    ...[
      'hg purge',
      'hg purge --all',
      'hg --config extensions.purge= purge',
      'hg clean',
      'sl clean',
      'bzr clean-tree --force',
      'brz clean-tree',
    ],
    ...[
      'svn cleanup --remove-unversioned',
      'svn cleanup --remove-ignored .',
      'fossil clean -f',
      'p4 clean',
      'git clean -fdx',
      'git clean -dfe x',
    ],
    ...['git -C . clean -fd', 'hub clean -fdx', "git clean -fd ':/'", "cd src && git clean -fd ':(top)'", 'cd src && git clean -fdx ..'],
  ]
  expect(allowed(lines)).toEqual([])
  const free = [
    ...[
      'hg purge -p',
      'hg status',
      'svn cleanup',
      'svn update',
      'fossil clean -n',
      'p4 clean -n',
      'git clean -n',
      'git clean -fdn',
      'git clean -f',
    ],
    ...['cd src && git clean -fd', 'git clean -fd src dist', 'cd src && hg purge', 'rclone purge remote:x', 'rclone sync . remote:x'],
    ...[
      'rclone copy . remote:x',
      'aws s3 sync . s3://b --delete',
      'gsutil rsync -d . gs://b',
      'rsync -a --delete ./ host:/x',
      'gio info .',
    ],
    ...['rimraf --dry-run .', 'shx cp -r . /tmp/x', 'cargo clean', 'trash-empty', 'vite build --outDir dist --emptyOutDir'],
  ]
  expect(stopped(free)).toEqual([])
})
