// What is different between two policies: in words, and by calls that come out differently.
import type { ActorBlock, GenesisPolicy, Rule, RuleEffect } from '@belay/core/policy'
import { IMAGINED_ROOT, imaginedGuard } from './imagined-guard.ts'
import { readProperty } from './prove/prove-property.ts'
import { toolEvent } from './recorded-call.ts'
import { textOf } from './replay/replay-tally.ts'

export interface PolicyDifference {
  /** `agent:* is newly denied Bash(git push *)`. */
  readonly words: readonly string[]
  readonly examples: readonly DifferentCall[]
}

export interface DifferentCall {
  readonly actor: string
  readonly tool: string
  readonly text: string
  readonly before: string
  readonly after: string
  /** The rule that decides now. */
  readonly rule: string | null
}

export function diffPolicies(before: GenesisPolicy, after: GenesisPolicy): PolicyDifference {
  const changed = listChanges(before, after)
  const defaults = [before, after].map(({ permissions }) => permissions?.default ?? 'none')
  const words = [
    ...(defaults[0] === defaults[1] ? [] : [`where no rule matches: ${defaults[0]} becomes ${defaults[1]}`]),
    ...changed.map(({ words: said }) => said),
    ...diffHooks(before, after),
  ]
  return { words, examples: findExamples(before, after, changed) }
}

interface ChangedRule {
  readonly actor: string
  readonly rule: Rule
  readonly words: string
}

const SAID: Readonly<Record<RuleEffect, string>> = { allow: 'allowed', ask: 'asked about', deny: 'denied' }

function listChanges(before: GenesisPolicy, after: GenesisPolicy): readonly ChangedRule[] {
  const actors = [...new Set([before, after].flatMap(({ permissions }) => permissions?.actors.map(({ actor }) => actor) ?? []))]
  return actors.flatMap(actor => {
    const old = rulesOf(before, actor)
    const now = rulesOf(after, actor)
    const gone = old.filter(rule => !now.some(other => isSame(rule, other)))
    const come = now.filter(rule => !old.some(other => isSame(rule, other)))
    return [
      ...gone.map(rule => ({ actor, rule, words: `${actor} is no longer ${SAID[rule.effect]} ${rule.text}` })),
      ...come.map(rule => ({ actor, rule, words: `${actor} is newly ${SAID[rule.effect]} ${rule.text}` })),
    ]
  })
}

function rulesOf({ permissions }: GenesisPolicy, actor: string): readonly Rule[] {
  const blocks = permissions?.actors.filter((block: ActorBlock) => block.actor === actor) ?? []
  return blocks.flatMap(({ deny, ask, allow }) => [...deny, ...ask, ...allow])
}

function isSame(a: Rule, b: Rule): boolean {
  return a.effect === b.effect && a.text === b.text
}

function diffHooks(before: GenesisPolicy, after: GenesisPolicy): readonly string[] {
  const named = ({ hooks }: GenesisPolicy): readonly string[] =>
    hooks.map(({ event, name, handler, matcher }) => {
      const type = handler.type === 'builtin' ? handler.builtin : handler.type
      return `${event}: ${name ?? type}${matcher !== undefined && 'text' in matcher ? ` on ${matcher.text}` : ''}`
    })
  const [old, now] = [named(before), named(after)]
  return [
    ...old.filter(hook => !now.includes(hook)).map(hook => `the hook ${hook} is gone`),
    ...now.filter(hook => !old.includes(hook)).map(hook => `the hook ${hook} is new`),
  ]
}

const EXAMPLES_OF_ONE = 3
const TRIED_OF_ONE = 40

/** Calls that the changed rules are about, and those of every other rule, judged by both. */
function findExamples(before: GenesisPolicy, after: GenesisPolicy, changed: readonly ChangedRule[]): readonly DifferentCall[] {
  const guards = [imaginedGuard([before]), imaginedGuard([after])] as const
  const others = changed.length === 0 || before.permissions?.default !== after.permissions?.default ? OTHER_CALLS : []
  const about = [...changed.map(({ actor, rule }) => ({ actor, text: rule.text })), ...others.map(text => ({ actor: 'agent:*', text }))]
  const found = about.flatMap(({ actor, text }) => differing(guards, actor.replaceAll('*', 'x'), text).slice(0, EXAMPLES_OF_ONE))
  return found.filter((one, index) => found.findIndex(other => JSON.stringify(other) === JSON.stringify(one)) === index)
}

/** For a change of the default. */
const OTHER_CALLS = ['Bash(make)', 'Write(src/app.ts)', 'Read(src/app.ts)', 'Bash(git status)']

function differing(
  guards: readonly [ReturnType<typeof imaginedGuard>, ReturnType<typeof imaginedGuard>],
  actor: string,
  text: string,
): readonly DifferentCall[] {
  const property = readProperty(`never ${text}`)
  if (!property.ok) return []
  return property.acts.slice(0, TRIED_OF_ONE).flatMap(({ call }) => {
    const [old, now] = guards.map(guard => guard.judge(call, toolEvent({ call, actor, cwd: IMAGINED_ROOT })))
    if (old === undefined || now === undefined || old.verdict.decision === now.verdict.decision) return []
    return [
      {
        actor,
        tool: call.tool,
        text: textOf(call),
        before: old.verdict.decision,
        after: now.verdict.decision,
        rule: now.rule?.text ?? null,
      },
    ]
  })
}
