// The policy under which programs are judged, and what of a real run it denies: told from what ran, never from the text.
import { createFileView } from '../../packages/core/src/match/path/node-file-view.ts'
import { compileRules, judge, parseRule } from '../../packages/core/src/policy/index.ts'
import type { Outcome, Run } from './jail.ts'

const ALLOW = ['Bash(*)', 'Read(*)', 'Write(*)', 'Edit(*)']
const DENY = [
  'Bash(rm -rf *)',
  'Bash(git push *)',
  'Bash(curl *)',
  'Bash(evil *)',
  'Bash(npm publish *)',
  'Bash(docker run *)',
  ...['.env*', 'secrets/**', '~/.ssh/**'].flatMap(files => [`Read(${files})`, `Write(${files})`]),
]

export interface Verdicts {
  /** Under `default: ask` and under `default: none`. */
  readonly ask: string
  readonly none: string
}

export type JudgeProgram = (program: string) => Verdicts

export function createProgramJudge({ root, home }: { readonly root: string; readonly home: string }): JudgeProgram {
  const rules = (effect: 'allow' | 'deny', texts: readonly string[]) =>
    texts.map((text, index) => {
      const parsed = parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index}` })
      if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`)
      return parsed.rule
    })
  const both = { allow: rules('allow', ALLOW), ask: [], deny: rules('deny', DENY), hash: 'jail' }
  const asking = compileRules({ ...both, default: 'ask' })
  const silent = compileRules({ ...both, default: 'none' })
  const context = { root, cwd: root, home, files: createFileView(), belayHome: `${home}/.belay`, selfProtection: true }
  return command => {
    const call = { tool: 'Bash', input: { command } }
    return { ask: judge(call, asking, context).verdict.decision, none: judge(call, silent, context).verdict.decision }
  }
}

/** What the policy denies of what happened. */
export function deniedOf({ ran, touched }: Outcome): readonly string[] {
  return [...ran.filter(isDenied).map(({ argv }) => argv.join(' ')), ...touched.map(file => `touched ${file}`)]
}

function isDenied({ argv: [name = '', ...words] }: Run): boolean {
  if (name === 'evil' || name === 'curl') return true
  if (name === 'rm') return hasFlag(words, /[rR]/, '--recursive') && hasFlag(words, /f/, '--force')
  if (name === 'git') return gitVerb(words) === 'push'
  return (name === 'npm' && words[0] === 'publish') || (name === 'docker' && words[0] === 'run')
}

function hasFlag(words: readonly string[], letter: RegExp, long: string): boolean {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  return options.some(word => word === long || (/^-[^-]/.test(word) && letter.test(word)))
}

function gitVerb([first, ...rest]: readonly string[]): string | undefined {
  if (first === '-C' || first === '-c') return gitVerb(rest.slice(1))
  return first?.startsWith('--') ? gitVerb(rest) : first
}

/** Under either default. */
export function isLet({ ask, none }: Verdicts): boolean {
  return ask === 'allow' || none === 'allow'
}
