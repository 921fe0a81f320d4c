// Policies that differ from the given one by one small fault: a rule that is gone, says too much, or says the opposite; another default; a
// hook that no longer denies. A set of tests is good where every one of them makes a test fail.
import { type ActorBlock, type DefaultDecision, type GenesisPolicy, parseRule, type Rule, type RuleEffect } from '@belay/core/policy'
import { keyOf, rulesOf } from '../rules-of.ts'

export interface Mutant {
  readonly policy: GenesisPolicy
  readonly kind: 'removed' | 'widened' | 'flipped' | 'default' | 'hook removed'
  /** The rule that was changed; null: something else was. */
  readonly rule: string | null
  /** What was changed, as written. */
  readonly what: string
  /** What stands there instead. */
  readonly into: string | null
  readonly line: number | null
}

export function listMutants(policy: GenesisPolicy): readonly Mutant[] {
  return [...rulesOf(policy).flatMap(({ rule }) => mutateRule(policy, rule)), ...mutateDefault(policy), ...mutateHooks(policy)]
}

function mutateRule(policy: GenesisPolicy, rule: Rule): readonly Mutant[] {
  const of = (kind: Mutant['kind'], into: string | null, changed: Rule | null): Mutant => ({
    policy: replaceRule(policy, rule, changed),
    kind,
    rule: rule.id,
    what: `${rule.effect} ${rule.text}`,
    into,
    line: rule.place?.line ?? null,
  })
  const effect = OPPOSITE[rule.effect]
  const wide = widenRule(rule)
  return [
    of('removed', null, null),
    of('flipped', `${effect} ${rule.text}`, { ...rule, effect }),
    ...(wide === null ? [] : [of('widened', `${rule.effect} ${wide.text}`, wide)]),
  ]
}

const OPPOSITE: Readonly<Record<RuleEffect, RuleEffect>> = { allow: 'deny', ask: 'allow', deny: 'allow' }

/** In every block that has it; it keeps its name. */
function replaceRule(policy: GenesisPolicy, rule: Rule, changed: Rule | null): GenesisPolicy {
  if (policy.permissions === null) return policy
  const key = keyOf(rule)
  const replaceBlock = (block: ActorBlock): ActorBlock => {
    const isHere = [...block.allow, ...block.ask, ...block.deny].some(each => keyOf(each) === key)
    const list = (effect: RuleEffect): readonly Rule[] => {
      const others = block[effect].flatMap(each => (keyOf(each) !== key ? [each] : changed?.effect === effect ? [changed] : []))
      return isHere && changed?.effect === effect && effect !== rule.effect ? [...others, changed] : others
    }
    return { ...block, allow: list('allow'), ask: list('ask'), deny: list('deny') }
  }
  return { ...policy, permissions: { ...policy.permissions, actors: policy.permissions.actors.map(replaceBlock) } }
}

/** The next wider rule that a person might have written; null: it speaks of every tool already. */
export function widenRule(rule: Rule): Rule | null {
  const text = widerText(rule)
  if (text === null) return null
  const { effect, dialect, id, place, message } = rule
  const parsed = parseRule(text, {
    effect,
    dialect,
    id,
    ...(place === undefined ? {} : { place }),
    ...(message === undefined ? {} : { message }),
  })
  return parsed.ok ? parsed.rule : null
}

function widerText({ tools, spec, text }: Rule): string | null {
  const tool = tools.join('|')
  if (spec === null) return tool === '*' ? null : '*'
  if (spec.kind === 'command') return argumentText(tool, widerCommand(spec.pattern))
  if (spec.kind !== 'path') return tool
  const written = /\((.*)\)$/s.exec(text)?.[1] ?? ''
  return argumentText(tool, widerPath(written))
}

function argumentText(tool: string, argument: string | null): string {
  return argument === null ? tool : `${tool}(${argument})`
}

/** `git push --force *` -> `git push *`; null: any command. */
function widerCommand(pattern: string): string | null {
  const words = pattern.split(' ').filter(word => word !== '*' && word !== '**')
  return words.length < 2 ? null : `${words.slice(0, -1).join(' ')} *`
}

/** `~/.ssh/**` -> `~/**`, `src/*` -> every path. */
function widerPath(written: string): string | null {
  const segments = written.replace(/^\/+/, '').split('/')
  const literal = segments.findLastIndex(segment => !/^\*+$/.test(segment) && segment !== '~')
  const head = segments.slice(0, literal)
  if (literal < 1) return null
  return `${/^\/*/.exec(written)?.[0] ?? ''}${head.join('/')}/**`
}

const OTHER_DEFAULT: Readonly<Record<DefaultDecision, DefaultDecision>> = { deny: 'allow', ask: 'allow', none: 'deny', allow: 'deny' }

function mutateDefault(policy: GenesisPolicy): readonly Mutant[] {
  const { permissions } = policy
  if (permissions === null) return []
  const into = OTHER_DEFAULT[permissions.default]
  const changed = { ...policy, permissions: { ...permissions, default: into } }
  return [{ policy: changed, kind: 'default', rule: null, what: `default: ${permissions.default}`, into: `default: ${into}`, line: null }]
}

function mutateHooks(policy: GenesisPolicy): readonly Mutant[] {
  return policy.hooks.flatMap(hook => {
    if (hook.handler.type !== 'builtin' || hook.handler.builtin !== 'deny') return []
    const what = `hook ${hook.name ?? 'deny'}`
    return [
      {
        policy: { ...policy, hooks: policy.hooks.filter(each => each !== hook) },
        kind: 'hook removed' as const,
        rule: null,
        what,
        into: null,
        line: hook.place?.line ?? null,
      },
    ]
  })
}
