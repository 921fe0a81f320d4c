// Random shell scripts for tests: valid by construction, or damaged.
export interface Random {
  readonly next: (below: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}

export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % below
  }
  return { next, pick: list => list[next(list.length)] as (typeof list)[number] }
}

const WORDS = [
  'x',
  '-rf',
  '/tmp/a',
  'src/*.ts',
  '"a b"',
  "'c d'",
  "$'\\x41'",
  '$v',
  '"$v"',
  '${v:-d}',
  '{a,b}',
  '~/f',
  'a\\ b',
  '--opt=1',
  '$((1 + 2))',
  'x=y',
  '"\\""',
  "'#'",
  '[ab]',
  '${#v}',
  '$"l"',
  '!',
]
const NAMES = ['echo', 'git', 'rm', 'cat', 'true', ':', 'ls', './x', "r''m", 'e\\cho', '[', 'test', 'cd', 'nice', 'env']

export function randomScript(random: Random, depth: number): string {
  const lines = Array.from({ length: 1 + random.next(3) }, () => statement(random, depth))
  return lines.join(random.pick(['\n', '; ', ' && ', ' || ', ' | ']))
}

function statement(random: Random, depth: number): string {
  if (depth <= 0 || random.next(2) === 0) return simple(random, depth)
  const body = () => randomScript(random, depth - 1)
  const shapes: readonly (() => string)[] = [
    () => `( ${body()} )`,
    () => `{ ${body()}\n}`,
    () => `if ${body()}\nthen ${body()}\nfi`,
    () => `if ${body()}\nthen ${body()}\nelse ${body()}\nfi`,
    () => `for v in ${word(random, depth)} b; do ${body()}\ndone`,
    () => `while ${body()}\ndo ${body()}\ndone`,
    () => `case ${word(random, depth)} in a|b) ${body()}\n;; *) ${body()}\n;; esac`,
    () => `f() { ${body()}\n}`,
    () => `[[ -n ${word(random, depth)} ]]`,
    () => `(( v + 1 ))`,
    () => `! ${simple(random, depth)}`,
    () => `{ cat <<EOF\n${random.pick(['text', '$(echo a)', '$v'])}\nEOF\n}`,
    () => `sh -c '${randomScript(random, 0).replaceAll("'", "'\\''")}'`,
  ]
  return random.pick(shapes)()
}

function simple(random: Random, depth: number): string {
  const words = Array.from({ length: random.next(4) }, () => word(random, depth))
  const prefix = random.next(6) === 0 ? 'A=1 ' : ''
  const redirect = random.next(5) === 0 ? ` ${random.pick(['> out', '2>&1', '>> "o p"', '< in', '&> all', '<<< word'])}` : ''
  return `${prefix}${[random.pick(NAMES), ...words].join(' ')}${redirect}`
}

function word(random: Random, depth: number): string {
  if (depth > 0 && random.next(4) === 0) {
    const inner = randomScript(random, depth - 1)
    return random.pick([`$( ${inner}\n)`, `"$( ${inner}\n)"`, `<( ${inner}\n)`])
  }
  return random.pick(WORDS)
}

const NOISE = [...'\'"`$(){}[]<>|&;#\\\n *?!~=', '<<E', '$(', '${', '((', '))', ';;', 'fi', 'done', 'then']

export function damage(random: Random, script: string): string {
  const at = random.next(script.length + 1)
  const cut = random.next(3)
  return script.slice(0, at) + (random.next(3) === 0 ? '' : random.pick(NOISE)) + script.slice(at + cut)
}
