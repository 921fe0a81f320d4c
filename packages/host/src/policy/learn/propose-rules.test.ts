// A month of mixed work: everything that was used becomes allowed, nothing that was refused, with few rules and none for what runs anything.
import { readFileSync } from 'node:fs'
import { parseGenesis, type Rule } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { CARRIERS, RUNNERS } from '../prove/carrier.ts'
import { toolEvent } from '../recorded-call.ts'
import { VERBS_THAT_RUN } from '../runner.ts'
import { createEvidence } from './evidence.ts'
import { proposeRules, withRules } from './propose-rules.ts'
import { commandShape } from './shape-rule.ts'

const parsed = parseGenesis(
  'version: "2.0"\npermissions: {default: ask, actors: {"agent:*": {deny: ["Bash(rm -rf *)"], allow: ["Bash(ls *)"]}}}\n',
  'x.key',
)
if (!parsed.ok) throw new Error('the policy does not parse')
const { policy } = parsed
const guardWith = (rules: readonly Rule[]) => imaginedGuard([withRules(policy, 'agent:*', rules)])

const seen = (command: string) => ({ call: { tool: 'Bash', input: { command } }, actor: 'agent:a', cwd: IMAGINED_ROOT })
const file = (tool: string, path: string) => ({ call: { tool, input: { file_path: path } }, actor: 'agent:a', cwd: IMAGINED_ROOT })

function learn(used: readonly ReturnType<typeof seen | typeof file>[], refused: readonly ReturnType<typeof seen>[] = []) {
  const book = createEvidence()
  for (const each of used) book.add('used', each)
  for (const each of refused) book.add('refused', each)
  return proposeRules(book.evidence, { actor: 'agent:*', root: IMAGINED_ROOT, guardWith })
}

function decide(rules: readonly { readonly rule: string }[], call: ReturnType<typeof seen>['call'] | ReturnType<typeof file>['call']) {
  const added = parseGenesis(
    `version: "2.0"\npermissions: {actors: {"agent:*": {allow: ${JSON.stringify(rules.map(({ rule }) => rule))}}}}\n`,
    'y.key',
  )
  if (!added.ok) throw new Error('a proposed rule does not parse')
  const guard = guardWith(added.policy.permissions?.actors[0]?.allow ?? [])
  return guard.judge(call, toolEvent({ call, actor: 'agent:a', cwd: IMAGINED_ROOT })).verdict.decision
}

const numbers = Array.from({ length: 60 }, (_, at) => at)

test('no bypass of the permission cases becomes allowed by what a month has taught', () => {
  const { rules } = learn(
    numbers.flatMap(at => [
      seen(`npm test -- part-${at}`),
      seen(`git commit -m change-${at}`),
      seen(`git add src/file-${at}.ts && git status`),
      seen(`cargo build --package p${at}`),
      seen(`node scripts/build.js ${at}`),
      seen(`docker ps -n ${at}`),
      seen(`grep -rn word-${at} src | sort`),
      seen(`cp a-${at} b-${at}`),
      file('Write', `/repo/src/file-${at}.ts`),
    ]),
  )
  const lines = readFileSync(new URL('../../../../core/src/policy/fixtures/permission-cases.jsonl', import.meta.url), 'utf8').trim()
  const cases = lines
    .split('\n')
    .map(line => JSON.parse(line))
    .filter(({ expected }) => expected === 'deny')
  const allowed = cases.filter(({ tool, input, deny, ctx }) => {
    const text = `version: "2.0"\npermissions: {default: ask, actors: {"agent:*": ${JSON.stringify({ deny, allow: rules.map(({ rule }) => rule) })}}}\n`
    const policyOfCase = parseGenesis(text, 'z.key')
    if (!policyOfCase.ok) throw new Error(policyOfCase.errors[0]?.message)
    const call = { tool, input }
    return (
      imaginedGuard([policyOfCase.policy], { links: ctx?.links ?? {} }).judge(
        call,
        toolEvent({ call, actor: 'agent:a', cwd: IMAGINED_ROOT }),
      ).verdict.decision === 'allow'
    )
  })
  expect(cases.length).toBeGreaterThan(50)
  expect(allowed.map(({ id, input }) => [id, input])).toEqual([])
})

test('a month: all of it is allowed by a tenth of the rules, and what was refused is not', () => {
  const used = numbers.flatMap(at => [
    seen(`npm test -- part-${at}`),
    seen(`git commit -m change-${at}`),
    seen(`git add src/file-${at}.ts && git status`),
    seen(`cargo build --package p${at}`),
    seen(`python3 scripts/check.py part-${at}`),
    seen(`touch out/part-${at}`),
    seen(`echo ${at} > logs/part-${at}.txt`),
    seen(`cp data/part-${at} out/copy-${at}`),
    file('Edit', `/repo/src/file-${at}.ts`),
    file('Write', `/repo/docs/page-${at}.md`),
  ])
  const refused = [
    seen('git push'),
    seen('npm publish'),
    seen('python3 -c x'),
    seen('rm -rf build'),
    seen('git commit --amend --no-verify'),
  ]
  const { rules, left } = learn(used, refused)
  expect(left).toEqual([])
  expect(used.map(({ call }) => decide(rules, call)).filter(decision => decision !== 'allow')).toEqual([])
  expect(refused.map(({ call }) => decide(rules, call)).filter(decision => decision === 'allow')).toEqual([])
  expect(rules.length).toBeLessThan(used.length / 10)
})

test.each([
  ['three different calls make a star', ['npm test -- a', 'npm test -- b', 'npm test -- c'], ['Bash(npm test *)']],
  ['one call is allowed as it was', ['docker ps -a'], ['Bash(docker ps -a)']],
  ['what is allowed already needs nothing', ['ls -la', 'ls src', 'ls tests'], []],
  ['scripts of npm are named', ['npm run build', 'npm run build -- --fast', 'npm run build -- --slow'], ['Bash(npm run build *)']],
  ['an interpreter is never allowed as a whole', ['node a.js 1', 'node a.js 2', 'node a.js 3'], ['Bash(node a.js *)']],
  ['nor with code', ["node -e 'x'", "node -e 'y'", "node -e 'z'"], []],
  ['nor a wrapper or a shell', ['sudo make a', 'sudo make b', 'sudo make c', "bash -c 'make x'"], undefined],
])('%s', (_title, commands, expected) => {
  const { rules } = learn(commands.map(seen))
  if (expected !== undefined) expect(rules.map(({ rule }) => rule)).toEqual(expected)
  for (const { rule } of rules) expect(rule).not.toMatch(/^Bash\((?:sudo|bash|sh|node|python3?|env|xargs) \*\)$/)
})

test('no interpreter, shell or wrapper is allowed as a whole, under whichever name and version it is called', () => {
  const names = [...RUNNERS, ...'python python2 pypy3 gawk nodejs java Rscript julia csh pwsh source find su socat'.split(' ')]
  const spelled = names.flatMap(name => [name, `${name}3.11`, `/usr/bin/${name}`])
  const whole = spelled.filter(name => {
    const shape = commandShape(`${name} a.txt`)
    return shape?.wide === `Bash(${name} *)`
  })
  expect(whole).toEqual([])
  const { rules } = learn(['a', 'b', 'c'].flatMap(word => [seen(`python3.11 ${word}.py`), seen(`/usr/bin/python3 ${word}.py`)]))
  expect(rules.map(({ rule }) => rule).filter(rule => rule.includes('python') && !rule.includes('.py'))).toEqual([])
})

const verbs = [...VERBS_THAT_RUN].map(([verb, between]) => `${verb}${' place'.repeat(between)}`)
const launchers = CARRIERS.flatMap(({ by, takes, carry }) => (takes === 'words' && by !== 'the shell' ? [carry('').trim()] : []))

test.each([...verbs, ...launchers].filter(head => /^[\w ./:=-]+$/.test(head)))(
  '%s: whatever it was given, nothing else it is given becomes allowed',
  head => {
    const given = ['alpha one', 'beta two', 'gamma three', 'delta', 'python3 a.py', 'python3 b.py', 'python3 c.py', 'node x.js']
    const { rules } = learn(given.map(inner => seen(`${head} ${inner}`)))
    const others = ['any-program', 'rm -r x', 'python3 other.py', 'bash other.sh', "sh -c 'other'"]
    const allowed = others.filter(inner => decide(rules, seen(`${head} ${inner}`).call) === 'allow')
    expect({ allowed, rules: allowed.length === 0 ? [] : rules.map(({ rule }) => rule) }).toEqual({ allowed: [], rules: [] })
  },
)

test.each([
  ['npx eslint a.ts', 'npx eslint b.ts', 'npx eslint c.ts', 'Bash(npx eslint *)'],
  ['poetry run pytest a', 'poetry run pytest b', 'poetry run pytest c', 'Bash(poetry run pytest *)'],
  ['docker exec web npm test a', 'docker exec web npm test b', 'docker exec web npm test c', 'Bash(docker exec web npm test *)'],
  ['npx tsx a.ts 1', 'npx tsx a.ts 2', 'npx tsx a.ts 3', 'Bash(npx tsx a.ts *)'],
])('%s: what is run makes the rule', (...words) => {
  const { rules } = learn(words.slice(0, 3).map(seen))
  expect(rules.map(({ rule }) => rule)).toEqual([words[3]])
})

const WORDS = [
  'a b',
  "it's",
  '*.ts',
  'a?b',
  'x(y)',
  '{a,b}',
  '[a]',
  'a;b',
  'a|b',
  'a&b',
  'a>b',
  '#x',
  '~x',
  'a"b',
  'a\\b',
  '',
  '* b',
  "'",
  'a  b',
  '!x',
  '%s',
]
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

test.each(WORDS)('the word %j: seen once, just this is allowed; seen among others, the rule has a star', word => {
  const once = `tool act ${quoted(word)} end`
  const { rules, left } = learn([seen(once)])
  const others = [
    `tool act ${quoted(`${word}x`)} end`,
    `tool act ${quoted(`x${word}`)} end`,
    'tool act end',
    `tool act ${quoted(word)} end more`,
  ]
  const neighbours = [...others, ...(word === '' ? [] : [`tool act ${quoted(word.replaceAll(/[*?]/g, 'zz'))}  end`])].filter(
    other => other.replace('  end', ' end') !== once,
  )
  expect(decide(rules, seen(once).call)).toBe(left.length === 0 ? 'allow' : 'ask')
  expect(neighbours.filter(other => decide(rules, seen(other).call) === 'allow')).toEqual([])
  const many = [once, `tool act ${quoted(`${word}1`)}`, `tool act ${quoted(`2${word}`)}`]
  expect(learn(many.map(seen)).rules.map(({ rule }) => rule)).toEqual(['Bash(tool *)'])
})

test('only words of which a part is not known before the command runs have no rule of their own', () => {
  const left = WORDS.filter(word => learn([seen(`tool act ${quoted(word)} end`)]).left.length > 0)
  expect(left).toEqual(['a"b'])
})

test('a month of commands as agents write them, with quotes: all are allowed, by a tenth of the rules', () => {
  const used = numbers.flatMap(at => [
    seen(`git commit -m "fix: part ${at} (it's done)"`),
    seen(`git commit -m "$(cat <<'EOF'\nfeat: part ${at}\n\nMore *text*; and more.\nEOF\n)"`),
    seen(`grep -rn "function part${at}(" src | head -20`),
    seen(`rg 'part${at}|other' src --glob '*.ts'`),
    seen(`npm test -- --grep "part ${at}"`),
    seen(`gh pr create --title "Part ${at}" --body "What & why"`),
    seen(`echo "part ${at}" > out/part-${at}.txt`),
    seen(`jq '.parts[${at}]' data.json`),
  ])
  const refused = ['git commit --amend --no-verify', 'gh pr merge 3', 'git push', `sh -c 'git commit -m "x"; rm -r src'`].map(seen)
  const { rules, left } = learn(used, refused)
  expect(left).toEqual([])
  expect(used.map(({ call }) => decide(rules, call)).filter(decision => decision !== 'allow')).toEqual([])
  expect(refused.map(({ call }) => decide(rules, call)).filter(decision => decision === 'allow')).toEqual([])
  expect(rules.length).toBeLessThan(used.length / 10)
})

test.each([
  ['what was refused', ['git stash pop'], ['git stash pop'], 'Bash(git stash pop) would allow what was refused: Bash git stash pop'],
  [
    'code',
    [`python3 -c 'print(1)'`],
    [],
    'it runs code or another program, or what it does is not known before it runs: no rule is narrow enough',
  ],
  ['an unknown word, seen once', ['tool "a $X"'], [], 'no three of its kind were seen, and no rule says just this'],
  ['a rule of the policy', ['rm -rf x'], [], '"rm -rf x" is forbidden by the rule Bash(rm -rf *)'],
])('why a call stays as it is: %s', (_what, used, refused, why) => {
  const { left } = learn(used.map(seen), refused.map(seen))
  expect(left.map(each => each.why.slice(0, why.length))).toEqual([why])
})

test('a rule that would allow what was refused is split into what was used', () => {
  const { rules } = learn(['git stash', 'git stash list', 'git stash pop'].map(seen), [seen('git stash drop')])
  expect(rules.map(({ rule }) => rule).toSorted()).toEqual(['Bash(git stash list)', 'Bash(git stash pop)', 'Bash(git stash)'])
  expect(decide(rules, seen('git stash drop').call)).toBe('ask')
})

test.each([
  ['in one line', 'git add . && npm test'],
  ['in a pipe', 'git add . | npm test'],
  ['inside one another', 'git add $(npm test)'],
])('what was refused %s stays refused where its parts were used', (_how, command) => {
  const { rules, left } = learn(
    [...['git add .', 'git add a', 'git add b', 'git add c', 'git add d'].map(seen), seen('npm test'), seen('make')],
    [seen(command)],
  )
  expect(decide(rules, seen(command).call)).not.toBe('allow')
  expect(rules.map(({ rule }) => rule)).toEqual(['Bash(git add *)', 'Bash(make)'])
  expect(left.map(({ call }) => call)).toEqual(['Bash npm test'])
})

test('each of two rules for single calls says what it rests on itself', () => {
  const { rules } = learn([seen('docker ps -a'), seen('docker ps -n 3'), seen('docker ps -n 3')])
  expect(rules.map(({ rule, calls, different, examples }) => [rule, calls, different, examples])).toEqual([
    ['Bash(docker ps -n 3)', 2, 1, ['Bash docker ps -n 3']],
    ['Bash(docker ps -a)', 1, 1, ['Bash docker ps -a']],
  ])
})

test('each rule says what it rests on, and asks where the evidence is thin', () => {
  const [rule] = learn([seen('docker ps -a'), seen('docker ps -a')]).rules
  expect(rule).toEqual({
    rule: 'Bash(docker ps -a)',
    calls: 2,
    different: 1,
    examples: ['Bash docker ps -a'],
    question: 'seen in one form only: is Bash(docker ps *) meant?',
  })
})
