// One command with given words, in the many ways that bash comes to run it.
import { isPlain, type Maker, plainly, quote, singleQuoted } from './quote.ts'
import { setVariable } from './set-variable.ts'
import { spellWord } from './spell.ts'

type CommandSpeller = (make: Maker, argv: readonly string[]) => readonly string[]

/** Statements, one after the other. */
export function spellCommand(make: Maker, argv: readonly string[]): readonly string[] {
  if (make.chance(20)) return [line(make, argv)]
  if (make.chance(50)) return wordByWord(make, argv)
  return make.pick(SPELLERS)(make, argv)
}

function line(make: Maker, argv: readonly string[]): string {
  return argv.map(word => plainly(make, word)).join(' ')
}

function wordByWord(make: Maker, argv: readonly string[]): readonly string[] {
  const before: string[] = []
  const words = argv.map(word => {
    if (make.chance(45)) return plainly(make, word)
    const spelled = spellWord(make, word)
    before.push(...spelled.before)
    return spelled.text
  })
  return [...before, words.join(' ')]
}

const first = (argv: readonly string[]): string => argv[0] ?? ''
const canSplit = (argv: readonly string[]): boolean => argv.every(word => isPlain(word) && !word.includes(':'))

const WORDS: readonly CommandSpeller[] = [
  (make, argv) => {
    const name = make.fresh()
    return canSplit(argv) ? [...setVariable(make, name, argv.join(' ')), `$${name}`] : [line(make, argv)]
  },
  (make, argv) => {
    const name = make.fresh()
    return canSplit(argv) ? [...setVariable(make, name, argv.join(':')), 'IFS=:', `$${name}`] : [line(make, argv)]
  },
  (make, argv) => [`a=(${line(make, argv)})`, '"${a[@]}"'],
  (make, argv) => [`a=(${line(make, argv.slice(1))})`, `${first(argv)} "\${a[@]}"`],
  (make, argv) => [`a=(x y ${line(make, argv)})`, '"${a[@]:2}"'],
  (make, argv) => ['a=()', ...argv.map(word => `a+=(${plainly(make, word)})`), '${a[*]}'],
  (make, argv) => [`set -- ${line(make, argv)}`, make.pick(['"$@"', '$*', '"${@:1}"', '"$1" "${@:2}"'])],
  (make, argv) => [`set -- x ${line(make, argv)}`, 'shift', '"$@"'],
  (make, argv) => [`set -- ${line(make, argv.slice(1))}`, `${first(argv)} "$@"`],
  (make, argv) => [argv.length > 1 ? `{${argv.map(word => plainly(make, word)).join(',')}}` : line(make, argv)],
  (make, argv) => [
    argv.length > 2
      ? `${first(argv)} {${argv
          .slice(1)
          .map(word => plainly(make, word))
          .join(',')}}`
      : line(make, argv),
  ],
  (make, argv) => [`read -ra a <<< ${singleQuoted(line(make, argv))}`, '"${a[@]}"'],
  (make, argv) => [`mapfile -t a < <(printf '%s\\n' ${line(make, argv)})`, '"${a[@]}"'],
  (make, argv) => [`printf -v c '%q ' ${line(make, argv)}`, 'eval "$c"'],
  (make, argv) => [
    `c=${quote(make, line(make, argv))}`,
    make.pick(['eval "$c"', 'eval $c', 'bash -c "$c"', '. <(echo "$c")', 'sh <<< "$c"', 'bash <<< $c']),
  ],
]

const NAMES: readonly CommandSpeller[] = [
  (make, argv) => ['shopt -s expand_aliases', `alias q=${quote(make, line(make, argv))}\nq`],
  (make, argv) => ['shopt -s expand_aliases', `alias q=${plainly(make, first(argv))}\nq ${line(make, argv.slice(1))}`],
  (make, argv) => ['shopt -s expand_aliases', `alias q='command ' p=${plainly(make, first(argv))}\nq p ${line(make, argv.slice(1))}`],
  (make, argv) => [`f() { "$@"; }`, `f ${line(make, argv)}`],
  (make, argv) => [`f() { ${first(argv)} "$@"; }`, `f ${line(make, argv.slice(1))}`],
  (make, argv) => [`f() { $1 "\${@:2}"; }`, `f ${line(make, argv)}`],
  (make, argv) => [`f() { local c=$1; shift; $c "$@"; }`, `f ${line(make, argv)}`],
  (make, argv) => [`f() { g "$@"; }`, `g() { "$@"; }`, `f ${line(make, argv)}`],
  (make, argv) => [`function ls { ${line(make, argv)}; }`, 'ls -la'],
  (make, argv) => [`cd() { ${line(make, argv)}; }`, 'cd src'],
  (make, argv) => [`${first(argv)}() { command ${first(argv)} "$@"; }`, line(make, argv)],
  (make, argv) => [`command_not_found_handle() { ${line(make, argv)}; }`, 'nosuch'],
  (make, argv) => [`command_not_found_handle() { ${first(argv)} "\${@:2}"; }`, `nosuch ${line(make, argv.slice(1))}`],
  (make, argv) => [`hash -p /usr/bin/${first(argv)} ls`, `ls ${line(make, argv.slice(1))}`],
  (make, argv) => [`ln -s /usr/bin/${first(argv)} l`, `./l ${line(make, argv.slice(1))}`],
  (make, argv) => ['mkdir b', `ln -s /usr/bin/${first(argv)} b/ls`, 'PATH=$PWD/b:$PATH', `ls ${line(make, argv.slice(1))}`],
  (make, argv) => ['mkdir b', `ln -s /usr/bin/${first(argv)} b/ls`, `PATH=b:$PATH ls ${line(make, argv.slice(1))}`],
  (make, argv) => [`exec -a ls ${line(make, argv)}`],
  (make, argv) => [`/usr/bin/${line(make, argv)}`],
  (make, argv) => [`/usr/bin/[${first(argv).slice(0, 1)}]${first(argv).slice(1)} ${line(make, argv.slice(1))}`],
  (make, argv) => [`cd /usr/bin`, `./${line(make, argv)}`],
  (make, argv) => [`cd words`, `* ${line(make, argv.slice(1))}`],
  (make, argv) => [`../../../../../../usr/bin/${line(make, argv)}`],
]

const PROGRAMS: readonly CommandSpeller[] = [
  (make, argv) => [`echo ${line(make, argv.slice(1))} | xargs ${first(argv)}`],
  (make, argv) => [`echo ${line(make, argv)} | xargs`, `echo ${line(make, argv)} | xargs env`],
  (make, argv) => [`xargs ${first(argv)} <<< ${quote(make, line(make, argv.slice(1)))}`],
  (make, argv) => [`printf '%s\\0' ${line(make, argv)} | xargs -0 ${make.pick(['env', 'sh -c \'"$0" "$@"\'', 'nice', 'timeout 9'])}`],
  (make, argv) => [`echo ${plainly(make, argv.at(-1) ?? '')} | xargs -I{} ${line(make, argv.slice(0, -1))} {}`],
  (make, argv) => [`echo ${first(argv)} | xargs -I% % ${line(make, argv.slice(1))}`],
  (make, argv) => [`xargs -a <(echo ${line(make, argv.slice(1))}) -n9 ${first(argv)}`],
  (make, argv) => [
    `find . -maxdepth 0 ${make.pick(['-exec', '-execdir'])} ${line(make, argv)} ${make.pick(['\\;', '{} +', "';'", '{} \\;'])}`,
  ],
  (make, argv) => [`find a.txt -exec sh -c ${quote(make, line(make, argv))} \\;`],
  (make, argv) => [`find a.txt -exec sh -c '"$@"' _ ${line(make, argv)} {} +`],
  (make, argv) => [`find words -name ${make.pick(['evil', "'e*'"])} -exec env ${line(make, argv)} \\;`],
  (make, argv) => [
    `env ${make.pick(['', '-i PATH=/usr/bin ', 'A=1 ', '-u A ', '-- ', '-C src ', '--chdir=src ', '-'])} ${line(make, argv)}`,
  ],
  (make, argv) => [`env -S ${quote(make, line(make, argv))}`],
  (make, argv) => [`env -vS${quote(make, line(make, argv))}`],
  (make, argv) => [
    `${make.pick(['timeout 9', 'timeout -s KILL 9', 'nice', 'nice -n 5', 'nice -5', 'nohup', 'setsid', 'setsid -w', 'stdbuf -o0'])} ${line(make, argv)}`,
  ],
  (make, argv) => [
    `${make.pick(['command', 'command -p', 'builtin command', 'exec', 'exec -c', 'time', 'time -p', '!', 'command -- ', 'command command'])} ${line(make, argv)}`,
  ],
  (make, argv) => [
    `${make.pick(['foo', 'foo -x', 'firejail', 'sudo', 'doas', 'npx', 'sudo -n', 'chroot /', 'flock a.txt'])} ${line(make, argv)}`,
  ],
  (make, argv) => [`${make.pick(['watch', 'ssh h', 'ssh -v h'])} ${line(make, argv)}`],
  (make, argv) => [`${make.pick(['watch', 'ssh h'])} ${quote(make, line(make, argv))}`],
  (_, argv) => [`perl -e ${singleQuoted(`system(qw(${argv.join(' ')}))`)}`],
  (_, argv) => [`perl -e ${singleQuoted(`exec ${JSON.stringify(argv.join(' '))}`)}`],
  (make, argv) => [`awk ${singleQuoted(`BEGIN { system(${JSON.stringify(line(make, argv))}) }`)}`],
  (make, argv) => [`awk ${singleQuoted(`BEGIN { ${JSON.stringify(line(make, argv))} | getline }`)}`],
  (make, argv) => [`echo x | awk ${singleQuoted(`{ print | ${JSON.stringify(line(make, argv))} }`)}`],
  (make, argv) => [`sed ${singleQuoted(`1e ${line(make, argv)}`)} a.txt`],
  (make, argv) => [`echo ${singleQuoted(line(make, argv))} | sed s/^//e`],
  (make, argv) => [`sed -n '/al/e' <<< ${singleQuoted(line(make, argv))}; sed e <<< ${singleQuoted(line(make, argv))}`],
  (make, argv) => [`tar cf t a.txt`, `tar xf t --to-command=${quote(make, line(make, argv))}`],
  (make, argv) => [`tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=${quote(make, line(make, argv))} a.txt`],
  (make, argv) => [`tar cf t -I ${quote(make, line(make, argv))} a.txt`],
  (make, argv) => [`sort --compress-program=${quote(make, line(make, argv))} a.txt`],
  (make, argv) => [`split -n 1 --filter=${quote(make, line(make, argv))} a.txt`],
]

const SPELLERS: readonly CommandSpeller[] = [...WORDS, ...WORDS, ...NAMES, ...PROGRAMS]
