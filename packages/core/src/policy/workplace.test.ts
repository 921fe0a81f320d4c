// The folder in which the agent is left: without it, or where nobody may enter it, no hook line can be started, and calls run unheard.
import { afterAll, describe, expect, test } from 'vitest'
import { setupGuardedHome } from './fixtures/guarded-home.ts'

const { home, root, allowed, stopped, remove } = setupGuardedHome('workplace')
afterAll(remove)

/** F is the folder in which the line ends. */
const TAKES = [
  ...[
    'rmdir F',
    'rm -rf F',
    'rm -r F',
    'rm -d F',
    'rm --recursive F',
    'mv F /tmp/x',
    'mv -t ~/other F',
    'find F -delete',
    'rimraf F',
    'trash F',
  ],
  ...[
    'grm -rf F',
    'sudo rm -rf F',
    "sh -c 'rm -rf F'",
    '(sleep 3; rm -rf F) &',
    'if true; then rmdir F; fi',
    'rmdir x F',
    'command rm -rf F',
  ],
]
const CLOSES = ['000', '0', '644', '0644', 'a-x', '-x', 'u-x', '-rwx', 'u=rw', 'u=', 'a-rwx', 'ug-x,o+r']
const NAMES = [
  '../src',
  `${'../src'}/`,
  './../src',
  '"$PWD"',
  '$(pwd)',
  '../s*',
  '../sr?',
  `'${'../src'}'`,
  '~/code/project/src',
  '../{src,x}',
]

describe.each(TAKES)('%s', take => {
  test('takes the folder away', () => {
    const lines = NAMES.filter(
      name => !(take.includes("'") && name.includes("'")) && !(name === '$(pwd)' && !/rm|mv/.test(take.replace('rimraf', ''))),
    ).map(name => take.replace('F', () => name))
    expect(allowed(lines.flatMap(line => [`cd src && ${line}; touch ../src`, `cd src; ${line}`]))).toEqual([])
  })
  test('takes another one away', () => {
    const lines = ['dist', './dist', '../dist', '~/another', '../src2'].map(name => take.replace('F', () => name))
    expect(stopped([...lines, ...lines.map(line => `cd src && ${line}`)])).toEqual([])
    expect(stopped([take.replace('F', 'src'), `cd src && cd .. && ${take.replace('F', 'src')}`])).toEqual([])
  })
})

test.each(CLOSES)('nobody may enter it any more: chmod %s', mode => {
  const folders = ['.', root, '..', '~', `${home}/code`, '$PWD']
  expect(
    allowed([...folders.map(folder => `chmod ${mode} ${folder}`), `cd src && chmod ${mode} .`, `cd src; sudo chmod ${mode} ../src`]),
  ).toEqual([])
  expect(stopped([`chmod ${mode} src/a.ts`, `chmod ${mode} src`, `cd src && chmod ${mode} a.ts`])).toEqual([])
})

test('a tree that comes over a folder above may bring a file of that name', () => {
  const lines = [
    ...['cd src && git -C .. checkout x', 'cd src && (cd .. && git switch x)', 'cd src; git -C ../ pull', 'cd src && tar xf x.tar -C ..'],
    ...[
      'cd src && unzip x.zip -d ..',
      'cd src; git --work-tree=.. checkout x -- .',
      'cd src && (cd ..; tar xf x.tar)',
      'cd src && cp -rT x ..',
    ],
  ]
  expect(allowed(lines)).toEqual([])
  const free = [
    ...['git checkout x', 'cd src && git checkout x', 'cd src && git pull', 'cd src && cd .. && git pull', 'cd src && tar xf x.tar'],
    ...['tar xf x.tar -C src', 'git -C src pull', '(cd src && git stash)', 'cd src && unzip x.zip -d lib', 'cd src && git -C .. status'],
  ]
  expect(stopped(free)).toEqual([])
})

test('a file in the place where most agents stay', () => {
  expect(allowed([`cd .. && mv project x; touch project`, 'setfacl -m u:dev:--- .', 'setfacl -m u::rw- .'])).toEqual([])
})

const IN_CODE = [
  ...[
    "python3 -c 'import os; os.rmdir(F)'",
    "python3 -c 'import shutil; shutil.rmtree(F)'",
    'python3 -c \'import os; os.rename(F, "/tmp/x")\'',
  ],
  ...["python3 -c 'from pathlib import Path; Path(F).rmdir()'", "python3 <<'X'\nimport os\nos.chmod(F, 0)\nX", "ruby -e 'Dir.rmdir(F)'"],
  ...["ruby -rfileutils -e 'FileUtils.rm_rf F'", "perl -e 'rmdir F'", "perl -MFile::Path -e 'remove_tree(F)'", "php -r 'rmdir(F);'"],
  ...[
    'node -e \'require("fs").rmSync(F, { recursive: true })\'',
    "node -e 'fs.renameSync(F, `/tmp/x`)'",
    "echo 'import os; os.rmdir(F)' | python3",
  ],
]
test.each(IN_CODE)('code of another language takes it away: %s', code => {
  const at = (name: string) => code.replace(/\bF\b/, () => name)
  expect(allowed(['"../src"', '"../src/"', `"${root}/src"`, '"./../src"'].map(name => `cd src && ${at(name)}`))).toEqual([])
  expect(allowed(['"../project"', `"${root}"`, `"${home}"`].map(at))).toEqual([])
  const free = ['"dist"', '"../src2"', '"a.ts"', '"../dist"'].map(name => `cd src && ${at(name)}`)
  // Under the other default code has to be named by a rule.
  expect(allowed(free)).toEqual(free)
})

test('code that asks where it is', () => {
  const lines = ["python3 -c 'import shutil,os; shutil.rmtree(os.getcwd())'", "node -e 'fs.rmSync(process.cwd(), { recursive: true })'"]
  expect(allowed([...lines, "ruby -rfileutils -e 'FileUtils.rm_rf(Dir.pwd)'"])).toEqual([])
})

test('ordinary work is left alone', () => {
  const free = [
    ...['rm -rf build && mkdir build && cd build', 'rm -rf src/x && mkdir -p src/x && cd src/x && cmake ../..', 'cd src && rm -rf *'],
    ...[
      '(cd src && rm -rf ../dist)',
      'mkdir -p build && cd build && cmake ..',
      'cd src && cd .. && rm -rf src',
      'mv src old && mv old src',
    ],
    ...[
      'cd src && mv a b',
      'pushd src; rm -rf dist; popd',
      'chmod 755 .',
      'chmod +x x.sh',
      'chmod 600 key',
      'chmod go-x .',
      'chmod o-rwx .',
    ],
    ...[
      'chmod u+x .',
      'chmod 0700 .',
      'chmod g=u .',
      'setfacl -m u:dev:rwx .',
      'rm -rf node_modules && npm ci',
      'find . -name x.o -delete',
    ],
  ]
  expect(stopped(free)).toEqual([])
})
