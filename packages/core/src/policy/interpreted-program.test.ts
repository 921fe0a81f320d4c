// An interpreter that is given the file of a program does what the program does: rules about either hold, whatever the interpreter is called.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'

const ROOT = '/repo'
const context = { root: ROOT, cwd: ROOT, home: '/home/u', belayHome: '/home/u/.belay', selfProtection: true }

function decide(command: string, forbidden: string): string {
  const parsed = parseRule(forbidden, { effect: 'deny', dialect: 'genesis', id: forbidden })
  if (!parsed.ok) throw new Error(forbidden)
  const view = virtualFileView({ root: ROOT })
  if (!view.ok) throw new Error(view.problem)
  const policy = compileRules({ allow: [], deny: [parsed.rule], ask: [], default: 'allow', hash: '' })
  return judge({ tool: 'Bash', input: { command } }, policy, { ...context, files: view.files }).verdict.decision
}

/** What it is called, the rule about it, a program of its language, and the rule about that. */
const INTERPRETERS = [
  {
    names: ['node', 'nodejs', 'node22'],
    rule: 'Bash(node *)',
    file: '/usr/lib/node_modules/npm/bin/npm-cli.js publish',
    does: 'Bash(npm publish *)',
  },
  { names: ['node', 'nodejs', '/usr/bin/nodejs'], rule: 'Bash(node *)', file: '/usr/bin/npm publish', does: 'Bash(npm publish *)' },
  {
    names: ['python', 'python3', 'python3.11', 'pypy3'],
    rule: 'Bash(python *)',
    file: '/usr/bin/pip install x',
    does: 'Bash(pip install *)',
  },
  { names: ['python3', 'jython'], rule: 'Bash(python *)', file: '-u /opt/x/bin/pip3 install x', does: 'Bash(pip install *)' },
  { names: ['ruby', 'ruby3.1', 'jruby'], rule: 'Bash(ruby *)', file: '/usr/bin/gem push x.gem', does: 'Bash(gem push *)' },
  { names: ['perl', 'perl5.36'], rule: 'Bash(perl *)', file: '/usr/bin/cpan x', does: 'Bash(cpan *)' },
  { names: ['php', 'php8.2'], rule: 'Bash(php *)', file: 'composer.phar install', does: 'Bash(composer install *)' },
]
const cases = INTERPRETERS.flatMap(({ names, rule, file, does }) =>
  names.flatMap(name => [name, `sudo ${name}`, `env A=1 ${name}`].map(start => [`${start} ${file}`, rule, does] as const)),
)
test.each(cases)('%s is stopped by %s and by %s', (command, rule, does) => {
  expect([decide(command, rule), decide(command, does)]).toEqual(['deny', 'deny'])
})

test.each([
  ['python3 manage.py migrate', 'Bash(pip install *)'],
  ['python3 -m http.server', 'Bash(pip install *)'],
  ['ruby bin/setup.rb', 'Bash(gem push *)'],
  ['perl -ne print x', 'Bash(cpan *)'],
  ['node build.js publish', 'Bash(npm publish *)'],
])('%s says nothing to %s', (command, rule) => {
  expect(decide(command, rule)).toBe('allow')
})
