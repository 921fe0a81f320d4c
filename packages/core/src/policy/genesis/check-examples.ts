// The examples beside a rule, judged by the rule alone: they are tests of the policy that run every time it is loaded.
import { virtualFileView } from '../../match/path/virtual-file-view.ts'
import { type CallMatch, callCovered, callMatches } from '../call-matches.ts'
import type { JudgeContext } from '../judgement.ts'
import type { Rule } from '../rule.ts'
import { callFromText } from './call-from-text.ts'

/** Says which examples are wrong. An allow rule matches what it would let through, a deny or ask rule what it would catch. */
export function checkExamples(rule: Rule, examples: readonly string[], key: 'match' | 'not_match'): readonly string[] {
  return examples.flatMap(example => {
    const reach = reachOf(rule, example)
    if (key === 'match' ? reach === 'must' : reach === 'no') return []
    const found = reach === 'must' ? 'it does' : reach === 'may' ? 'it may' : 'it does not'
    const wanted = key === 'match' ? 'should match' : 'should not match'
    return [`the ${rule.effect} rule ${JSON.stringify(rule.text)} ${wanted} ${JSON.stringify(example)}, but ${found}`]
  })
}

function reachOf(rule: Rule, example: string): CallMatch {
  const reaches = rule.tools.map(tool => {
    const call = callFromText(tool, example)
    if (rule.effect === 'allow') return callCovered([rule], call, EXAMPLE_CONTEXT) ? 'must' : 'no'
    return callMatches(rule, call, EXAMPLE_CONTEXT)
  })
  return reaches.find(reach => reach === 'must') ?? reaches.find(reach => reach === 'may') ?? 'no'
}

/** A project that exists nowhere, so that examples mean the same on every machine. */
const EXAMPLE_CONTEXT: JudgeContext = {
  root: '/repo',
  cwd: '/repo',
  home: '/home/dev',
  belayHome: '/home/dev/.belay',
  files: emptyFiles(),
  selfProtection: false,
}

function emptyFiles(): JudgeContext['files'] {
  const view = virtualFileView({ root: '/repo' })
  if (!view.ok) throw new Error(view.problem)
  return view.files
}
