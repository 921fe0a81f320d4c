// What is different between two policies: in words, and by calls that come out differently.
import type { HookDefinition } from '@belay/core'
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
    ...(before.version === after.version ? [] : [`version ${before.version} becomes ${after.version}`]),
    ...(defaults[0] === defaults[1] ? [] : [`where no rule matches: ${defaults[0]} becomes ${defaults[1]}`]),
    ...changed.map(({ words: said }) => said),
    ...diffBlocks(before, after),
    ...diffHooks(before, after),
    ...diffSections(before, after),
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

/** What else is said of an actor: its role, and what an agent is told by a rule that both have. */
function diffBlocks(before: GenesisPolicy, after: GenesisPolicy): readonly string[] {
  return (after.permissions?.actors ?? []).flatMap(({ actor, role }) => {
    const old = before.permissions?.actors.find(block => block.actor === actor)
    const known = rulesOf(before, actor)
    const told = rulesOf(after, actor).flatMap(rule => {
      const other = known.find(each => isSame(each, rule))
      if (other === undefined || other.message === rule.message) return []
      return [`${actor} is told something else by ${rule.effect} ${rule.text}: ${rule.message ?? 'the standard sentence'}`]
    })
    const isOther = old !== undefined && old.role !== role
    return [...(isOther ? [`${actor} has the role ${role ?? 'none'} (it was ${old.role ?? 'none'})`] : []), ...told]
  })
}

/** A hook that both have under one name, event and matcher is compared as a whole. */
function diffHooks({ hooks: before }: GenesisPolicy, { hooks: after }: GenesisPolicy): readonly string[] {
  const old = before.map(contentOf)
  const now = after.map(contentOf)
  const gone = before.filter((_, index) => !now.includes(old[index] ?? ''))
  const come = after.filter((_, index) => !old.includes(now[index] ?? ''))
  const isNamed = (hooks: readonly HookDefinition[], hook: HookDefinition): boolean => hooks.some(other => nameOf(other) === nameOf(hook))
  const words = [
    ...gone.flatMap(hook => (isNamed(come, hook) ? [] : [`the hook ${nameOf(hook)} is gone`])),
    ...come.map(hook => `the hook ${nameOf(hook)} is ${isNamed(gone, hook) ? changeOf(gone, hook) : 'new'}`),
  ]
  if (words.length > 0 || old.join('\n') === now.join('\n')) return words
  return [old.length === now.length ? 'the hooks stand in another order' : 'a hook stands there another number of times']
}

function nameOf({ event, name, handler, matcher }: HookDefinition): string {
  const type = handler.type === 'builtin' ? handler.builtin : handler.type
  return `${event}: ${name ?? type}${matcher !== undefined && 'text' in matcher ? ` on ${matcher.text}` : ''}`
}

/** Which of its keys. What a handler holds is in `handler`. */
function changeOf(gone: readonly HookDefinition[], hook: HookDefinition): string {
  const old = gone.find(other => nameOf(other) === nameOf(hook))
  const fields = (of: HookDefinition | undefined): Readonly<Record<string, unknown>> => {
    const { handler, ...rest } = of ?? {}
    return { ...handler, ...rest }
  }
  const [was, is] = [fields(old), fields(hook)]
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(key => contentOf(was[key]) !== contentOf(is[key]))
  return `changed: ${keys.filter(key => key !== 'place').join(', ')}`
}

function diffSections(before: GenesisPolicy, after: GenesisPolicy): readonly string[] {
  const sections = (of: GenesisPolicy): Readonly<Record<string, unknown>> => ({
    hooks_from: of.hooksFrom,
    'permissions of commitments': of.operations,
    ...{ guards: of.guards, guardrails: of.guardrails, tools: of.tools },
    ...of.sections,
  })
  const [old, now] = [sections(before), sections(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.flatMap(name => (contentOf(old[name]) === contentOf(now[name]) ? [] : [`the section ${name} is different`]))
}

/** Wherever it stands. */
function contentOf(value: unknown): string {
  return JSON.stringify(value, (key, of) => (key === 'place' ? undefined : of)) ?? ''
}

const TRIED_OF_ONE = 40

/** Calls that the changed rules are about, and those of every other rule, judged by both. */
function findExamples(before: GenesisPolicy, after: GenesisPolicy, changed: readonly ChangedRule[]): readonly DifferentCall[] {
  const guards = [imaginedGuard([before]), imaginedGuard([after])] as const
  const others = changed.length === 0 || before.permissions?.default !== after.permissions?.default ? OTHER_CALLS : []
  const about = [...changed.map(({ actor, rule }) => ({ actor, text: rule.text })), ...others.map(text => ({ actor: 'agent:*', text }))]
  const found = about.flatMap(({ actor, text }) => plainest(differing(guards, actor.replaceAll('*', 'x'), text)))
  return found.filter((one, index) => found.findIndex(other => JSON.stringify(other) === JSON.stringify(one)) === index)
}

/** Of each change one: the first has the plainest spelling. */
function plainest(found: readonly DifferentCall[]): readonly DifferentCall[] {
  const changeOfCall = ({ before, after }: DifferentCall): string => `${before} ${after}`
  return found.filter((one, index) => found.findIndex(other => changeOfCall(other) === changeOfCall(one)) === index)
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
