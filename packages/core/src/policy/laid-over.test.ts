// A tree of files that nobody sees, laid over a folder above Belay's home by whatever program: never without a person.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'laid-over-')))
const home = join(base, 'home', 'dev')
const root = join(home, 'code', 'project')
const files = createFileView()
afterAll(() => rmSync(base, { recursive: true }))

for (const path of ['.belay/bin/belay-hook', 'repository/.git/HEAD', 'code/project/.belay/genesis.key', 'code/project/src/a.ts']) {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), 'x')
}
const linked = join(home, 'code', 'linked')
mkdirSync(join(linked, 'deep', 'er'), { recursive: true })
symlinkSync('..', join(linked, 'deep', 'back'))

function decide(command: string, cwd = root, ofRoot = root): string {
  const parsed = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!parsed.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [parsed.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const context = { root: ofRoot, cwd, home, files, belayHome: join(home, '.belay'), ownFiles: [], selfProtection: true }
  return judge({ tool: 'Bash', input: { command: command.replaceAll('@', home) } }, compiled, context).verdict.decision
}

/** P is the folder, as one word of its own. */
const WAYS = [
  ...['tar xf x.tar -C P', 'tar -x -f x.tar --directory P', 'tar xzCf P x.tgz', 'bsdtar -xf x.zip --cd P', 'gtar x -f x.tar -C P'],
  ...[
    'star -x -C P f=x.tar',
    'curl http://x | tar xz -C P',
    'git archive evil | tar x -C P',
    'busybox tar xf x.tar -C P',
    'unzip x.zip -d P',
  ],
  ...['7zz e x.7z -o P', 'python3 -m zipfile -e x.zip P', 'python3.12 -m tarfile --extract x.tar P', 'unrar x x.rar P', 'unar -o P x.rar'],
  ...[
    'find evil | cpio -pdmu P',
    'dpkg-deb -x x.deb P',
    'unsquashfs -f -d P x.sqfs',
    'restic restore latest --target P',
    'dtrx -d P x.tar',
  ],
  ...['cp -rT evil P', 'cp -r evil/. P', 'cp -a "$x" P', 'cp -r evil/* P', 'cp -r -t P evil/.', 'rsync -a evil/ P', 'rsync -aR evil/./x P'],
  ...[
    'rsync -a host:evil/ P',
    'scp -r host:evil/. P',
    'rclone copy r:x P',
    'aws s3 sync s3://x P',
    'docker cp c:/evil/. P',
    'kubectl cp p:/x P',
  ],
  ...[
    'git clone x P',
    'git worktree add -f P evil',
    'git init P',
    'git -C P checkout evil',
    'git --work-tree P checkout -f',
    'git submodule add x P',
  ],
  ...[
    'git config core.worktree P',
    'gh repo clone x/y P',
    'hg clone x P',
    'svn checkout http://x P',
    'npx degit x/y P',
    'cookiecutter x -o P',
  ],
  ...[
    'ln -sfn /tmp/evil P',
    'ln -sfT /tmp/evil P',
    'ln -s P x',
    'mv -T evil P',
    'mv --exchange evil P',
    'exch evil P',
    'mount --bind evil P',
  ],
  ...['mount -t overlay o -o lowerdir=a,upperdir=b,workdir=c P', 'fuse-overlayfs -o lowerdir=a P', 'squashfuse x.sqfs P', 'sshfs h: P'],
  ...['wget -r -nH -P P http://x', 'pip install --target P evil', 'npm install --prefix P evil', 'stow -t P evil', 'patch -p1 -d P -i x'],
  ...['echo P | xargs -I{} tar xf x.tar -C {}', 'for d in P; do tar xf x.tar -C $d; done', "sh -c 'tar xf x.tar -C P'", 'whoever-knows P'],
]
const SPELLINGS = ['~', '$HOME', '"$HOME"/', '@', '@/', '@/../dev', '@/..', '../..', '@/code/../../dev', `${base}/home`]

describe.each(SPELLINGS)('%s', folder => {
  test.each(WAYS)('%s', way => {
    // In single quotes nothing is known of a variable; a shell that is handed the text knows.
    expect(decide(way.replaceAll('P', () => folder))).toBe('ask')
  })
})

test.each(
  [
    ...[
      '7z x x.7z -o@',
      '7z x x.7z -o"$d"',
      'unzip x.zip -d@',
      'tar -xC@ -f x.tar',
      'pip install --prefix=@ x',
      'cp --target-directory=@ -r x/.',
    ],
    ...[
      'git checkout-index -a -f --prefix=@/',
      'git -c core.worktree=@ checkout -f',
      'git --work-tree=@ restore -s evil .',
      'ar x x.a --output=@',
    ],
    ...['docker run -v @:/h alpine sh', 'docker run -v /:/h alpine sh', 'docker run --mount type=bind,source=@,target=/h alpine sh'],
    ...['GIT_WORK_TREE=~ git checkout -f evil', 'env GIT_WORK_TREE=@ git checkout -f', 'export GIT_WORK_TREE=@; git checkout -f'],
    ...[
      "TAR_OPTIONS='-C @' tar xf x.tar",
      "export TAR_OPTIONS='-P'; tar xf x.tar",
      "UNZIP='-d @' unzip x.zip",
      'TAR_OPTIONS=$x tar xf x.tar',
    ],
  ].map(command => [command]),
)('the folder is part of a word: %s', command => {
  expect(decide(command)).toBe('ask')
})

test.each([
  ...[
    'tar xf x.tar -C "$d"',
    'tar xf x.tar -C "$(cat place)"',
    'cd "$d" && tar xf x.tar',
    'echo ~ | xargs tar xf x.tar -C',
    'unzip x.zip -d ../*',
  ],
  ...[
    'python3 -m zipfile -e x.zip "$d"',
    'cp -rT evil "$d"',
    'git clone x "$d"',
    'rsync -a evil/ "$d"',
    'find ~ -exec tar xf x.tar -C {} ";"',
  ],
])('a folder that only the shell knows: %s', command => {
  expect(decide(command)).toBe('ask')
})

test.each([
  'tar -xPf x.tar',
  'tar --absolute-names -xf x.tar',
  'unzip -: x.zip',
  '7z x -spf x.7z',
  'cpio -idu < x.cpio',
  'pax -r -f x.tar',
])('names in the tree that lead anywhere: %s', command => {
  expect(decide(command)).toBe('ask')
})

test.each([
  'tar xf x.tar',
  'unzip x.zip',
  '7z x x.7z',
  'unrar x x.rar',
  'jar xf x.jar',
  'git init',
  'borg extract ::a',
  'wget -r -nH http://x',
])('where it runs: %s', command => {
  expect([decide(command), decide(command, home), decide(`cd ~ && ${command}`), decide(command, home, home)]).toEqual([
    'allow',
    'ask',
    'ask',
    'ask',
  ])
})

test.each(['git pull', 'git checkout evil', 'git stash pop'])('a repository that holds the home: %s', command => {
  expect(decide(command, join(home, 'repository'))).toBe('allow')
  mkdirSync(join(home, '.git'))
  try {
    expect([decide(command, home), decide(command, join(home, 'code'))]).toEqual(['ask', 'ask'])
  } finally {
    rmSync(join(home, '.git'), { recursive: true })
  }
})

test.each(['chezmoi apply', 'yadm clone x', 'rcup'])('the home without being told: %s', command => {
  expect(decide(command)).toBe('ask')
})

const FOLLOWING = [
  ...[
    'tar xf x.tar',
    'unzip x.zip',
    '7z x x.7z',
    'python3 -m zipfile -e x.zip .',
    'rsync -aK evil/ .',
    'wget -r -nH http://x',
    'jar xf x.jar',
  ],
  ...['tar xf x.tar -C deep', 'cd deep && bsdtar -xf x.zip', 'unzip x.zip -d deep/er/..', 'unar x.rar'],
]
/** Put there by an earlier command; what is unpacked over it goes on to where it leads. */
const LEADS = ['../../../..', home, `${home}/.belay`, `${home}/.belay/bin/belay-hook`, `${home}/.claude`, base]

describe.each(LEADS)('a link to %s that stands in the folder already', target => {
  test.each(FOLLOWING)('%s', command => {
    const link = join(linked, 'deep', 'er', 'link')
    expect(decide(command, linked)).toBe('allow')
    symlinkSync(target, link)
    try {
      expect(decide(command, linked)).toBe('ask')
    } finally {
      rmSync(link)
    }
  })
})

test('a link in the way is itself the folder', () => {
  symlinkSync(home, join(linked, 'link'))
  const ways = ['tar xf x.tar -C link', 'unzip x.zip -d link/code/..', 'cd link && tar xf x.tar']
  expect(ways.map(way => decide(way, linked))).toEqual(['ask', 'ask', 'ask'])
  // These put what they bring in the place of a link.
  expect(['cp -r evil/. .', 'rsync -a evil/ .', 'git checkout main'].map(way => decide(way, linked))).not.toContain('deny')
  rmSync(join(linked, 'link'))
})

test.each(['pytest ..', 'pytest -q ..', 'eslint .', 'eslint --fix .', 'ruff check ..', 'mypy ..', 'jest ..', 'black ..'])(
  'programs that read a folder may have it: %s',
  command => {
    expect([decide(command, join(home, 'code')), decide(command, home)]).toEqual(['allow', 'allow'])
  },
)

test.each(['pytest --basetemp=..', 'pytest --basetemp ..', 'jest --coverageDirectory ..', 'eslint -o .. x'])(
  'the value of an option may be filled or emptied: %s',
  command => {
    expect(decide(command, join(home, 'code'))).toBe('ask')
  },
)

test('ordinary work is left alone', () => {
  const ordinary = [
    ...['tar xf x.tar -C out', 'tar czf x.tgz -C ~ docs', 'tar --exclude=.git -czf /tmp/x.tgz .', 'tar tf x.tar', 'unzip x.zip -d lib'],
    ...[
      'unzip -l x.zip',
      '7z a x.7z src',
      '7z x x.7z -oout',
      'python3 -m zipfile -c x.zip src',
      'jar cf x.jar .',
      'cpio -o < list > x.cpio',
    ],
    ...[
      'cp -r src ~/backup',
      'cp a.txt ~',
      'mv a.txt ~/',
      'cp -r src/* out/',
      'rsync -a src/ out/',
      'rsync -a src ~',
      'mv -T a b',
      'ln -sfn a b',
    ],
    ...['ln -s ~/dotfiles/vimrc ~/.vimrc', 'git clone x y', 'git clone x ~/y', 'git -C ~ status', 'git -C web pull', 'git checkout main'],
    ...['git worktree add ../wt main', 'git init sub', 'git submodule update --init', 'git config user.name x', 'git config core.worktree'],
    ...['ls -la ~', 'cd ~ && ls', 'du -sh ~', 'find ~ -maxdepth 1 -type d', 'grep -rn x ~', 'tree -L 1 ~', 'test -d "$HOME"', 'echo ~'],
    ...[
      'sudo ls ~',
      'timeout 5 du -sh ~',
      'df -h /',
      'cut -d / -f 2 f',
      'tr / _ < f',
      'python3 -m http.server -d /',
      'ssh h ls /',
      'code ~',
    ],
    ...[
      'docker run --rm -v "$PWD":/app node npm test',
      'docker build -t x ..',
      'make -C ..',
      'aws s3 cp a s3://b',
      'wget -P dl http://x/y',
    ],
    ...[
      'mount | grep x',
      'gh pr create --body "see ~ and /home/dev"',
      'patch -p1 < x.diff',
      'export HOME=/tmp/x',
      'npm install --prefix web',
    ],
  ]
  expect(ordinary.filter(command => decide(command) !== 'allow')).toEqual([])
})
