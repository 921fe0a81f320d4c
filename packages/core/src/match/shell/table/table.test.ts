// The tables of programs. What their option lists say is text, which no compiler reads: every row of every table is checked here for slips.
// Then, table by table, what a command line of its programs would run and touch.
import { describe, expect, test } from 'vitest'
import { analyzeCommand } from '../analyze-command.ts'
import { aliasTable } from './alias-table.ts'
import { codeTable } from './code-table.ts'
import { commandOptionTable } from './command-option-table.ts'
import { containerTable } from './container-table.ts'
import { effectTable } from './effect-table.ts'
import { fileTable } from './file-table.ts'
import { findProgram } from './find-program.ts'
import { git } from './git-table.ts'
import { githubTable } from './github-table.ts'
import { interpreterTable } from './interpreter-table.ts'
import { launcherTable } from './launcher-table.ts'
import { networkTable } from './network-table.ts'
import { ownTable } from './own-table.ts'
import { packageTable } from './package-table.ts'
import type { OptionUse, Program, ProgramTable } from './program.ts'
import { runnerTable } from './runner-table.ts'
import { searchTable } from './search-table.ts'
import { sessionTable } from './session-table.ts'
import { wrapperTable } from './wrapper-table.ts'

const TABLES: Readonly<Record<string, ProgramTable>> = {
  codeTable,
  commandOptionTable,
  containerTable,
  effectTable,
  fileTable,
  gitTable: { git },
  githubTable,
  interpreterTable,
  launcherTable,
  networkTable,
  ownTable,
  packageTable,
  runnerTable,
  searchTable,
  sessionTable,
  wrapperTable,
}

/** Every use that an option can have, as the compiler counts them. */
const USES: Readonly<Record<OptionUse, true>> = {
  flag: true,
  value: true,
  maybe: true,
  digits: true,
  read: true,
  write: true,
  'write-own': true,
  into: true,
  rules: true,
  volume: true,
  mount: true,
  project: true,
  'project-directory': true,
  'ini-setting': true,
  report: true,
  upload: true,
  'named-path': true,
  'read-range': true,
  'read-pattern': true,
  'read-regex': true,
  'read-type': true,
  'env-file': true,
  module: true,
  statement: true,
  'in-place': true,
  update: true,
  shell: true,
  'shell-maybe': true,
  'path-list': true,
  'stdin-list': true,
  words: true,
  code: true,
  'editor-code': true,
  macro: true,
  'code-file': true,
  danger: true,
  'danger-value': true,
  directory: true,
  target: true,
  'named-value': true,
  'named-read': true,
  'git-config': true,
  'ssh-option': true,
  'tar-action': true,
  archive: true,
  'sed-script': true,
  'env-split': true,
  unset: true,
  'linker-flags': true,
}

/** A program with its verbs and theirs, each with the words that lead there. */
function allOf(name: string, program: Program): readonly (readonly [string, Program])[] {
  const inner = Object.entries({ ...program.verbs, ...(program.otherVerb && { '*': program.otherVerb }) })
  return [[name, program], ...inner.flatMap(([verb, each]) => allOf(`${name} ${verb}`, each))]
}

function slipsOf(name: string, { options = '', same }: Program): readonly string[] {
  const uses = new Map<string, string>()
  const slips = options
    .split(/\s+/)
    .filter(entry => entry !== '')
    .flatMap(entry => {
      const [names = '', use = 'flag', ...rest] = entry.split(':')
      return [
        ...(Object.hasOwn(USES, use) && rest.length === 0 ? [] : [`${name}: ${entry} has no use that there is`]),
        ...names.split(',').flatMap(option => {
          const other = uses.get(option)
          uses.set(option, use)
          return [
            ...(/^[-+]/.test(option) ? [] : [`${name}: ${entry} has a name without a dash`]),
            // A verb may say more of a flag of its program.
            ...(other === undefined || other === 'flag' || other === use ? [] : [`${name}: ${option} is ${other} and ${use}`]),
          ]
        }),
      ]
    })
  return same === undefined || findProgram(same) !== undefined ? slips : [...slips, `${name}: there is no ${same}`]
}

test.each(Object.entries(TABLES))('%s has no slip in its rows', (_, table) => {
  const rows = Object.entries(table).flatMap(([name, program]) => allOf(name, program))
  expect(rows.flatMap(([name, program]) => slipsOf(name, program))).toEqual([])
  expect(rows.length).toBeGreaterThan(0)
})

test('no table describes a program that another one describes: only one of them would hold', () => {
  const names = Object.values(TABLES).flatMap(table => Object.keys(table))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every program of every table is found by its name', () => {
  const names = Object.values(TABLES).flatMap(table => Object.keys(table))
  expect(names.filter(name => findProgram(name) === undefined)).toEqual([])
})

test('an alias is written as a path, then its other names', () => {
  const rows = Object.entries(aliasTable).flatMap(([program, text]) => text.split(';').map(row => `${program} ${row}`))
  expect(rows.filter(row => !/^[\w-]+(?: [\w:.-]+)+(?:=\/?[\w:. -]+(?:,\/?[\w:. -]+)*)?$/.test(row))).toEqual([])
})

const CONTEXT = { cwd: '/repo', root: '/repo', home: '/home/u' }

/** What runs (under a rule of its own, or only checked against what is forbidden), what is touched, what is unclear. */
function told(command: string): string {
  const { units, effects, problems } = analyzeCommand(command, CONTEXT)
  return [
    ...units.map(({ words, role, traits }) => {
      const text = words.map(word => word.value ?? word.source).join(' ')
      return `${role === 'full' ? 'runs' : 'checks'} ${text}${traits.map(trait => ` [${trait.kind}${'option' in trait ? ` ${trait.option}` : ''}]`).join('')}`
    }),
    ...effects.map(({ access, path, role }) => `${access}s ${path.value ?? path.source}${role === 'full' ? '' : ` (${role})`}`),
    ...problems.map(({ kind }) => kind),
  ].join('; ')
}

const ROWS: Readonly<Record<string, readonly (readonly [command: string, told: string])[]>> = {
  'wrapper table': [
    ['timeout -k 5 10 rm x', 'checks timeout -k 5 10 rm x; runs rm x; writes x (deny-only)'],
    ['nice -5 make', 'checks nice -5 make; runs make'],
    ['env -u A B=1 rm x', 'checks env -u A B=1 rm x; runs rm x [environment]; writes x (deny-only)'],
    ['xargs -0 -n 1 rm', 'checks xargs -0 -n 1 rm; runs rm ... [more-arguments]'],
    ['sudo -u root rm x', 'runs sudo -u root rm x; checks rm x; writes x (deny-only)'],
    ['su -c "rm x"', 'runs su -c rm x; checks rm x; writes x (deny-only)'],
    ['watch -n 5 rm x', 'runs watch -n 5 rm x; checks rm x; writes x (deny-only)'],
    ['flock /tmp/l -c "rm x"', 'runs flock /tmp/l -c rm x; checks rm x; writes /tmp/l (deny-only); writes x (deny-only)'],
    ['strace -o out rm x', 'runs strace -o out rm x; checks rm x; writes out; writes x (deny-only)'],
    ['timeout --made-up 5 rm x', 'runs timeout --made-up 5 rm x [unknown-wrapper-option --made-up]; runs rm x; writes x (deny-only)'],
    ['script -c "rm x" log', 'runs script -c rm x log; checks rm x; writes log; writes x (deny-only)'],
  ],
  'launcher table': [
    ['sshpass -p x ssh host rm y', 'runs sshpass -p x ssh host rm y; checks ssh host rm y; checks rm y; writes y (deny-only)'],
    ['systemd-cat rm x', 'runs systemd-cat rm x; checks rm x; writes x (deny-only)'],
    ['srun -n 2 env rm x', 'runs srun -n 2 env rm x; checks env rm x; checks rm x; writes x (deny-only)'],
    ['mpirun -np 2 rm x', 'runs mpirun -np 2 rm x; checks rm x; writes x (deny-only)'],
    ['nsjail -M o -- rm x', 'runs nsjail -M o -- rm x; checks rm x; writes x (deny-only)'],
    ['numactl -N 0 rm x', 'runs numactl -N 0 rm x; checks rm x; writes x (deny-only)'],
    ['sg staff -c "rm x"', 'runs sg staff -c rm x; checks rm x; writes x (deny-only)'],
    ['parallel-ssh -H h rm x', 'runs parallel-ssh -H h rm x; checks rm x; writes x (deny-only)'],
    ['cpulimit -l 5 rm x', 'runs cpulimit -l 5 rm x; checks rm x; writes x (deny-only)'],
  ],
  'container table': [
    ['docker run --rm alpine rm x', 'runs docker run --rm alpine rm x; checks rm x; writes x (deny-only)'],
    [
      'docker run -v /etc:/x alpine ls',
      'runs docker run -v /etc:/x alpine ls; checks ls; reads /etc (deny-only); reads /etc/mounted (deny-only); writes /etc (deny-only); writes /etc/unpacked; reads . (listing)',
    ],
    ['docker exec -it box sh -c "rm x"', 'runs docker exec -it box sh -c rm x; checks sh -c rm x; checks rm x; writes x (deny-only)'],
    ['docker cp a box:/b', 'runs docker cp a box:/b; reads a (deny-only)'],
    ['docker compose run web rm x', 'runs docker compose run web rm x; checks rm x; writes x (deny-only)'],
    ['kubectl exec pod -- rm x', 'runs kubectl exec pod -- rm x; checks rm x; writes x (deny-only)'],
    ['kubectl apply -f x.yml', 'runs kubectl apply -f x.yml; reads x.yml (deny-only); reads x.yml (guess)'],
    [
      'docker build -f D --secret id=a,src=key .',
      'runs docker build -f D --secret id=a,src=key .; reads D (deny-only); reads key (deny-only); reads key/mounted (deny-only); writes key (deny-only); writes key/unpacked (deny-only); reads . (guess)',
    ],
  ],
  'runner table': [
    ['npx -y cowsay rm', 'runs npx -y cowsay rm; checks cowsay rm'],
    ['uv run pytest', 'runs uv run pytest; checks pytest'],
    ['poetry run rm x', 'runs poetry run rm x; checks rm x; writes x (deny-only)'],
    ['bundle exec rake', 'runs bundle exec rake; checks rake'],
    ['hyperfine -p "rm a" "make b"', 'runs hyperfine -p rm a make b; checks rm a; checks make b; writes a (deny-only)'],
    ['concurrently "rm a" "rm b"', 'runs concurrently rm a rm b; checks rm a; checks rm b; writes a (deny-only); writes b (deny-only)'],
    ['nodemon -x "rm a" s.js', 'runs nodemon -x rm a s.js; checks rm a; writes a (deny-only)'],
    ['conda run -n e rm x', 'runs conda run -n e rm x; checks rm x; writes x (deny-only)'],
    ['nix-shell --run "rm x"', 'runs nix-shell --run rm x; checks rm x; writes x (deny-only)'],
  ],
  'session table': [
    ['ssh host rm x', 'runs ssh host rm x; checks rm x; writes x (deny-only)'],
    ['ssh -i key host', 'runs ssh -i key host; reads key (deny-only)'],
    ['tmux new -d "rm x"', 'runs tmux new -d rm x; checks rm x; writes x (deny-only)'],
    [
      'tmux send-keys "rm x" Enter',
      'runs tmux send-keys rm x Enter [not-covered]; checks rm x Enter; writes x (deny-only); writes Enter (deny-only)',
    ],
    ['mosh host rm x', 'runs mosh host rm x; checks rm x; writes x (deny-only)'],
    ['gcore 12', 'runs gcore 12 [not-covered]'],
    ['screen -dm rm x', 'runs screen -dm rm x; checks rm x; writes x (deny-only)'],
  ],
  'file table': [
    ['cp a b c', 'runs cp a b c; reads a (deny-only); reads b (deny-only); writes c (deny-only); writes c/a; writes c/b'],
    ['mv a b', 'runs mv a b; reads a (deny-only); writes a (deny-only); writes b'],
    ['ln -s a b', 'runs ln -s a b; reads a (deny-only); writes b'],
    ['rm -r a', 'runs rm -r a; writes a (deny-only)'],
    ['tee -a log', 'runs tee -a log; writes log'],
    ['dd if=a of=b', 'runs dd if=a of=b; reads a (deny-only); writes b'],
    ['sort -o out in', 'runs sort -o out in; writes out; reads in (deny-only)'],
    ['chmod 600 a', 'runs chmod 600 a; writes a (deny-only)'],
    ['tar -xf a.tar -C d', 'runs tar -xf a.tar -C d; writes d (deny-only); writes d/unpacked (deny-only); reads a.tar (deny-only)'],
    ['tar -cf a.tar b', 'runs tar -cf a.tar b; writes a.tar; reads b (deny-only)'],
    ['unzip a.zip -d d', 'runs unzip a.zip -d d; writes d (deny-only); writes d/unpacked (deny-only); reads a.zip (deny-only)'],
    ['gzip a', 'runs gzip a; reads a (deny-only); writes a (deny-only); writes a.gz (deny-only)'],
    ['patch -p1 -i a.diff', 'runs patch -p1 -i a.diff; reads a.diff (deny-only)'],
    ['install -m 755 a b', 'runs install -m 755 a b; reads a (deny-only); writes b'],
    ['truncate -s 0 a', 'runs truncate -s 0 a; writes a'],
    ['jq --slurpfile v f . a', 'runs jq --slurpfile v f . a; reads f (deny-only); reads a (deny-only)'],
    ['cat a b', 'runs cat a b; reads a (deny-only); reads b (deny-only)'],
    ['touch -r a b', 'runs touch -r a b; writes b'],
    ['split a p', 'runs split a p; reads a (deny-only); writes p'],
  ],
  'effect table': [
    ['xxd a', 'runs xxd a; reads a (deny-only)'],
    ['mlr --icsv --ojson cat a', 'runs mlr --icsv --ojson cat a; reads a (deny-only)'],
    ['mlr --csv tee -a b', 'runs mlr --csv tee -a b; writes b; reads b (deny-only)'],
    ['mlr cat then tee b', 'runs mlr cat then tee b; writes b; reads then (deny-only); reads tee (deny-only); reads b (deny-only)'],
    ['mlr split --prefix b a', 'runs mlr split --prefix b a; writes b_1; reads b (deny-only); reads a (deny-only)'],
    [`mlr -n put 'tee > "b", $*'`, 'runs mlr -n put tee > "b", $*; writes b; reads tee > "b", $* (deny-only)'],
    [
      `mlr -n put 'end { system("rm x") }'`,
      'runs mlr -n put end { system("rm x") } [not-covered]; checks rm x; writes x (deny-only); reads end { system("rm x") } (deny-only)',
    ],
    [
      `mlr filter '$x > 5 || $y == "b"' a`,
      'runs mlr filter $x > 5 || $y == "b" a; reads $x > 5 || $y == "b" (deny-only); reads a (deny-only)',
    ],
    ['shred a', 'runs shred a; writes a (deny-only)'],
    ['pdftotext a b', 'runs pdftotext a b; reads a (deny-only); writes b'],
    ['zcat a', 'runs zcat a; reads a (deny-only)'],
  ],
  'search table': [
    ['grep -f p x a', 'runs grep -f p x a; reads p (deny-only); reads x (deny-only); reads a (deny-only)'],
    ['rg --pre "cat x" y', 'runs rg --pre cat x y; runs cat x; reads x (deny-only)'],
    [
      'find . -name a -delete',
      'runs find . -name a -delete [not-covered]; reads . (listing); writes . (deny-only); writes a (deny-only); writes ./**a (deny-only)',
    ],
    ['find . -exec rm {} +', 'runs find . -exec rm {} +; runs rm {} [more-arguments]; reads . (listing); writes . (deny-only)'],
    ['sed -i s/a/b/ f', 'runs sed -i s/a/b/ f; reads f (deny-only); writes f'],
    ['sed -n 1p f', 'runs sed -n 1p f; reads f (deny-only)'],
    ['awk -f p f', 'runs awk -f p f [interpreter-code -f]; reads p (deny-only); reads f (deny-only)'],
    ['awk \'BEGIN{system("rm x")}\'', 'runs awk BEGIN{system("rm x")}; runs rm x; writes x (deny-only)'],
    ['vim -c "w x" f', 'runs vim -c w x f [interpreter-code -c]; writes x; reads f (deny-only); writes f (deny-only)'],
    ['man -P "rm x" ls', 'runs man -P rm x ls; runs rm x; writes x (deny-only)'],
    ['ag --pager "rm x" y', 'runs ag --pager rm x y; runs rm x; writes x (deny-only)'],
  ],
  'network table': [
    ['curl -o out -d @body http://h/x', 'runs curl -o out -d @body http://h/x; writes out; reads body (deny-only)'],
    ['wget http://h/x', 'runs wget http://h/x; writes x'],
    ['rsync -a a h:b', 'runs rsync -a a h:b; reads a (deny-only)'],
    ['scp key h:', 'runs scp key h:; reads key (deny-only)'],
    ['ssh-keygen -f k', 'runs ssh-keygen -f k; writes k'],
    ['openssl rsa -in a -out b', 'runs openssl rsa -in a -out b [not-covered]; reads a (deny-only); writes b; reads rsa (deny-only)'],
    ['gpg -o out -d in', 'runs gpg -o out -d in; writes out; reads in (deny-only)'],
    ['nc -e /bin/sh h 1', 'runs nc -e /bin/sh h 1 [not-covered]; runs /bin/sh; reads /bin/sh (guess)'],
    ['socat - EXEC:sh', 'runs socat - EXEC:sh [not-covered]; checks sh'],
    ['tcpdump -w out', 'runs tcpdump -w out; writes out'],
  ],
  'code table': [
    ["python3 -c 'print(1)'", 'runs python3 -c print(1) [interpreter-code -c]'],
    ['python3 a.py', 'runs python3 a.py; reads a.py (deny-only)'],
    ['python3 -m timeit x', 'runs python3 -m timeit x [interpreter-code -m]; checks timeit x; reads x (deny-only)'],
    ['python3 -m json.tool a b', 'runs python3 -m json.tool a b; checks json.tool a b; reads a (deny-only); writes b'],
    ['cpp a b', 'runs cpp a b; reads a (deny-only); writes b'],
    ["node -e '1'", 'runs node -e 1 [interpreter-code -e]'],
    ['node a.js', 'runs node a.js; reads a.js (deny-only)'],
    ['make -C d all', 'runs make -C d all'],
    ['go test -exec "rm x" ./...', 'runs go test -exec rm x ./...; runs rm x; writes x (deny-only); reads ./... (guess)'],
    ['cargo --config a=b build', 'runs cargo --config a=b build [not-covered]'],
    ['pip install -r req.txt', 'runs pip install -r req.txt; reads req.txt (deny-only); reads req.txt (deny-only)'],
    ['psql -c "select 1"', 'runs psql -c select 1'],
    ['deno eval 1', 'runs deno eval 1 [not-covered]'],
    ['tsc -p d', 'runs tsc -p d; reads d (deny-only)'],
  ],
  'interpreter table': [
    ["sbcl --eval '1'", 'runs sbcl --eval 1 [interpreter-code --eval]'],
    ['racket a.rkt', 'runs racket a.rkt; reads a.rkt (deny-only)'],
    ['hy -m timeit', 'runs hy -m timeit [interpreter-code -m]; checks timeit'],
    ['blender --python a.py', 'runs blender --python a.py [interpreter-code --python]; reads a.py (deny-only)'],
    ['crystal eval 1', 'runs crystal eval 1 [not-covered]'],
  ],
  'command-option table': [
    ['octave --eval "1"', 'runs octave --eval 1 [interpreter-code --eval]'],
    ['restic --password-command "rm x" backup', 'runs restic --password-command rm x backup; runs rm x; writes x (deny-only)'],
    ['mvn -f p.xml test', 'runs mvn -f p.xml test; reads p.xml (guess)'],
    ['pdflatex -shell-escape a', 'runs pdflatex -shell-escape a [not-covered]; reads a (deny-only)'],
    ['xdotool key a', 'runs xdotool key a [not-covered]'],
    ['gnuplot -e "1"', 'runs gnuplot -e 1 [interpreter-code -e]'],
  ],
  'package table': [
    ['npm run build', 'runs npm run build'],
    ['npm exec -- rm x', 'runs npm exec -- rm x; checks rm x; writes x (deny-only)'],
    ['npm config set a b', 'runs npm config set a b [not-covered]'],
    ['pnpm tsc', 'runs pnpm tsc; checks tsc'],
    ['pnpm dlx a', 'runs pnpm dlx a; checks a'],
    ['yarn workspace w exec rm x', 'runs yarn workspace w exec rm x; checks rm x; writes x (deny-only)'],
    ['npm --prefix d test', 'runs npm --prefix d test; reads d (guess)'],
    ['yarn create a', 'runs yarn create a [not-covered]'],
  ],
  'git table': [
    ['git -C d status', 'runs git -C d status'],
    ['git -c core.pager=x log', 'runs git -c core.pager=x log; runs x'],
    ['git config alias.x "!rm y"', 'runs git config alias.x !rm y [not-covered]; runs rm y; writes y (deny-only)'],
    ['git commit -F m', 'runs git commit -F m; reads m (deny-only)'],
    ['git checkout HEAD a', 'runs git checkout HEAD a; writes HEAD (guess); writes a (deny-only)'],
    ['git show HEAD:a', 'runs git show HEAD:a; reads a (deny-only)'],
    ['git apply a.diff', 'runs git apply a.diff; reads a.diff (deny-only)'],
    ['git bisect run rm x', 'runs git bisect run rm x; runs rm x; writes x (deny-only)'],
    ['git rebase -x "rm x" HEAD', 'runs git rebase -x rm x HEAD; runs rm x; writes x (deny-only)'],
    ['git log -L 1,5:a', 'runs git log -L 1,5:a; reads a (deny-only)'],
    ['git grep -f p x', 'runs git grep -f p x; reads p (deny-only); reads x (deny-only)'],
    ['git bundle create b HEAD', 'runs git bundle create b HEAD; writes b; reads HEAD (deny-only)'],
    ['git archive -o out HEAD', 'runs git archive -o out HEAD; writes out; reads HEAD (deny-only)'],
  ],
  'github table': [
    ['gh pr create -F body', 'runs gh pr create -F body; reads body (deny-only)'],
    ['gh api -F a=@f x', 'runs gh api -F a=@f x; reads f (deny-only)'],
    ['gh release upload v1 a', 'runs gh release upload v1 a; reads a (deny-only)'],
    ['gh repo clone o/r d', 'runs gh repo clone o/r d; writes d (deny-only)'],
    ['gh alias set a "!rm x"', 'runs gh alias set a !rm x [not-covered]'],
    ['gh extension install x', 'runs gh extension install x [not-covered]'],
    ['gh gist create a', 'runs gh gist create a; reads a (deny-only)'],
  ],
  'own table': [
    ['claude -p hi', 'runs claude -p hi'],
    ['claude --dangerously-skip-permissions', 'runs claude --dangerously-skip-permissions [not-covered]'],
    ['codex exec hi', 'runs codex exec hi'],
    ['gemini -y', 'runs gemini -y [not-covered]'],
    ['claude mcp add x rm y', 'runs claude mcp add x rm y'],
  ],
  'alias table': [
    ['git stage a', 'runs git stage a; reads a (deny-only)'],
    ['docker container run alpine ls', 'runs docker container run alpine ls; checks ls; reads . (listing)'],
    ['npm i x', 'runs npm i x'],
    ['gh pr new', 'runs gh pr new'],
    ['helm del x', 'runs helm del x'],
  ],
}

for (const [table, rows] of Object.entries(ROWS))
  describe(table, () => {
    test.each(rows)('%s', (command, expected) => {
      expect(told(command)).toBe(expected)
    })
  })
