// `continue: false` (and `stop` in code) has one meaning in every dialect, scope and way to fire: the turn ends, and what has not happened yet does not.
import { describe, expect, test } from 'vitest'
import { EVENTS } from '../event/table.ts'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { CommandDialect, Handler, HookDefinition, Scope } from '../hook/hook-definition.ts'
import { deny, none } from '../verdict/verdict.ts'
import { createHooks } from './create-hooks.ts'
import { makeEvent } from './fixtures/make-event.ts'
import { createToolPipeline } from './pipeline/create-tool-pipeline.ts'

const SCOPES: readonly Scope[] = ['policy', 'plugin', 'session', 'skill']
const DIALECTS: readonly CommandDialect[] = ['settings', 'toml', 'genesis']
const SPELLINGS = [
  '{"continue":false,"stopReason":"enough"}',
  '{"continue":false,"stop_reason":"enough"}',
  '{"continue":false,"reason":"enough"}',
]

const ends: InlineHandler = () => ({ stop: { reason: 'enough' } })
const endsLater: InlineHandler = async () => ({ stop: { reason: 'enough' } })

const HANDLERS: readonly (readonly [string, Handler])[] = [
  ['a function', { type: 'inline', run: ends }],
  ['a function that takes its time', { type: 'inline', run: endsLater }],
  ...SPELLINGS.map(said => [`a function: ${said}`, { type: 'inline', run: () => JSON.parse(said) }] as const),
  ...DIALECTS.flatMap(dialect =>
    SPELLINGS.map(
      said =>
        [
          `${dialect}: ${said}`,
          { type: 'command', dialect, command: `cat >/dev/null; echo '${said}'`, parseResult: true, passContext: true },
        ] as const,
    ),
  ),
]

function hooksWith(hook: HookDefinition) {
  const hooks = createHooks({}, { cwd: '/' })
  hooks.registry.add(hook)
  return hooks
}

describe('before a tool the call does not run, and the record says who ended the turn and why', () => {
  test.each(HANDLERS)('%s', async (_title, handler) => {
    for (const scope of SCOPES) {
      const ran: unknown[] = []
      const recorded: unknown[] = []
      const pipeline = createToolPipeline({
        hooks: hooksWith({ event: 'PreToolUse', scope, name: 'gate', handler }),
        cwd: '/',
        tools: [{ name: 'Bash', execute: input => void ran.push(input) }],
        record: ({ verdict, fired }) =>
          void recorded.push([fired.event.name, verdict, fired.stop, fired.report.runs.map(run => [run.hook, run.outcome])]),
      })
      const result = await pipeline.runTool('Bash', { command: 'ls' })
      expect([result.status, result.reason, result.stop, ran]).toEqual(['denied', 'enough', { reason: 'enough', hook: 'gate' }, []])
      expect(recorded[0]).toEqual(['PreToolUse', deny('enough'), { reason: 'enough', hook: 'gate' }, [['gate', 'blocking']]])
    }
  })
})

/** Where ending the turn is the opposite of a deny (the agent goes on), or comes after the fact. */
const NOT_A_DENY = [
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PostModel',
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
]

describe('of every event that a hook may end the turn at', () => {
  test.each(EVENTS.filter(({ stops }) => stops))('$name', async ({ name }) => {
    const { engine } = hooksWith({ event: name, scope: 'session', name: 'gate', handler: { type: 'inline', run: ends } })
    const result = await engine.fire(makeEvent(name, { toolName: 'Bash', toolInput: {}, prompt: 'go' }))
    const isDeny = !NOT_A_DENY.includes(name)
    expect([result.verdict, result.stop]).toEqual([isDeny ? deny('enough') : none(), { reason: 'enough', hook: 'gate' }])
  })
})

test('a deny beside it keeps its own reason', async () => {
  const run: InlineHandler = () => ({ verdict: deny('no'), stop: { reason: 'enough' } })
  const { engine } = hooksWith({ event: 'PreToolUse', scope: 'session', name: 'gate', handler: { type: 'inline', run } })
  const { verdict, stop } = await engine.fire(makeEvent('PreToolUse', { toolName: 'Bash', toolInput: {} }))
  expect([verdict, stop?.reason]).toEqual([deny('no'), 'enough'])
})
