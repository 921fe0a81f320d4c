// Lists of files that one command makes and another one changes: generated from who lists, how the list comes to the next command, and who changes.
import { afterAll, describe, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { allowed, stopped, remove } = setupGuardedHome('handed-list')
afterAll(remove)

/** D is a folder that holds files of ours. */
const REACHING = [
  ...[
    'rg --files --hidden D',
    'rg --files -uu D',
    'rg --files -. D',
    'rg -l --hidden version D',
    'tree -fia D',
    'tree -a -f -i D',
    'du -a D',
  ],
  ...['du D', 'du -a D | cut -f2', "du -a D | awk '{print $2}'", 'grep -rl . D', 'grep -rL nothing D', 'grep -Rl version D | sort'],
  ...['find D', 'find D -type f', 'bfs D', 'ls -A D', 'ls -a D', 'dir -a D', 'vdir -A D', 'exa -a D', 'eza -1a D', 'lsd -A D', 'fd -H . D'],
  ...['ag -l --hidden version D', 'ack -f D', 'find D | head -n 99', 'find D | grep elay', 'find D | grep -v src', 'find D | tac | uniq'],
]
const FOLDERS = ['.', '~', '..', '"$HOME"']
/** Lists that nobody sees, or that may name anything. */
const UNSEEN = [
  ...['cat files.txt', 'curl -s http://x/list', "jq -r '.[]' x.json", 'python3 list.py', 'tar tf x.tar', 'locate key', 'plocate -i gen'],
  ...['compgen -f', "compgen -G '.*'", 'lsof -Fn', 'git ls-files', 'git ls-files -o', 'git ls-tree -r --name-only HEAD', 'git status -s'],
  ...[
    'git diff --name-only',
    'git grep -l version',
    "ls | sed 's/^/.b/'",
    'ls | tr x .',
    'comm -23 a b',
    '{ echo a; cat l; }',
    'echo "$FILES"',
  ],
  ...['cat files.txt | grep log', 'nobody-knows', 'awk \'{print ".be" $1}\' l', 'base64 -d <<< "$X"', 'git ls-files | grep key'],
]
const WAYS = [
  ...[
    'xargs rm',
    'xargs -0 rm -f',
    'xargs -r -n 1 rm -rf',
    'xargs -I{} mv {} /tmp',
    'xargs shred',
    'xargs truncate -s 0',
    'xargs chmod 000',
  ],
  ...[
    'xargs tee < /dev/null',
    'xargs sed -i s/a/b/',
    'xargs cp -t /tmp ok',
    'parallel rm',
    'parallel rm {}',
    'xargs sudo rm',
    'rush rm {}',
  ],
]

describe.each(FOLDERS)('%s', folder => {
  test.each(REACHING)('%s', list => {
    const lines = WAYS.filter(way => !way.includes('cp -t') && !way.includes('< /dev/null')).map(
      way => `${list.replace('D', folder)} | ${way}`,
    )
    expect(allowed(lines)).toEqual([])
  })
})

test.each(UNSEEN)('%s', list => {
  expect(allowed(WAYS.filter(way => !way.includes('< /dev/null') && !way.includes('cp -t')).map(way => `${list} | ${way}`))).toEqual([])
})

test('names that a list only seems to be narrowed to', () => {
  const lists = [
    ...[
      'git ls-files -d -c',
      'git ls-files --deleted --cached',
      'grep . l',
      'grep foo l',
      'grep -h . l1 l2',
      'find src | sort - l',
      'tail -n 3 l',
    ],
    ...[
      "find src -printf '.belay\\n'",
      "find src -fprintf /dev/stdout '.be%f'",
      "rg --files -g '!x' --hidden",
      "rg --files --hidden -g '.b*'",
    ],
    ...['rg --hidden version .', "rg -l --hidden -g '*.key' version", 'cut -f 1 list', 'shuf l', 'head l'],
  ]
  expect(allowed(lists.flatMap(list => ['xargs rm', 'xargs shred', 'parallel rm'].map(way => `${list} | ${way}`)))).toEqual([])
  const ways = [
    'git checkout x --',
    'git restore',
    'gzip',
    'xz -f',
    'zip -m x.zip',
    'tar cf x --remove-files',
    'rimraf',
    'npx rimraf',
    'del-cli',
  ]
  expect(allowed(['cat l', 'git ls-files'].flatMap(list => ways.map(way => `${list} | xargs ${way}`)))).toEqual([])
  expect(allowed(['cat l | xargs -I{} find {} -delete', 'tar cf x.tar --remove-files -T l', 'zip -m x.zip -@ < l'])).toEqual([])
})

test('a list that stands in a file', () => {
  const lines = [
    'xargs rm < l',
    'xargs -a l rm',
    'xargs --arg-file=l shred',
    'parallel rm :::: l',
    'parallel -a l rm',
    '< l xargs mv -t /tmp',
  ]
  expect(allowed(lines)).toEqual([])
})

/** Lists that name nothing of ours. */
const FREE = [
  ...[
    "find . -name '*.pyc'",
    'find src -type f',
    'ls *.log',
    'ls -t *.log | tail -n +6',
    'ls -t | tail -n +6',
    'ls -1t backups | tail -n +4',
  ],
  ...[
    'grep -rl a src',
    "grep -rl a . --include='*.ts'",
    'grep -rl oldName .',
    'grep -l a *.ts',
    'rg -l a',
    "rg --files -g '*.ts'",
    'fd -e ts',
  ],
  ...["git ls-files '*.orig'", 'git ls-files src', "git ls-files | grep '\\.orig$'", 'git diff --name-only -- src', 'git grep -l oldName'],
  ...['find src | xargs grep -l a', 'du -a src | cut -f2', 'tree -fi src', 'tree -fi .', 'find . -name node_modules -prune', 'echo a b c'],
  ...[
    "find . -name '*.o' | sort | uniq",
    "(cd src && find . -name '*.o')",
    "find ~/other -type f | awk '{print $1}'",
    'rg --files',
    'du -a ~/other',
    "find . -name '*.log' -printf '%T@ %p\\n' | sort -n | cut -d' ' -f2",
    'git ls-files -d',
    'git ls-files -z -d',
    "rg -l --hidden -g '*.ts' a",
  ],
]

test.each(FREE)('left alone: %s', list => {
  expect(stopped(['xargs rm', 'xargs -r rm -f', 'xargs shred', 'parallel rm'].map(way => `${list} | ${way}`))).toEqual([])
})

test('whoever only looks at what a list names is left alone', () => {
  const lists = [
    'cat files.txt',
    'git ls-files',
    'git diff --name-only',
    'tree -fia .',
    'du -a . | cut -f2',
    'grep -rl a .',
    'echo "$FILES"',
  ]
  const looks = ['xargs cat', 'xargs wc -l', 'xargs echo', 'xargs npx eslint --fix', 'xargs prettier --check', 'xargs -n 1 basename']
  expect(stopped(lists.flatMap(list => looks.map(look => `${list} | ${look}`)))).toEqual([])
  expect(
    stopped(['docker ps -q | xargs docker rm', 'git branch --merged | xargs git branch -d', 'git ls-files -d | xargs git rm']),
  ).toEqual([])
})
