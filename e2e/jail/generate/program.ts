// A whole program from a seed: a command that a policy denies, or a kept file that is touched, or something harmless, hidden
// behind what bash offers, with other statements around it.
import { makeRandom } from '../../../packages/core/src/match/shell/fixtures/random-script.ts'
import { spellCommand } from './command.ts'
import type { Maker } from './quote.ts'
import { touchFile } from './touch-file.ts'
import { wrapCode } from './wrap.ts'

export interface Place {
  readonly root: string
  readonly home: string
}

export function generateProgram(seed: number, place: Place): string {
  const make = createMaker(seed, place)
  let code = join(make, statements(make))
  while (make.chance(40)) code = wrapCode(make, code)
  const around = [...noise(make), code, ...noise(make)]
  if (make.chance(8)) around.push(join(make, statements(make)))
  return join(make, around)
}

function createMaker(seed: number, place: Place): Maker {
  const random = makeRandom(seed)
  let names = 0
  // Seeds that follow one another begin alike.
  for (let skip = 0; skip < 3; skip++) random.next(2)
  return { ...random, ...place, fresh: () => `v${names++}`, chance: percent => random.next(100) < percent }
}

const DENIED: readonly string[] = [
  'rm -rf x',
  'rm -rf /',
  'rm -r -f x y',
  'rm -fr src',
  'rm --recursive --force x',
  'rm x -rf',
  'rm -rvf x',
  'git push',
  'git push origin main',
  'git -C . push',
  'git -c a.b=c push -f',
  'git --no-pager push',
  'curl example.com',
  'curl -s https://example.com/x',
  'evil a',
  'evil',
  'npm publish',
  'docker run x',
  'docker run --rm x ls',
]

const HARMLESS: readonly string[] = [
  'ls -la',
  'git status',
  'git log -1',
  'rm x',
  'npm test',
  'cat a.txt',
  'echo hi',
  'docker ps',
  'tsc -p .',
  'grep a a.txt',
]

function statements(make: Maker): readonly string[] {
  if (make.chance(30)) return touchFile(make)
  const argv = make.pick(make.chance(75) ? DENIED : HARMLESS).split(' ')
  return spellCommand(make, argv)
}

const NOISE: readonly string[] = [
  'true',
  'echo start',
  'set -u',
  'set -o pipefail',
  'x=1',
  'cd .',
  'cd src; cd ..',
  'ls > out',
  'shopt -s extglob nullglob',
  'shopt -s dotglob',
  'set -f',
  'set +B',
  'set -a',
  'set -o posix',
  'IFS=,',
  "IFS=$'\\n'",
  'unset IFS',
  'c=ls',
  'a=(x y)',
  'f() { :; }',
  '# a comment',
  'exec 2> errors',
  'umask 022',
  'git status',
  '[ -e a.txt ] && echo there',
  'for i in 1 2; do echo $i; done',
  'set -- one two',
  'alias ll=ls',
  'trap : INT',
  'v0=decoy',
  'export A=1',
  'ls *.txt | wc -l',
  'cat <<E\ntext $x\nE\n',
  ': "${x:=1}"',
  'shopt -s expand_aliases lastpipe',
]

function noise(make: Maker): readonly string[] {
  const list: string[] = []
  while (make.chance(30)) list.push(make.pick(NOISE))
  return list
}

/** A here-document, a comment or a background job ends only with its line. */
function join(make: Maker, list: readonly string[]): string {
  return list.reduce((text, each) => {
    if (text === '') return each
    if (text.endsWith('\n')) return `${text}${each}`
    return `${text}${text.includes('\n') || text.endsWith('&') || text.startsWith('#') || text.includes(' #') || make.chance(40) ? '\n' : '; '}${each}`
  }, '')
}
