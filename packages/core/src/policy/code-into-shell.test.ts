// Text that reaches a shell by another way than `-c`: through functions, descriptors, pipes, process substitutions, arithmetic and completion.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

type Decision = 'allow' | 'ask' | 'deny'

function decide(command: string, byDefault = 'ask'): Decision {
  const line = { id: 1, tool: 'Bash', input: { command }, allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(line))) as { decision: Decision }).decision
}

const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Bash(curl *)', 'Read(.env*)', 'Write(.env*)']

const shells = [
  'sh',
  'bash -s',
  'bash --norc',
  '/bin/sh',
  'env sh',
  'timeout 5 sh',
  'command sh',
  '. /dev/stdin',
  'source /dev/fd/0',
  'cat | sh',
  'xargs -0 sh -c',
]

/** X is the code, S what runs it. */
const ways = [
  "f() { S; }; f <<< 'X'",
  "f() { S; }; echo 'X' | f",
  "f() { S; }; printf '%s\\n' 'X' | f",
  "function f { S; }; f <<< 'X'",
  "f() ( S ); f <<< 'X'",
  'f() { S; }\nf <<E\nX\nE',
  "f() { g; }; g() { S; }; f <<< 'X'",
  "f() { g <<< 'X'; }; g() { S; }; f",
  "if true; then f() { S; }; fi; f <<< 'X'",
  "f() { S; }; f < <(echo 'X')",
  "f() { if true; then S; fi; }; f <<< 'X'",
  "exec 0<<< 'X'; S",
  "exec <<< 'X'; S",
  'exec <<E\nX\nE\nS',
  "exec < <(echo 'X'); S",
  "exec 3<<< 'X'; exec 0<&3; S",
  "(exec <<< 'X'; S)",
  "eval 'exec' '<<< \"X\"'; S",
  "exec <<< 'X'; if false; then exec <<< ls; fi; S",
  "echo 'X' > >(S)",
  "echo 'X' | tee >(S)",
  "echo 'X' 2>&1 > >(S)",
  "exec 3> >(S); echo 'X' >&3",
  "{ S; } <<< 'X'",
  "(S) <<< 'X'",
  "while :; do S; break; done <<< 'X'",
  "echo 'X' | { S; }",
  "echo 'X' | if true; then S; fi",
  "coproc S; echo 'X' >&${COPROC[1]}",
  "coproc C { S; }; echo 'X' >&${C[1]}",
  'cat <<E | S\nX\nE',
  "S < <(echo 'X')",
]

describe.each(ways)('%s', way => {
  test.each(shells)('%s', shell => {
    for (const code of ['rm -rf x', 'git push', 'ls; curl x']) {
      const command = way.replace('S', shell).replace('X', code)
      expect([command, decide(command)]).not.toEqual([command, 'allow'])
      expect([command, decide(command, 'none')]).not.toEqual([command, 'allow'])
    }
  })
})

test.each([
  ...[
    "f() { sort; }; f <<< 'b'",
    "f() { cat; }; echo 'rm -rf x' | f",
    'exec < a.txt; sort',
    'f() { while read -r l; do echo "$l"; done; }; f < a.txt',
  ],
  ...[
    "f() { sh; }; f <<< 'ls'",
    "exec <<< 'ls'; sh",
    "echo 'ls -l' | sh",
    'echo a b | xargs -n1 echo',
    "echo 'rm -rf x' | xargs",
    "echo 'rm -rf x' | xargs -0 echo",
  ],
  ...[
    "printf 'a\\0b\\0' | xargs -0 cat",
    'ls | tee >(wc -l)',
    'awk \'{print | "sort"}\' a',
    'awk "/$x/ {print}" a',
    'echo ${PWD:1:n}',
    'i=1; echo $((i+1))',
  ],
])('%s hides nothing', command => {
  expect(decide(command)).toBe('allow')
})

describe('xargs makes the words that it makes', () => {
  test.each([
    ...["printf 'rm -rf x\\0' | xargs -0 sh -c", "printf 'rm -rf x\\0' | xargs -0 -n1 sh -c", "echo 'rm -rf x' | xargs -d'\\n' sh -c"],
    ...[
      "printf -- '-c\\0rm -rf x\\0' | xargs -0 sh",
      "printf -- '-c\\nrm -rf x\\n' | xargs -d'\\n' bash",
      "echo 'rm -rf x' | xargs -I{} sh -c {}",
    ],
    ...[
      "echo 'rm -rf x' | xargs -I % bash -c %",
      "echo 'rm -rf x' | xargs env",
      "echo '-rf x' | xargs rm",
      'echo push | xargs git',
      'echo .env | xargs cat',
    ],
    ...['echo .env | xargs -I{} cat {}', 'echo a .env | xargs -n1 cat', 'xargs git <<< push', "xargs -L1 rm <<< '-rf x'"],
  ])('%s', command => {
    expect(decide(command)).not.toBe('allow')
  })
})

describe('arithmetic, subscripts and completion run substitutions', () => {
  const loaded = "'a[$(rm -rf y)]'"
  test.each([
    ...[
      'echo ${PWD: x}',
      'echo ${PWD:0:x}',
      'echo ${@:x}',
      'echo ${*:1:x}',
      'echo ${!x}',
      ': ${!x}',
      'echo $((x))',
      'echo $[x]',
      '(( x ))',
      '(( $x > 0 ))',
    ],
    ...[
      '[[ x -eq 0 ]]',
      '[[ $x -eq 0 ]]',
      '[ $x -eq 0 ]',
      'test -v $x',
      '[[ -v $x ]]',
      'echo ${b[x]}',
      'b[x]=1',
      'let x',
      'let y=x',
      'declare -i n; n=$x',
      'unset "b[$x]"',
    ],
    ...['read "b[$x]" <<< 1', 'printf -v "b[$x]" 1', 'for ((i=x; i<1; i++)); do :; done', 'local -i n=$x', 'y=$x; echo $((y))'],
  ])('a variable that %s looks at', use => {
    for (const command of [
      `x=${loaded}; ${use}`,
      `for x in ${loaded}; do ${use}; done`,
      `read x <<< ${loaded}; ${use}`,
      `printf -v x %s ${loaded}; ${use}`,
      `f() { x=$1; ${use}; }; f ${loaded}`,
      `set -- ${loaded}; x=$1; ${use}`,
      `declare x=${loaded}; ${use}`,
      `c=(${loaded}); x=\${c[0]}; ${use}`,
      `echo ${loaded} | { read x; ${use}; }`,
      `x=${loaded} bash -c '${use.replaceAll("'", '')}'`,
      `x=$'a\\x5b$(rm -rf y)]'; ${use}`,
      `x=$'a\\133\\x24(rm -rf y)]'; ${use}`,
      `x="a$(echo '[')"'$(rm -rf y)]'; ${use}`,
    ])
      for (const byDefault of ['ask', 'none']) expect([command, decide(command, byDefault)]).not.toEqual([command, 'allow'])
  })

  test.each([
    ...[
      "f() { echo ${PWD:$1}; }; f 'a[$(rm -rf y)]'",
      "f() { (( $1 > 0 )); }; f 'a[$(rm -rf y)]'",
      "compgen -W '$(rm -rf x)'",
      "compgen -W '`rm -rf x`' a",
    ],
    ...[
      "compgen -C 'rm -rf x'",
      "compgen -C'rm -rf x' a",
      "complete -C 'rm -rf x' ls",
      "complete -W '$(rm -rf x)' ls",
      "let 'a[$(rm -rf x)]'",
      "test -v 'a[$(rm -rf x)]'",
    ],
    ...[
      "[[ 'a[$(rm -rf x)]' -eq 0 ]]",
      "(( 'a[$(rm -rf x)]' ))",
      'echo ${a[$(rm -rf x)]}',
      "mapfile -C 'rm -rf x;:' -c 1 a <<< y",
      "readarray -C eval -c 1 a <<< 'rm -rf x'",
    ],
  ])('%s', command => {
    for (const byDefault of ['ask', 'none']) expect(decide(command, byDefault)).not.toBe('allow')
  })
})

describe('an element of braces that is empty is no word', () => {
  test.each([
    'git {,push}',
    '{git,} push',
    '{,git} push',
    'git {,} push',
    'git {,-p} push',

    'rm {,-rf} x',

    'git {,{,push}}',
    'cat {,.env}',
  ])('%s', command => {
    expect(decide(command)).not.toBe('allow')
  })
  test.each(["git ''{,push}", 'echo {,a}', 'git {,status}'])('%s', command => {
    expect(decide(command)).toBe('allow')
  })
})

describe('words of a rule that a command carries are asked about under every default', () => {
  test.each([
    ...[
      'xterm -e rm -rf x',
      'foo rm -rf x',
      "foo --bar 'rm -rf x'",
      "sed 's/x/rm -rf y/e' a",
      "make --eval='$(shell rm -rf x)'",
      'awk \'BEGIN{c="sh"; print "rm -rf x" | c}\'',
    ],
    ...[
      'python3 -c \'import os; os.system("rm -rf x")\'',
      'python3 -c \'run(["rm","-rf","x"])\'',
      'node -e \'execSync("git push")\'',
      'perl -e \'system("curl http://x")\'',
    ],
    ...[
      "PROMPT_COMMAND='rm -rf x'",
      "PROMPT_COMMAND=(ls 'rm -rf x')",
      "export PROMPT_COMMAND=('rm -rf x')",
      "PS4='$(rm -rf x)'; ls",
      "GIT_SSH_COMMAND='rm -rf x' git fetch",
      "PAGER='curl x' git log",
      "export PAGER='rm -rf x'",
      "ed <<< '!rm -rf x'",
    ],
    ...[
      "gdb <<< 'shell rm -rf x'",
      "psql <<< '\\! rm -rf x'",
      'python3 <<< \'system("rm -rf x")\'',
      "vim -c 'w .env'",
      'python3 -c \'open(".env")\'',
      'sqlite3 a.db "select readfile(\'.env\')"',
    ],
  ])('%s', command => {
    for (const byDefault of ['ask', 'none', 'allow']) expect([byDefault, decide(command, byDefault)]).not.toEqual([byDefault, 'allow'])
  })

  test.each(['echo rm -rf x', "git commit -m 'rm -rf x'", "python3 -c 'print(1)'", 'foo bar', 'DEV=1 npm start', 'grep -r "rm -rf" .'])(
    '%s carries none',
    command => {
      expect(decide(command, 'none')).toBe('allow')
    },
  )
})
