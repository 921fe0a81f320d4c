import { describe, expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import type { JudgeContext, Judgement } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { DefaultDecision, Rule, RuleEffect } from './rule.ts'

interface Policy {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
  readonly default?: DefaultDecision
  readonly message?: string
}

const view = virtualFileView({ root: '/repo' })
if (!view.ok) throw new Error(view.problem)
const context: JudgeContext = {
  root: '/repo',
  cwd: '/repo',
  home: '/home/dev',
  files: view.files,
  belayHome: '/home/dev/.belay',
  selfProtection: true,
}

function rules(texts: readonly string[] | undefined, effect: RuleEffect, message?: string): Rule[] {
  return (texts ?? []).map((text, index) => {
    const place = { file: 'genesis.key', line: index + 1, column: 1 }
    const parsed = parseRule(text, { effect, dialect: 'genesis', place, ...(message === undefined ? {} : { message }) })
    if (!parsed.ok) throw new Error(parsed.problem.message)
    return parsed.rule
  })
}

function decide(policy: Policy, tool: string, input: Record<string, unknown>): Judgement {
  const compiled = compileRules({
    allow: rules(policy.allow, 'allow'),
    ask: rules(policy.ask, 'ask'),
    deny: rules(policy.deny, 'deny', policy.message),
    default: policy.default ?? 'ask',
    hash: 'abc',
  })
  return judge({ tool, input }, compiled, context)
}

function bash(policy: Policy, command: string): string {
  const { verdict } = decide(policy, 'Bash', { command })
  return verdict.decision === 'ask' ? `ask ${verdict.origin}` : verdict.decision
}

describe('what "no rule matched" means', () => {
  test.each<[DefaultDecision, string]>([
    ['ask', 'ask default'],
    ['deny', 'deny'],
    ['allow', 'allow'],
    ['none', 'none'],
  ])('default %s: %s', (byDefault, wanted) => {
    expect(bash({ default: byDefault }, 'uptime')).toBe(wanted)
    expect(bash({ default: byDefault, allow: ['Bash(git *)'] }, 'git status && uptime')).toBe(wanted)
    expect(bash({ default: byDefault, allow: ['Bash(git *)'] }, 'git status > out.txt')).toBe(wanted)
  })

  test.each<[DefaultDecision, string]>([
    ['ask', 'allow'],
    ['deny', 'allow'],
    ['allow', 'allow'],
    ['none', 'none'],
  ])('default %s: what needs no rule gets %s', (byDefault, wanted) => {
    expect(bash({ default: byDefault }, 'exit 7')).toBe(wanted)
    expect(bash({ default: byDefault }, 'cd src && pwd')).toBe(wanted)
    expect(bash({ default: byDefault }, '# nothing')).toBe(wanted)
    expect(bash({ default: byDefault, allow: ['Bash(git *)'] }, 'cd src && git status')).toBe('allow')
  })

  test.each([
    ['a deny rule', 'git push', 'deny'],
    ['a deny rule that may match', 'git $x', 'ask may-match'],
    ['code that is only known when it runs', 'eval "$x"', 'ask may-match'],
    ['a command word that is only known when it runs', '$x', 'ask may-match'],
    ['text that does not parse', 'echo "x', 'ask may-match'],
    ['self-protection', 'echo x > .belay/genesis.key', 'deny'],
    ['configuration of an agent', 'echo x > .claude/settings.json', 'ask may-match'],
    ['a file that is only known when it runs', 'echo x > $f', 'ask may-match'],
  ])('default allow does not soften %s', (_, command, wanted) => {
    expect(bash({ default: 'allow', deny: ['Bash(git push *)'] }, command)).toBe(wanted)
  })

  test.each(['node -e x', 'FOO=1 npm test', 'export A=1', 'curl x | sh', 'timeout --odd 3 ls'])(
    'default allow covers %s where no rule forbids',
    command => {
      expect(bash({ default: 'allow' }, command)).toBe('allow')
    },
  )
})

describe('order of effects', () => {
  const policy: Policy = { allow: ['Bash'], ask: ['Bash(npm publish *)'], deny: ['Bash(npm publish --force *)'] }
  test.each([
    ['npm test', 'allow'],
    ['npm publish', 'ask rule'],
    ['npm publish --force', 'deny'],
    ['npm test && npm publish', 'ask rule'],
    ['npm $x', 'ask may-match'],
  ])('%s: %s', (command, wanted) => {
    expect(bash(policy, command)).toBe(wanted)
  })
})

describe('what a broad allow does not cover', () => {
  test.each([
    ['python3 -c x', ['Bash(python3 *)'], 'ask default'],
    ['python3 -c x', ['Bash(python3 -c *)'], 'allow'],
    ['export A=1', ['Bash(*)'], 'ask default'],
    ['export A=1', ['Bash(export *)'], 'allow'],
    ['FOO=1 npm test', ['Bash(npm *)'], 'ask default'],
    ['FOO=1 npm test', ['Bash(FOO=* npm *)'], 'allow'],
    ['FOO=1 BAR=2 npm test', ['Bash(FOO=* npm *)'], 'ask default'],
    ['CI=1 npm test', ['Bash(npm *)'], 'allow'],
    ['ls | xargs cat', ['Bash(ls)', 'Bash(cat)'], 'ask default'],
    ['ls | xargs cat', ['Bash(ls)', 'Bash(cat *)'], 'allow'],
    ['find src -delete', ['Bash(find *)'], 'ask default'],
    ['find src -delete', ['Bash(find src -delete)'], 'allow'],
    ['/usr/bin/git status', ['Bash(git *)'], 'allow'],
    ['/tmp/git status', ['Bash(git *)'], 'ask default'],
    ['./run.sh x', ['Bash(./run.sh *)'], 'allow'],
    ['cat ~/notes', ['Bash(cat ~/notes)'], 'allow'],
    ['cat $HOME/notes', ['Bash(cat /home/dev/notes)'], 'allow'],
    ['for f in a b; do git $f; done', ['Bash(git a)', 'Bash(git b)'], 'allow'],
    ['for f in a b; do git $f; done', ['Bash(git a)'], 'ask default'],
    ['npm run test$x', ['Bash(npm run test*)'], 'allow'],
    ['npm run te$x', ['Bash(npm run test*)'], 'ask default'],
    ['npm test && npm run lint', ['Bash(npm test && npm run lint)'], 'allow'],
    ['npm test && rm x', ['Bash(npm test && *)'], 'ask default'],
  ])('%s under %j: %s', (command, allow, wanted) => {
    expect(bash({ allow }, command)).toBe(wanted)
  })
})

describe('deny compares flags as a set', () => {
  test.each([
    ['rm -fr x', 'Bash(rm -rf *)', 'deny'],
    ['rm --force -R x', 'Bash(rm -rf *)', 'deny'],
    ['rm x -r -v -f', 'Bash(rm -rf *)', 'deny'],
    ['rm -r x', 'Bash(rm -rf *)', 'ask default'],
    ['git -C /x push', 'Bash(git push *)', 'deny'],
    ['git push -f origin', 'Bash(git push --force*)', 'deny'],
    ['git push origin --force-with-lease', 'Bash(git push --force*)', 'deny'],
    ['git branch -D x', 'Bash(git branch --delete --force *)', 'deny'],
    ['git commit -nm x', 'Bash(git commit --no-verify*)', 'deny'],
    ['kubectl -n prod delete pod x', 'Bash(kubectl delete *)', 'deny'],
    ['find . -name x -delete', 'Bash(find * -delete)', 'deny'],
    ['find . -depth -empty', 'Bash(find * -delete)', 'ask default'],
    ['deployer --level high prod', 'Bash(deployer prod *)', 'ask may-match'],
    ['npm run test$x', 'Bash(npm run test*)', 'deny'],
    ['curl x | sh', 'Bash(curl * | sh)', 'deny'],
    ['git  commit  --no-verify', 'Bash(*--no-verify*)', 'deny'],
  ])('%s against %s: %s', (command, deny, wanted) => {
    expect(bash({ deny: [deny] }, command)).toBe(wanted)
  })
})

describe('tools', () => {
  test.each<[string, Record<string, unknown>, Policy, string]>([
    ['Edit', { file_path: 'src/a' }, { allow: ['Write(src/*)'] }, 'ask'],
    ['Edit', { file_path: '.env' }, { allow: ['Edit'], deny: ['Write(.env)'] }, 'deny'],
    ['run_shell_command', { command: 'ls' }, { allow: ['Bash(ls *)'] }, 'ask'],
    ['run_shell_command', { command: 'rm -rf /' }, { allow: ['run_shell_command'], deny: ['Bash(rm -rf *)'] }, 'deny'],
    ['Write', {}, { allow: ['Write'] }, 'ask'],
    ['Write', { file_path: 7 }, { allow: ['Write'] }, 'ask'],
    ['Write', { file_path: 'a', path: 'b' }, { allow: ['Write'] }, 'ask'],
    ['Bash', { command: 'ls', run_in_background: true }, { allow: ['Bash(ls *)'], deny: ['Bash(run_in_background:true)'] }, 'deny'],
    ['mcp__prod__drop', {}, { allow: ['mcp__*'], deny: ['mcp__prod'] }, 'deny'],
    ['mcp__production__get', {}, { allow: ['mcp__*'], deny: ['mcp__prod'] }, 'allow'],
    ['mcp__fs__write', { path: '.belay/genesis.key' }, { allow: ['mcp__fs__write'] }, 'deny'],
    ['mcp__fs__write', { path: '.env' }, { allow: ['mcp__fs__write'], deny: ['Write(.env)'] }, 'ask'],
    ['Task', { subagent_type: 'auditor' }, { allow: ['Task(auditor)'] }, 'allow'],
    ['Agent', { subagent_type: 'x', model: 'opus' }, { allow: ['Agent'], ask: ['Agent(model:opus)'] }, 'ask'],
    ['WebFetch', { url: 'http://127.0.0.1/' }, { allow: ['WebFetch'] }, 'ask'],
    ['WebFetch', { url: 'http://127.0.0.1/' }, { allow: ['WebFetch(domain:127.0.0.1)'] }, 'allow'],
    ['Bash', { command: 'ls', workdir: '/repo/.belay' }, { allow: ['Bash(ls *)'] }, 'allow'],
    ['Bash', { command: 'echo x > genesis.key', workdir: '/repo/.belay' }, { allow: ['Bash', 'Write'] }, 'deny'],
  ])('%s %j under %j: %s', (tool, input, policy, wanted) => {
    expect(decide(policy, tool, input).verdict.decision).toBe(wanted)
  })
})

describe('what is told', () => {
  test('a denied agent learns the command, the rule and its place', () => {
    const { verdict, rule, decidedBy, policyHash } = decide({ deny: ['Bash(git push *)'] }, 'Bash', { command: 'ls; git push -f' })
    expect(verdict).toEqual({
      decision: 'deny',
      reason:
        '"git push -f" is forbidden by the rule Bash(git push *) (genesis.key:1:1). Reach the goal another way, or tell the person that this step is theirs.',
    })
    expect([rule?.id, decidedBy?.span, policyHash]).toEqual(['deny-1-1', { start: 4, end: 15 }, 'abc'])
  })

  test('a message of the policy replaces that sentence, and names the rule too', () => {
    const { verdict } = decide({ deny: ['Write'], message: 'Architects cannot write files.' }, 'Write', { file_path: 'a' })
    expect(verdict).toEqual({ decision: 'deny', reason: 'Architects cannot write files. (rule Write, genesis.key:1:1)' })
  })
})

test('nothing that can be given makes it throw', () => {
  const odd: unknown[] = ['', '\0', 'a'.repeat(70_000), '('.repeat(500), '$(', null, 7, [], ['a', 1], {}, '\uD800', '\uFDD0 \uFDD1']
  for (const tool of ['Bash', 'Write', 'WebFetch', 'Task', 'mcp__x__y', '', '__proto__', 'constructor']) {
    for (const value of odd) {
      for (const field of ['command', 'file_path', 'url', 'subagent_type', '__proto__']) {
        expect(() => decide({ allow: ['*'], deny: ['Bash(git * push)'] }, tool, { [field]: value })).not.toThrow()
      }
    }
  }
})

describe('a star and one word', () => {
  const decisionOf = (effect: 'deny' | 'ask' | 'allow', spec: string, command: string) =>
    decide({ [effect]: [`Bash(${spec})`], default: 'none' }, 'Bash', { command }).verdict.decision

  const withWord: readonly [spec: string, command: string][] = [
    ['* install', 'npm install'],
    ['* install', 'npm install left-pad'],
    ['* install', 'pip install x'],
    ['* install', 'apt-get -y install x'],
    ['* install', 'make install DESTDIR=/x'],
    ['* install', 'cd x && npm install y'],
    ['* --force', 'git push --force'],
    ['* --force', 'git push --force origin main'],
    ['* --force', 'npm install --force left-pad'],
    ['* --force', 'rm --force x'],
    ['* --dry-run', 'npm publish --dry-run'],
    ['* --dry-run', 'git push --dry-run origin main'],
  ]

  test.each(withWord)('%s denies and asks about %s', (spec, command) => {
    expect([decisionOf('deny', spec, command), decisionOf('ask', spec, command)]).toEqual(['deny', 'ask'])
  })

  test.each([
    ['* install', 'npm installed'],
    ['* install', 'npm run'],
    ['* install', 'git commit -m "install it"'],
    ['* --force', 'git push'],
  ])('%s says nothing about %s', (spec, command) => {
    expect([decisionOf('deny', spec, command), decisionOf('ask', spec, command)]).toEqual(['none', 'none'])
  })

  test.each([
    ['* install', 'npm install', 'allow'],
    ['* install', 'npm install left-pad', 'none'],
    ['* install', 'apt-get -y install x', 'none'],
  ])('an allow stays as written: %s, %s: %s', (spec, command, decision) => {
    expect(decisionOf('allow', spec, command)).toBe(decision)
  })
})
