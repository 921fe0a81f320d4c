// failure_hints: a failed call gets a hint how to recover; the same failure again and again gets the advice to change course.

import type { HookContext, InlineAnswer } from '../hook/hook-context.ts'
import { compileRegex } from '../match/regex.ts'
import { BoundedMap } from '../value/bounded-map.ts'
import type { ConfigReader } from './config-reader.ts'
import { FAILURE_SHAPES } from './failure-shape.ts'
import type { Guardrail } from './guardrail.ts'
import { isMarkedError, resultText } from './result-text.ts'
import { createMemoryPort } from './session-memory.ts'
import { nameMatcher } from './tool-schema.ts'

export interface FailureHintsConfig {
  readonly hints: readonly OwnHint[]
  /** Say "change course" from this many same failures on. */
  readonly repeats: number
}

interface OwnHint {
  readonly hint: string
  fits(tool: string, text: string): boolean
}

export const failureHints: Guardrail<FailureHintsConfig> = {
  name: 'failure_hints',
  description: 'adds a hint how to recover to a call that failed in a known way',
  events: ['PostToolUseFailure', 'PostToolUse'],
  isHarmless: true,
  readConfig: reader => ({ hints: reader.items('hints', readHint), repeats: reader.count('repeats', 3) }),
  createHooks(config, ports) {
    const failures = (ports.memory ?? createMemoryPort()).open('failure_hints', () => new BoundedMap<string, number>(MAX_KINDS))
    const hint = (context: HookContext, error: unknown) => hintFor(config, context, resultText(error), failures.of(context.sessionId))
    return [
      { event: 'PostToolUseFailure', run: context => hint(context, context.source.fields.error) },
      {
        event: 'PostToolUse',
        run: context => (isMarkedError(context.source.fields.toolResponse) ? hint(context, context.source.fields.toolResponse) : undefined),
      },
    ]
  },
}

function readHint(reader: ConfigReader): OwnHint {
  const tool = nameMatcher(reader.text('tool') ?? '*')
  const pattern = reader.text('pattern') ?? ''
  const hint = reader.text('hint') ?? ''
  if (pattern === '' || hint === '') reader.complain(null, 'needs `pattern` and `hint`')
  const compiled = compileRegex(pattern, 'javascript')
  if (!compiled.ok) reader.complain('pattern', `is not a regular expression: ${compiled.problem.message}`)
  return { hint, fits: (name, text) => compiled.ok && tool(name) && compiled.test(text) }
}

const MAX_KINDS = 200

function hintFor(config: FailureHintsConfig, { toolName }: HookContext, text: string, seen: Map<string, number>): InlineAnswer {
  if (text === '') return undefined
  const tool = toolName ?? ''
  const own = config.hints.find(each => each.fits(tool, text))
  const shape = own === undefined ? FAILURE_SHAPES.find(each => each.pattern.test(text)) : undefined
  const kind = `${tool}\n${shape?.name ?? text.slice(0, 200)}`
  const times = (seen.get(kind) ?? 0) + 1
  seen.set(kind, times)
  const said = [
    own?.hint ?? shape?.hint,
    times >= config.repeats ? `${tool} failed in this way ${times} times now. Try something else.` : undefined,
  ]
  const context = said.filter(each => each !== undefined).join(' ')
  return context === '' ? undefined : { context }
}
