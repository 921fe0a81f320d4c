// Rules that say what a call does where the tables do not know better: `{tool: "mcp__mail__*", class: external, policy: REPLAY_EXACT}`.
import type { HookContext } from '../hook/hook-context.ts'
import { type ClassifiedCall, classifyCall, SIDE_EFFECT_CLASSES, type SideEffectClass } from './classify-call.ts'
import type { ConfigReader } from './config-reader.ts'
import type { GuardrailPorts, ReplayPolicy } from './guardrail-ports.ts'
import { nameMatcher } from './tool-schema.ts'

export const REPLAY_POLICIES = ['REPLAY_EXACT', 'REPLAY_IDEMPOTENT', 'RELAUNCH'] as const satisfies readonly ReplayPolicy[]

export interface EffectRule {
  readonly id: string | null
  /** The name of a tool, with `*`, or a permission pattern such as `Bash(git push *)`. */
  readonly tool: string
  readonly sideEffect: SideEffectClass | null
  readonly replay: ReplayPolicy | null
}

export function readEffectRules(reader: ConfigReader): readonly EffectRule[] {
  return reader.items('rules', rule => {
    const tool = rule.text('tool')
    if (tool === null) rule.complain('tool', 'is missing: name the tool or a pattern such as "Bash(git push *)"')
    const sideEffect = rule.choice('class', [...SIDE_EFFECT_CLASSES, ''], '')
    const replay = rule.choice('policy', [...REPLAY_POLICIES, ''], '')
    return {
      id: rule.text('id'),
      tool: tool ?? '',
      sideEffect: sideEffect === '' ? null : sideEffect,
      replay: replay === '' ? null : replay,
    }
  })
}

export interface JudgedEffect extends ClassifiedCall {
  readonly rule: EffectRule | null
}

export function createEffectJudge(rules: readonly EffectRule[], ports: GuardrailPorts): (context: HookContext) => JudgedEffect {
  const compiled = rules.map(rule => ({ rule, matches: compileTool(rule.tool, ports) }))
  return context => {
    const { toolName, source } = context
    const input = (source.fields.toolInput ?? {}) as Readonly<Record<string, unknown>>
    const known = classifyCall(toolName ?? '', input, { cwd: source.cwd, root: ports.rootOf(source) })
    const rule = compiled.find(({ matches }) => matches(context))?.rule ?? null
    if (rule?.sideEffect === null || rule === null) return { ...known, rule }
    return { ...known, rule, sideEffect: rule.sideEffect, because: `the rule for ${rule.tool} says so` }
  }
}

function compileTool(pattern: string, { matchesCall }: GuardrailPorts): (context: HookContext) => boolean {
  if (!pattern.includes('(')) {
    const matches = nameMatcher(pattern)
    return ({ toolName }) => toolName !== null && matches(toolName)
  }
  return ({ source }) => matchesCall?.(pattern, source) ?? false
}
