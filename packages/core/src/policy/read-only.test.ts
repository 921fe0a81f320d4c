// `Bash(@read-only)`: what it allows, and what it must never let through.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readOnlyPrograms } from '../match/shell/read-only.ts'
import { decideBatchLine } from './decide-batch.ts'
import { parseRule } from './parse-rule.ts'

function decide(command: string, more: object = {}): string {
  const rules = { allow: ['Bash(@read-only)', 'Read(*)', 'Write(*)'], deny: ['Read(.env*)', 'Read(~/.ssh/**)'] }
  const line = JSON.stringify({ id: 1, tool: 'Bash', input: { command }, ...rules, ...more })
  const answer = JSON.parse(decideBatchLine(line)) as { decision: string; error?: string }
  return answer.error ?? answer.decision
}

function others(commands: readonly string[], wanted: string, more?: object): string[] {
  return commands.flatMap(command => {
    const got = decide(command, more)
    return got === wanted ? [] : [`${got}: ${command}`]
  })
}

test('looking is allowed', () => {
  const commands = [
    'ls -la src',
    '/bin/ls',
    'cat README | head -5 | wc -l',
    'grep -rn "foo bar" src --include="*.ts"',
    'grep -q "$X" README',
    'rg -n foo -g "*.ts"',
    'find . -name "*.ts" -type f | sort | uniq -c | sort -rn',
    'find . -name "*.ts" -exec grep -l foo {} +',
    'find . -name "*.ts" | xargs grep -l foo',
    'fd -e ts',
    "sed -n '10,20p' README",
    "sed 's/a/b/g' README | tail -3",
    "awk -F: '{print $1, $2}' README",
    "awk 'NR>=10 && NR<=20' README",
    "cat x.json | jq -r '.a'",
    'echo "$X" failed',
    'printf "%s\\n" "$X"',
    'git status',
    'git log --oneline -5',
    'git diff --stat HEAD~1 -- src',
    'git show HEAD~1:README',
    'git branch -a',
    'git branch --contains abc',
    'git tag -l "v*"',
    'git remote -v',
    'git stash list',
    'git --no-pager log',
    'git ls-files --others --exclude-standard',
    'date +%s',
    'node --version',
    'npm ls --depth=0',
    'sort -k2,2n README | cut -d, -f1 | tr a-z A-Z',
    'diff <(sort a) <(sort b)',
    'for f in src/*.ts; do wc -l "$f"; done',
    'timeout 5 grep foo README',
    'cd src && ls',
    'grep foo README > /dev/null 2>&1 || echo none',
  ]
  expect(others(commands, 'allow')).toEqual([])
})

test('what writes, runs, reaches out or is not known stays outside', () => {
  const commands = [
    'find . -delete',
    'find . -fprint x',
    'find . -exec rm {} +',
    'find . -exec sh -c "$X" \\;',
    'find . $X',
    'fd -x rm',
    'sed -i s/a/b/ README',
    'sed --in-place s/a/b/ README',
    "sed 's/a/b/w x' README",
    "sed 's/a/b/e' README",
    'sed -f x.sed README',
    'sed "$X" README',
    'awk \'BEGIN{system("ls")}\'',
    'awk \'{print > "x"}\' README',
    'awk \'{print | "sh"}\' README',
    'awk -f x.awk README',
    'awk "$X" README',
    'gawk -i inplace 1 README',
    'gawk \'BEGIN{getline l < "/inet/tcp/0/h/80"}\'',
    'sort -o x README',
    'sort --outp=x README',
    'sort --compress-program=x README',
    'sort $X',
    'find . | xargs sort',
    'uniq README x',
    'xxd README x',
    'rg --pre x foo',
    'tree -o x',
    'file -C -m x',
    'date -s 1970-01-01',
    'date 010100001970',
    'base64 -o x README',
    'yq -i .a x.yml',
    'printf -v PATH x',
    'printf "$X"',
    'git -c core.pager=x log',
    'git -C sub status',
    'git log --output=x',
    'git log --outp=x',
    'git diff --ext-diff',
    'git grep -Ox foo',
    'git grep -nOx foo',
    'git show --textconv HEAD',
    'git branch x',
    'git branch -D x',
    'git tag v1',
    'git remote add x y',
    'git stash',
    'git stash pop',
    'git fetch',
    'git ls-remote',
    'git reflog expire --all',
    'git "$X"',
    'git log $X',
    'npm install',
    'npm ls --node-options=--require=x',
    'node x.js',
    'curl http://h',
    'tee x',
    'env',
    'less README',
    './ls',
    '/tmp/grep foo x',
    'PATH=/tmp/evil ls',
    'LD_PRELOAD=x ls',
    'ls; rm x',
    'ls $(rm x)',
    'sudo ls',
    'ssh h ls',
  ]
  expect(others(commands, 'ask')).toEqual([])
})

test('a file that a rule keeps is not read', () => {
  const commands = [
    'cat .env',
    'grep x ./.env',
    'sort .env',
    'sed -n 1p .env',
    'awk 1 .env',
    'jq . .env',
    'head ~/.ssh/id_rsa',
    'git show HEAD:.env',
    'find . -name .env -exec cat {} +',
    'echo .env | xargs cat',
    "printf '.env\\0' | wc --files0-from=-",
    'diff .env /dev/null',
  ]
  expect(others(commands, 'deny')).toEqual([])
})

test('a file is not written where no rule allows it', () => {
  expect(others(['ls > x', 'cat a >> b', 'grep foo x | tee y'], 'ask', { allow: ['Bash(@read-only)'] })).toEqual([])
})

test('an unknown word of a command that only looks is not what a rule for any program means', () => {
  const more = { allow: ['Bash(*)', 'Read(*)'], deny: ['Bash(* --force)'], ask: ['Bash(* publish *)'] }
  expect(
    others(['ls *.ts', 'echo "$X"', 'grep "$X" README', 'cat $(git ls-files) | wc -l', 'find . | xargs grep foo'], 'allow', more),
  ).toEqual([])
  expect(others(['npm "$X"', 'odd $X', 'npm publish', 'find . | xargs npm', 'sort $X'], 'ask', more)).toEqual([])
  expect(others(['git push --force', 'npm i --force'], 'deny', more)).toEqual([])
})

test('an option that chooses a part of the project does not hide the verb', () => {
  const more = { allow: ['Bash(npm run *)', 'Bash(npm ci *)', 'Bash(pnpm test *)'] }
  const inside = [
    'npm -w app run build',
    'npm --workspace=app run build',
    'npm --prefix apps/x ci',
    'npm --prefix=apps/x ci',
    'pnpm --filter app test',
    'npm -s run lint',
  ]
  expect(others(inside, 'allow', more)).toEqual([])
  const outside = [
    'npm --prefix /tmp/evil ci',
    'npm --prefix ../evil ci',
    'npm --prefix apps/x run build',
    'npm --prefix "$D" ci',
    'npm --prefix ~/x ci',
    'npm --odd run x',
    'npm --prefix apps/x publish',
    'npm --script-shell x run y',
  ]
  expect(others(outside, 'ask', more)).toEqual([])
})

test('a slip in the name of the group is an error that says what was meant', () => {
  const parsed = parseRule('Bash(@readonly)', { effect: 'allow', dialect: 'genesis' })
  expect(parsed).toMatchObject({
    ok: false,
    problem: { message: '"@readonly" is not a group of commands', remedy: 'did you mean @read-only?' },
  })
})

test.each(['deny', 'ask'] as const)('a group in a list of %s rules is an error', effect => {
  const parsed = parseRule('Bash(@read-only)', { effect, dialect: 'genesis' })
  expect(parsed).toMatchObject({ ok: false, problem: { remedy: 'a group can only be allowed; name the commands instead' } })
})

test('the guide lists the programs of the group', () => {
  const guide = readFileSync(new URL('../../../../docs/guide/policy.md', import.meta.url), 'utf8')
  expect(guide).toContain(readOnlyPrograms.map(name => `\`${name}\``).join(' '))
})
