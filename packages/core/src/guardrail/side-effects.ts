// side_effects: says of every call what it does to the world, keeps that as evidence where it does anything, and may ask or deny by class.
import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import { ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import { SIDE_EFFECT_CLASSES, type SideEffectClass } from './classify-call.ts'
import type { ConfigReader } from './config-reader.ts'
import { createEffectJudge, type EffectRule, type JudgedEffect, readEffectRules } from './effect-rule.ts'
import type { Guardrail } from './guardrail.ts'

export interface SideEffectsConfig {
  readonly rules: readonly EffectRule[]
  readonly ask: readonly SideEffectClass[]
  readonly deny: readonly SideEffectClass[]
}

export const sideEffects: Guardrail<SideEffectsConfig> = {
  name: 'side_effects',
  description: 'tells calls apart as external, memory, local or read_only, keeps that as evidence, and asks or denies by class',
  events: ['PreToolUse'],
  isHarmless: true,
  readConfig: reader => ({ rules: readEffectRules(reader), ask: readClasses(reader, 'ask'), deny: readClasses(reader, 'deny') }),
  createHooks(config, ports) {
    const judge = createEffectJudge(config.rules, ports)
    return [{ event: 'PreToolUse', run: context => answer(config, context, judge(context)) }]
  },
}

function readClasses(reader: ConfigReader, key: string): readonly SideEffectClass[] {
  const texts = reader.texts(key)
  const known = texts.filter((text): text is SideEffectClass => SIDE_EFFECT_CLASSES.includes(text as SideEffectClass))
  if (known.length < texts.length) reader.complain(key, `may hold ${SIDE_EFFECT_CLASSES.join(', ')}`)
  return known
}

function answer(config: SideEffectsConfig, { toolName }: HookContext, effect: JudgedEffect): InlineAnswer {
  const verdict = verdictOf(config, effect)
  if (effect.sideEffect === 'read_only') return verdict
  const { sideEffect, writes, because } = effect
  return { verdict, evidence: { kind: 'side_effect', data: { tool: toolName, class: sideEffect, writes, because } } }
}

function verdictOf(config: SideEffectsConfig, { sideEffect, because }: JudgedEffect): Verdict {
  if (config.deny.includes(sideEffect)) return deny(`calls with ${sideEffect} effects are off: ${because}`)
  if (config.ask.includes(sideEffect)) return ask(`a call with ${sideEffect} effects: ${because}`)
  return none()
}
