// Patterns by which a program itself chooses the files that it acts on: git's path patterns, those of searches that hand on what they find.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { type CompiledPermissions, compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'

function rules(effect: RuleEffect, texts: readonly string[]): readonly Rule[] {
  return texts.map(text => {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: text })
    if (!parsed.ok) throw new Error(text)
    return parsed.rule
  })
}

const DENY = ['Read(.env*)', 'Write(.env*)', 'Bash(rm -rf *)', 'Bash(gh pr merge *)', 'Bash(gh repo delete *)']

function policy(allow: readonly string[], byDefault: CompiledPermissions['default']): CompiledPermissions {
  return compileRules({ allow: rules('allow', allow), deny: rules('deny', DENY), ask: [], default: byDefault, hash: '' })
}

const broad = policy(['Bash(*)', 'Read(*)', 'Write(*)'], 'ask')
const silent = policy([], 'none')

function decide(command: string, compiled: CompiledPermissions = broad): string {
  const view = virtualFileView({ root: '/repo' })
  if (!view.ok) throw new Error(view.problem)
  const place = { root: '/repo', cwd: '/repo', home: '/home/dev', belayHome: '/home/dev/.belay' }
  return judge({ tool: 'Bash', input: { command } }, compiled, { ...place, files: view.files, selfProtection: true }).verdict.decision
}

const VERBS = [
  'rm',
  'rm -r --cached',
  'add',
  'add -f',
  'restore',
  'restore --staged',
  'stash push --',
  'commit -m x',
  'checkout --',
  'checkout HEAD',
]
const LOOKS = ['log -p --', 'diff --', 'show HEAD --', 'grep x --']
const SPECS = [
  ':(glob).en?',
  ':(glob)**/.env',
  ':(icase).ENV',
  ':(icase).En?',
  ':(top).env',
  ':(top,icase).ENV',
  ':(literal).env',
  ':/.env',
  ':/:.env',
  '*nv',
  '*env*',
  '?env',
  '[.]env',
  'src/?env',
  '.e*',
]
const KEPT = [...VERBS, ...LOOKS].flatMap(verb => SPECS.map(spec => `git ${verb} '${spec}'`))

test.each([...KEPT, 'git --icase-pathspecs rm .ENV', 'git --icase-pathspecs add .Env'])('%s is not allowed', command => {
  expect(decide(command)).not.toBe('allow')
})

const OTHERS = ['*.ts', ':(glob)src/**', 'src/*.ts', ':!dist', ':/src', ':(icase)README.md', 'docs/[a-z]*.md', '*.test.ts']
test.each(VERBS.flatMap(verb => OTHERS.map(spec => `git ${verb} '${spec}'`)))('%s is allowed', command => {
  expect(decide(command)).toBe('allow')
})

const SEARCHES = ['fd -H', 'fd -u', 'fd --hidden', 'fdfind -HI']
const REGEXES = ['nv', 'env', 'e.v', '\\.e', '^.env$', 'e(n|x)v', 'x|nv', '.nv?']
const FINDS = ['.*/.e.v', '.*/\\.en[v]', '\\./.env', '.*nv', '.*\\(env\\|x\\)', '.*e.*v']
const searched = [
  ...SEARCHES.flatMap(search =>
    REGEXES.flatMap(regex => ['-x cat', '-X head', '--exec cat'].map(action => `${search} '${regex}' ${action}`)),
  ),
  ...FINDS.flatMap(regex => ['-exec cat {} +', '-exec head {} \\;'].map(action => `find . -regex '${regex}' ${action}`)),
]
test.each(searched)('%s is not allowed', command => {
  expect(decide(command)).not.toBe('allow')
})

test.each(["fd -H '\\.ts$' -x wc -l", 'fd -H config -x cat', 'fd nv -x cat', "find . -regex '.*\\.ts' -exec cat {} +"])(
  '%s is allowed',
  command => {
    expect(decide(command)).toBe('allow')
  },
)

test.each([
  ['gh api -X PUT repos/o/r/pulls/1/merge', 'ask'],
  ['gh api repos/o/r/pulls/1/merge --method PUT', 'ask'],
  ['gh api --method=PUT /repos/o/r/pulls/1/merge -f merge_method=squash', 'ask'],
  ['gh api repos/o/r/pulls/1/merge', 'allow'],
  ['gh api --method=GET repos/o/r/pulls/1/merge', 'allow'],
  ['gh api -X DELETE repos/o/r', 'ask'],
  ['gh api repos/o/r', 'allow'],
  ['gh api -X POST repos/o/r/labels -f name=x', 'allow'],
  ['cqlsh -e "capture \'.env\'"', 'deny'],
  ['cqlsh -e "select 1; CAPTURE \'.env.x\'"', 'deny'],
])('%s: %s', (command, decision) => {
  expect(decide(command)).toBe(decision)
})

const CODE = "perl -e 'system(q(rm -rf x))'"
test.each([
  "echo '\\! rm -rf x' | usql",
  "echo '\\! rm -rf x' | psql",
  ...['let', 'test -v'].map(word => `${word} "a[$(${CODE})]"`),
  `v='a[$(perl -e "rm -rf x")]'; echo $((v))`,
  `v='a[$(perl -e "rm -rf x")]'; [[ v -eq 0 ]]`,
  `declare -i v='a[$(perl -e "rm -rf x")]'`,
])('%s asks where the default is none', command => {
  expect(decide(command, silent)).not.toBe('none')
})
