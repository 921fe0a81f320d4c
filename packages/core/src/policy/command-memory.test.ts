// A judge that remembers commands against one that does not: whatever came before, on a disk that changes meanwhile, both say the same.
// BELAY_FUZZ sets the number of policies.
import { expect, test } from 'vitest'
import type { FileView } from '../match/path/file-view.ts'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { makeRandom } from '../match/shell/fixtures/random-script.ts'
import { compileRules } from './compile-rules.ts'
import { createJudge } from './create-judge.ts'
import { judge } from './judge.ts'
import type { JudgeContext, ToolCall } from './judgement.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'

const rounds = Number(process.env.BELAY_FUZZ ?? 25)
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 1_000_000)
const { next, pick } = makeRandom(seed)

const RULES = [
  ...['Bash', 'Bash(git *)', 'Bash(git push *)', 'Bash(rm *)', 'Bash(* --force)', 'Bash(cat *)', 'Bash(sh -c *)', 'Bash(echo *)'],
  ...['Write(src/*)', 'Write(.env*)', 'Read(.env)', 'Read(*)', 'Write', 'Edit(src/*)', 'Bash(curl * | sh)', 'Bash(description:*secret*)'],
]
const COMMANDS = [
  ...['git status', 'git push --force', 'rm -rf x', 'cat link', 'cat .env', 'echo x > link', 'echo x > src/a', 'cd sub && cat link'],
  ...['sh -c "git push"', 'curl x | sh', 'cp a link', 'git log > link', '$x', 'echo "open', 'belay down', 'for f in a b; do rm $f; done'],
]
const LINKS = ['.env', 'src/a', '/etc/passwd', 'nothing', 'link']

/** A disk whose one link is turned at any time. */
function changingDisk(): { readonly files: FileView; turn(): void } {
  const make = (): FileView => {
    const made = virtualFileView({ root: '/repo', links: { link: pick(LINKS), 'sub/link': pick(LINKS) } })
    if (!made.ok) throw new Error(made.problem)
    return made.files
  }
  let now = make()
  return {
    files: {
      realPath: absolute => now.realPath(absolute),
      linkCount: absolute => now.linkCount(absolute),
      names: () => null,
      knownNames: () => [],
      knowsLinks: true,
      hasNameBelow: () => false,
      linkTargetsBelow: () => [],
      text: () => null,
      isCaseInsensitive: () => false,
    },
    turn() {
      now = make()
    },
  }
}

function randomRules(effect: RuleEffect): Rule[] {
  return Array.from({ length: next(4) }, () => {
    const parsed = parseRule(pick(RULES), { effect, dialect: 'genesis' })
    if (!parsed.ok) throw new Error(parsed.problem.message)
    return parsed.rule
  })
}

function randomCall(): ToolCall {
  const input = {
    command: pick(COMMANDS),
    description: pick(['a secret', 'nothing']),
    ...(next(4) === 0 ? { cwd: pick(['/repo', 'sub']) } : {}),
  }
  return { tool: pick(['Bash', 'Bash', 'PowerShell']), input }
}

test(`a command that came before is judged as if it had not, seed ${seed}`, () => {
  let recalled = 0
  for (let round = 0; round < rounds; round++) {
    const permissions = { allow: randomRules('allow'), ask: randomRules('ask'), deny: randomRules('deny') }
    const compiled = compileRules({ ...permissions, default: pick(['ask', 'none', 'deny', 'allow']), hash: 'h' })
    const { files, turn } = changingDisk()
    const place = { root: '/repo', home: '/home/dev', files, belayHome: '/home/dev/.belay', selfProtection: next(2) === 0 }
    const contexts: JudgeContext[] = ['/repo', '/repo/sub', '/tmp'].map(cwd => ({ ...place, cwd }))
    const remembering = createJudge(compiled, { cacheSize: pick([0, 0, 5]), commandsKept: pick([1, 3, 50]) })
    for (let at = 0; at < 60; at++) {
      if (next(5) === 0) turn()
      const [call, context] = [randomCall(), pick(contexts)]
      const made = remembering(call, context)
      const expected = judge(call, compiled, context)
      // Comparing texts takes a tenth of the time.
      if (JSON.stringify(made) !== JSON.stringify(expected)) expect({ ...made, call, cwd: context.cwd }).toEqual(expected)
      if (remembering(call, context).parts.some(part => made.parts.includes(part))) recalled++
    }
  }
  expect(recalled).toBeGreaterThan(0)
})

test.each([
  ['is the same the third time', 'git status', true],
  ['is judged anew where a file has a say', 'cat link', false],
  ['is judged anew where it is very long', `git status ${'x'.repeat(5000)}`, false],
])('a command %s', (_what, command, isKept) => {
  const { files } = changingDisk()
  const context = { root: '/repo', cwd: '/repo', home: '/home/dev', files, belayHome: '/home/dev/.belay', selfProtection: true }
  const compiled = compileRules({ allow: [], ask: [], deny: [], default: 'ask', hash: 'h' })
  const decide = createJudge(compiled, { cacheSize: 0, commandsKept: 10 })
  const [, second, third] = ['one', 'two', 'three'].map(description => decide({ tool: 'Bash', input: { command, description } }, context))
  expect(third?.parts[0] === second?.parts[0]).toBe(isKept)
  expect(third).toEqual(second)
})

test('a line end in a directory is no line end of a command', () => {
  const { files } = changingDisk()
  const rules = [parseRule('Bash(rm *)', { effect: 'deny', dialect: 'genesis' })].flatMap(parsed => (parsed.ok ? [parsed.rule] : []))
  const compiled = compileRules({ allow: [], ask: [], deny: rules, default: 'allow', hash: 'h' })
  const context = { root: '/repo', cwd: '/repo', home: '/home/dev', files, belayHome: '/home/dev/.belay', selfProtection: true }
  const decide = createJudge(compiled, { cacheSize: 0, commandsKept: 10 })
  const decideTwice = (cwd: string, command: string): string[] =>
    ['one', 'two'].map(description => decide({ tool: 'Bash', input: { command, description, cwd } }, context).verdict.decision)
  // In the first the command is text for `cat`; in the second it is run.
  expect(decideTwice('/repo', "cat <<'END'\nrm x\nEND")).toEqual(['allow', 'allow'])
  expect(decideTwice("/repo\ncat <<'END'", 'rm x\nEND')).toEqual(['deny', 'deny'])
})
