import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import { describeAnalysis } from './fixtures/describe-analysis.ts'
import { baseName } from './word.ts'

const context = { cwd: '/repo', root: '/repo', home: '/home/dev' }

type Case = readonly [command: string, findings: readonly string[]]

const commands: readonly Case[] = [
  ['git status; rm -rf /', ['git status', 'rm -rf /', '~write /']],
  ['(cd src && ls) ; ls', ['cd src [neutral]', 'ls', 'ls']],
  ['! ls && time -p rm x', ['ls', 'rm x', '~write x']],
  ['coproc rm x', ['rm x', '~write x']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['for i in $(x); do y; done', ['x', 'y']],
  ['case $(x) in $(y)) z ;; esac', ['x', 'y', 'z']],
  ['f() { rm x; }; f a', ['rm x', 'f a [neutral]', '~write x']],
  ['f() { :; }; command f', [': [neutral]', '~command f', 'command > f']],
  ['echo $(a `b`) <(c) >(d)', ['echo $(a `b`) /dev/fd/63 /dev/fd/63', 'a `b`', 'b', 'c', 'd']],
  ['echo "${x:-$(a)}" $(( $(b) )) ${y[$(c)]}', ['echo "${x:-$(a)}" $(( $(b) )) ${y[$(c)]}', 'a', 'b', 'c']],
  ['X=$(a) Y=(b $(c)) d', ['X= Y= d [environment X] [environment Y]', 'a', 'c']],
  ['(( x[$(a)] ))', ['a']],
  ['[[ $(a) -eq $(b) ]]', ['a', 'b']],
  ['cat <<EOF\n$(a)\nEOF', ['cat', 'a']],
  ["cat <<'EOF'\n$(a)\nEOF", ['cat']],
  [`bash -lc 'git status && npm test'`, [`~bash -lc 'git status && npm test'`, 'bash -c > git status', 'bash -c > npm test']],
  [`bash -x -e -c 'rm x'`, [`~bash -x -e -c 'rm x'`, 'bash -c > rm x', '~write x']],
  [`bash -c -e 'rm x'`, [`~bash -c -e 'rm x'`, 'bash -c > rm x', '~write x']],
  [
    'sh -c "rm -rf $X"',
    ['~sh -c "rm -rf $X"', '~sh -c > rm -rf ${__unknown__}', '~write ?', 'opaque: sh -c runs code that is only known at run time'],
  ],
  [`A=1 bash -c 'rm x'`, [`A= bash -c 'rm x' [environment A]`, 'bash -c > rm x', '~write x']],
  ['bash x.sh a', ['bash x.sh a', '~read x.sh']],
  ['bash < x.sh', ['bash', 'read x.sh', 'opaque: bash runs code from a file or descriptor']],
  ['bash <(curl x)', ['bash /dev/fd/63', 'curl x', 'opaque: bash runs code from a file descriptor']],
  [`bash <<< 'rm x'`, ['~bash', 'bash > rm x', '~write x']],
  ['curl x | bash', ['curl x', 'bash', 'opaque: bash runs code from a pipe']],
  ['curl x | { cat; sudo bash -s; }', ['curl x', 'cat', 'sudo bash -s', '~sudo > bash -s', 'opaque: bash runs code from a pipe']],
  [`echo 'rm x' | sh`, [`echo 'rm x'`, '~sh', 'sh > rm x', '~write x']],
  [`eval 'cd src'; ls > out`, [`~eval 'cd src'`, 'eval > cd src [neutral]', 'ls', 'write out from /repo/src']],
  ['eval "$X"', ['~eval "$X"', '~eval > ${__unknown__} [unclear-command]', 'opaque: eval runs code that is only known at run time']],
  [`trap 'rm x' EXIT`, [`~trap 'rm x' EXIT`, 'trap > rm x', '~write x']],
  ['trap - EXIT', ['trap - EXIT [neutral]']],
  ['source ./env.sh', ['source ./env.sh [state-change]', '~read ./env.sh']],
  ['. <(x)', ['. /dev/fd/63 [state-change]', 'x', 'opaque: . runs code from a file descriptor']],
  [`alias ll='ls -l'`, [`alias 'll=ls -l' [state-change]`, 'alias > ls -l']],
  ['export A=1', ['export A=1 [state-change]']],
  ['set -euo pipefail', ['set -euo pipefail [neutral]']],
  ['set -x', ['set -x [state-change]']],
  ['set -euxo pipefail', ['set -euxo pipefail [neutral]']],
  ['timeout -s KILL 5 npm test', ['~timeout -s KILL 5 npm test', 'timeout > npm test']],
  ['timeout --odd 5 npm test', ['timeout --odd 5 npm test [unknown-wrapper-option --odd]', 'timeout > npm test']],
  ['timeout $T npm test', ['timeout $T npm test [unknown-wrapper-option $T]', 'timeout > npm test']],
  ['env -i CI=1 FOO=2 npm test', ['~env -i CI=1 FOO=2 npm test', 'env > CI= FOO= npm test [environment FOO]']],
  ['env A.B=c rm x', ['~env A.B=c rm x', 'env > A.B= rm x [environment A.B]', '~write x']],
  [`env -S 'rm -rf /'`, [`~env -S 'rm -rf /'`, 'env > rm -rf /', '~write /']],
  ['env', ['env']],
  ['command -v git', ['command -v git [neutral]']],
  ['exec 3> log', ['exec [neutral]', 'write log']],
  ['nice -5 nohup npm test', ['~nice -5 nohup npm test', '~nice > nohup npm test', 'nice > nohup > npm test']],
  ['xargs -0 rm -rf', ['~xargs -0 rm -rf', 'xargs > rm -rf ... [more-arguments]']],
  [
    `xargs -I% sh -c 'rm %'`,
    [
      `~xargs -I% sh -c 'rm %'`,
      `~xargs > sh -c 'rm %' [more-arguments]`,
      '~xargs > sh -c > rm ${__unknown__}',
      '~write ?',
      'opaque: sh -c runs code that is only known at run time',
    ],
  ],
  ['find . -exec grep x {} +', ['find . -exec grep x {} +', 'find -exec > grep x {} [more-arguments]', '~read .']],
  ['find . -delete', ['find . -delete [not-covered]', '~write .']],
  ['find . -fprint out', ['find . -fprint out', 'write out']],
  ['fd -e ts -x rm', ['fd -e ts -x rm', 'fd -x > rm [more-arguments]', '~write ts']],
  ['sudo -u root rm x', ['sudo -u root rm x', '~sudo > rm x', '~write x']],
  ['ssh -p 22 host rm x', ['ssh -p 22 host rm x', '~ssh > rm x', '~write x']],
  ['docker run --rm -v a:b alpine rm x', ['docker run --rm -v a:b alpine rm x', '~docker > rm x', '~write x']],
  ['kubectl exec pod -- rm x', ['kubectl exec pod -- rm x', '~kubectl > rm x', '~write x']],
  [`npm exec -c 'rm x'`, [`npm exec -c 'rm x'`, '~npm -c > rm x', '~write x']],
  ['npx -y tool a', ['npx -y tool a', '~npx > tool a']],
  [`watch -n1 'rm x'`, [`watch -n1 'rm x'`, '~watch > rm x', '~write x']],
  [
    'parallel rm {} ::: a b',
    [
      'parallel rm {} ::: a b',
      '~parallel > rm a',
      '~parallel > rm b',
      '~parallel > rm "$__supplied__"',
      '~write a',
      '~write b',
      '~write ?',
    ],
  ],
  ['parallel cat :::: list', ['parallel cat :::: list', '~parallel > cat', '~read list']],
  [`at now <<< 'rm x'`, ['at now', '~at > rm x', '~write x']],
  [`tmux new -d 'rm x'`, [`tmux new -d 'rm x'`, '~tmux > rm x', '~write x']],
  [`python3 -c 'x'`, ['python3 -c x [interpreter-code -c]']],
  ['python3 -m pytest', ['python3 -m pytest', '~pytest']],
  ['python3 a.py', ['python3 a.py', '~read a.py']],
  ['jq --arg n .env .a f', ['jq --arg n .env .a f', '~read f']],
  ['jq --slurpfile n a . f', ['jq --slurpfile n a . f', '~read a', '~read f']],
  ['echo b | xargs cat', ['echo b', '~xargs cat', 'xargs > cat b [more-arguments]', '~read b']],
  ['make -f <(a) x', ['make -f /dev/fd/63 x [interpreter-code -f]', 'a']],
  ['unzip a.zip -d b', ['unzip a.zip -d b', '~write b', '~write b/unpacked', '~read a.zip']],
  ['psql -c "select 1"', ["psql -c 'select 1'"]],
  ["psql -c '\\! a'", ["psql -c '\\! a' [interpreter-code -c]", '~psql > a']],
  ['printf -v PATH x', ['printf -v PATH x [environment PATH]']],
  [`python3 <<< 'x'`, ['python3 [interpreter-code -]']],
  ['perl -pi -e s/a/b/ f', ['perl -pi -e s/a/b/ f [interpreter-code -e]', '~read f', 'write f']],
  ['node -pe 1', ['node -pe 1 [interpreter-code -pe]']],
  [`git -c core.pager='rm x' log`, [`git -c 'core.pager=rm x' log`, 'git -c core.pager > rm x', '~write x']],
  [`git -c alias.x='!rm x' x`, [`git -c 'alias.x=!rm x' x`, 'git -c alias.x > rm x', '~write x']],
  [`git -c alias.x='push -f' x`, [`git -c 'alias.x=push -f' x`, 'git -c alias.x > git push -f']],
  ['git -c user.name=a commit', ['git -c user.name=a commit']],
  ['git -C sub diff --output=x', ['git -C sub diff --output=x', 'write x from /repo/sub']],
  [`git config alias.x '!rm x'`, [`git config alias.x '!rm x' [not-covered]`, 'git config alias.x > rm x', '~write x']],
  ['git config user.email', ['git config user.email']],
  [`git fetch --upl='rm x' o`, [`git fetch '--upl=rm x' o`, 'git --upl > rm x', '~write x']],
  ['git clone ext::x', ['git clone ext::x [not-covered]', '~git ext:: > x']],
  ['git bisect run rm x', ['git bisect run rm x', 'git > rm x', '~write x']],
  [`git submodule foreach 'rm x'`, [`git submodule foreach 'rm x'`, 'git > rm x', '~write x']],
  [`sed -i '' s/a/b/ f`, [`sed -i '' s/a/b/ f`, '~read f', 'write f']],
  [`sed -n 'w out' f`, [`sed -n 'w out' f`, 'write out', '~read f']],
  [`awk '{print > "out"}' f`, [`awk '{print > "out"}' f`, 'write out', '~read f']],
  ['sort -ofile x', ['sort -ofile x', 'write file', '~read x']],
  ['sort --outp=x y', ['sort --outp=x y', 'write x', '~read y']],
  [
    `tar cf a.tar src --checkpoint-action=exec='rm x'`,
    [`tar cf a.tar src '--checkpoint-action=exec=rm x'`, 'tar --checkpoint-action > rm x', 'write a.tar', '~write x', '~read src'],
  ],
  [`rg --pre 'rm x' y`, [`rg --pre 'rm x' y`, 'rg --pre > rm x', '~write x']],
  ['rg --pretty x src', ['rg --pretty x src', '~read src']],
  ['make SHELL=/x all', ['make SHELL=/x all [not-covered]']],
  ['git show HEAD:.env', ['git show HEAD:.env', '~read .env']],
  ['tar -xf a.tar b', ['tar -xf a.tar b', '~write .', '~write ./unpacked', '~read a.tar', '~write b']],
  ['IFS= read -r x', ['IFS= read -r x [neutral]']],
  ['env - rm x', ['~env - rm x', 'env > rm x', '~write x']],
  ['ssh h <<E\nrm x\nE', ['ssh h', '~ssh > rm x', '~write x']],
  ['su - u <<< "rm x"', ['su - u', '~su > rm x', '~write x']],
  ['cat x | ssh h', ['cat x', 'ssh h', '~read x', 'opaque: ssh runs code from a pipe or file']],
  ['bash < /dev/null', ['bash']],
  ['taskset 1 npm test', ['taskset 1 npm test', '~taskset > npm test']],
  ['go test -exec rm ./...', ['go test -exec rm ./...', 'go -exec > rm', '?read ./...']],
  ['odd a.bin --out=b.txt @c.d word', ['odd a.bin --out=b.txt @c.d word', '?read a.bin', '?read b.txt', '?write b.txt', '?read c.d']],
  ['ls a.bin', ['ls a.bin']],
  [
    'find . -name .env | sort | xargs cat',
    ['find . -name .env', 'sort', '~xargs cat', 'xargs > cat ... [more-arguments]', '~read .env', '~read ./**.env'],
  ],
  ['cargo --config x build', ['cargo --config x build [not-covered]']],
  ['npm run t --script-sh=/x', ['npm run t --script-sh=/x [not-covered]', '?read /x']],
  ['cp a b dist/', ['cp a b dist/', '~read a', '~read b', '~write dist/', 'write dist//a', 'write dist//b']],
  ['cp src/*.ts dist/', ['cp src/*.ts dist/', '~read src/*.ts', '~write dist/', 'write dist//*.ts']],
  ['mv a b', ['mv a b', '~read a', '~write a', 'write b']],
  ['tee -a a b', ['tee -a a b', 'write a', 'write b']],
  ['dd if=a of=b', ['dd if=a of=b', '~read a', 'write b']],
  ['rm -r build', ['rm -r build', '~write build']],
  ['wget -qO- u', ['wget -qO- u']],
  [`vim -c ':!x' f`, ['vim -c :!x f [interpreter-code -c]', 'vim > x', '~read f', '~write f']],
  ['vim +12 f', ['vim +12 f', '~read f', '~write f']],
  [`less +'!x' f`, ['less +!x f [interpreter-code +]', '~read f']],
  ['$X -rf /', ['$X -rf / [unclear-command]']],
  ['/bin/r[m] x', ['/bin/r[m] x [unclear-command]']],
]

const paths: readonly Case[] = [
  ['echo x > .env', ['echo x', 'write .env']],
  ['echo x >> a 2> b &> c', ['echo x', 'write a', 'write b', 'write c']],
  ['echo x 2>&1 >&2 3>&-', ['echo x']],
  ['echo x > /dev/null', ['echo x']],
  ['echo x >2>&1', ['echo x', 'write 2', 'parse-error: expected redirect target']],
  ['echo x > /dev/tcp/h/80', ['echo x', 'unclear: /dev/tcp/h/80 opens a network connection']],
  ['cat < a <> b', ['cat', 'read a', 'read b', 'write b']],
  ['> $F', ['write ?']],
  ['F=a; echo x > $F', ['F=  [neutral]', 'echo x', 'write a']],
  ['F=a; F=b; echo x > $F', ['F=  [neutral]', 'F=  [neutral]', 'echo x', 'write ?']],
  ['F=a; read F; echo x > $F', ['F=  [neutral]', 'read F [neutral]', 'echo x', 'write ?']],
  ['for f in a b; do cat "$f"; done', ['cat "$f"', '~read a', '~read b']],
  ['for f in src/*.ts; do cat "$f"; done', ['cat "$f"', '~read src/*.ts']],
  ['while read f; do cat "$f"; done', ['read f [neutral]', 'cat "$f"', '~read ?']],
  ['echo x > ~/a "$HOME/b" $PWD/c', ['echo x /home/dev/b /repo/c', 'write /home/dev/a']],
  [`echo x > '~/a'`, ['echo x', 'write ./~/a']],
  ['echo x > ~root/a', ['echo x', 'write ?/a']],
  ['echo "$["', ['echo $[', "parse-error: '$[' without ']'"]],
  ['x="a $[ b"', ['x=  [neutral]', "parse-error: '$[' without ']'"]],
  ['cd src && echo x > a', ['cd src [neutral]', 'echo x', 'write a from /repo/src']],
  ['cd src; cd ..; echo x > a', ['cd src [neutral]', 'cd .. [neutral]', 'echo x', 'write a']],
  ['(cd src); echo x > a', ['cd src [neutral]', 'echo x', 'write a']],
  ['cd src | cat; echo x > a', ['cd src [neutral]', 'cat', 'echo x', 'write a']],
  ['cd src & echo x > a', ['cd src [neutral]', 'echo x', 'write a']],
  ['false && cd src; echo x > a', ['false [neutral]', 'cd src [neutral]', 'echo x', 'write a', 'write a from /repo/src']],
  ['cd src || exit 1; echo x > a', ['cd src [neutral]', 'exit 1 [neutral]', 'echo x', 'write a from /repo/src']],
  ['if x; then cd src; fi; echo x > a', ['x', 'cd src [neutral]', 'echo x', 'write a from /repo/src', 'write a']],
  ['while x; do cd src; echo x > a; done', ['x', 'cd src [neutral]', 'echo x', 'write a from ?']],
  ['cd "$D" && echo x > a', ['cd "$D"', 'echo x', 'write a from ?']],
  ['cd -; echo x > a', ['cd -', 'echo x', 'write a from ?']],
  ['pushd src; echo x > a; popd; echo x > b', ['pushd src', 'echo x', 'popd', 'echo x', 'write a from /repo/src', 'write b from ?']],
  ['env cd src; echo x > a', ['~env cd src', 'env > cd src [neutral]', 'echo x', 'write a']],
  ['f() { cd src; }; f; echo x > a', ['cd src [neutral]', 'f [neutral]', 'echo x', 'write a from ?']],
  ['cd /etc && cat passwd', ['cd /etc', 'cat passwd', '~read passwd from /etc']],
  ['cd src > log; echo x > a', ['cd src [neutral]', 'echo x', 'write log', 'write a from /repo/src']],
  ['cd $(mkdir -p d && echo d)', ['cd $(mkdir -p d && echo d)', 'mkdir -p d', 'echo d', '~write d']],
]

const refused: readonly Case[] = [
  ['a\0b', ['refused: holds a NUL character']],
  ['x'.repeat(65_537), ['refused: is longer than 64 KiB']],
  ['\u20ac'.repeat(22_000), ['refused: is longer than 64 KiB']],
  [`${'{'.repeat(5000)}`, ['refused: takes too long to read']],
  ['cat <<A '.repeat(2001), ['refused: holds more than 2000 here-documents']],
  [`ls${' a'.repeat(5001)}`, ['refused: holds more than 5000 words']],
  ['${'.repeat(30_000), ['refused: is nested more than 200 deep']],
  [`${'( '.repeat(201)}x${' )'.repeat(201)}`, ['refused: is nested more than 200 deep']],
  [`${'$( '.repeat(300)}x`, ['refused: is nested more than 200 deep']],
  ['f() '.repeat(16_000), ['refused: is nested more than 200 deep']],
]

test.each(commands)('%s', (command, findings) => {
  expect(describeAnalysis(analyzeCommand(command, context))).toEqual(findings)
})

test.each(paths)('%s', (command, findings) => {
  expect(describeAnalysis(analyzeCommand(command, context))).toEqual(findings)
})

test.each(refused.map(([command, findings]) => [command.slice(0, 20), command, findings] as const))(
  '%s... is refused',
  (_, command, findings) => {
    expect(describeAnalysis(analyzeCommand(command, context))).toEqual(findings)
  },
)

test('what was parsed before an error is kept', () => {
  expect(describeAnalysis(analyzeCommand('rm -rf /\necho "', context))).toEqual([
    'rm -rf /',
    "echo ''",
    '~write /',
    'parse-error: unterminated double quote',
  ])
})

test('three hundred commands give three hundred units', () => {
  expect(analyzeCommand('true;'.repeat(300), context).units).toHaveLength(300)
})

test.each([
  ['true;'.repeat(2000), []],
  ['true;'.repeat(2001), ['holds more than 2000 commands']],
  [`true ${'``'.repeat(2001)}`, ['holds more than 2000 commands']],
])('%.10s... has problems %j', (command, problems) => {
  expect(analyzeCommand(command, context).problems.map(({ message }) => message)).toEqual(problems)
})

test('a brace bomb is one unknown part', () => {
  const { units } = analyzeCommand('echo {1..99999}{1..99999}', context)
  expect(units[0]?.words[1]?.parts).toEqual([{ kind: 'unknown', splits: true }])
})

interface LabelledCase {
  readonly id: string
  readonly tool: string
  readonly input: { readonly command?: unknown }
  readonly see?: readonly string[]
  readonly writes?: readonly string[]
}

const cases = readFileSync(new URL('../../policy/fixtures/permission-cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as LabelledCase)
  .filter(item => item.tool === 'Bash' && typeof item.input.command === 'string')

const seen = cases.filter(item => item.see)
const written = cases.filter(item => item.writes)

test.each(seen.map(item => [item.id, item] as const))('%s finds every program', (_, item) => {
  const names = analyzeCommand(String(item.input.command), context).units.map(unit => baseName(unit.words[0]?.value ?? ''))
  const missing = [...(item.see ?? [])]
  for (const name of names) if (missing.includes(name)) missing.splice(missing.indexOf(name), 1)
  expect(missing).toEqual([])
})

test.each(written.map(item => [item.id, item] as const))('%s finds every written file', (_, item) => {
  const { effects } = analyzeCommand(String(item.input.command), context)
  const paths = effects.filter(effect => effect.access === 'write').map(effect => effect.path.value)
  expect(paths).toEqual(expect.arrayContaining([...(item.writes ?? [])]))
})
