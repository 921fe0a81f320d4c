import { describe, expect, test } from 'vitest'
import type { HookDefinition } from '../hook/hook-definition.ts'
import { createRegistry } from '../registry/registry.ts'
import { deny, none } from '../verdict/verdict.ts'
import { createEngine, type Engine } from './engine.ts'
import { bash, inline } from './fixtures/make-event.ts'
import type { Progress } from './stream.ts'

function engineWith(...hooks: readonly HookDefinition[]): Engine {
  const registry = createRegistry()
  registry.addAll(hooks)
  return createEngine({ registry })
}

function summarize(progress: Progress): string {
  if (progress.kind === 'result') return `result ${progress.result.verdict.decision}`
  return progress.kind === 'output' ? `output ${progress.hook} ${progress.text}` : `${progress.kind} ${progress.hook}`
}

describe('interactive', () => {
  test('progress arrives in order and ends with the result', async () => {
    const engine = engineWith(
      inline(context => context.progress('looking'), { name: 'a' }),
      inline(async () => deny('no'), { name: 'b' }),
    )
    const seen: string[] = []
    for await (const progress of engine.fire.stream(bash('ls'))) seen.push(summarize(progress))
    expect(seen).toEqual(['started a', 'output a looking', 'completed a', 'started b', 'completed b', 'result deny'])
  })

  test('what a hook wants shown meanwhile comes with its start', async () => {
    const engine = engineWith(
      inline(() => undefined, { name: 'a', statusMessage: 'looking it up' }),
      inline(() => undefined, { name: 'b' }),
    )
    const seen: unknown[] = []
    for await (const progress of engine.fire.stream(bash('ls'))) if (progress.kind === 'started') seen.push(progress.status)
    expect(seen).toEqual(['looking it up', null])
  })

  test('a hook can be seen running before it ends, and be cancelled', async () => {
    const controller = new AbortController()
    const engine = engineWith(inline(() => new Promise(() => undefined), { name: 'a' }))
    const seen: string[] = []
    for await (const progress of engine.fire.stream(bash('ls'), { signal: controller.signal })) {
      seen.push(summarize(progress))
      if (progress.kind === 'started') controller.abort()
    }
    expect(seen).toEqual(['started a', 'cancelled a', 'result none'])
  })

  test('leaving the loop cancels', async () => {
    const told = new Promise<void>(resolve => {
      const engine = engineWith(
        inline(context => {
          context.signal.addEventListener('abort', () => resolve())
          return new Promise(() => undefined)
        }),
      )
      void leaveEarly(engine)
    })
    await told
  })
})

async function leaveEarly(engine: Engine): Promise<void> {
  for await (const progress of engine.fire.stream(bash('ls'))) if (progress.kind === 'started') break
}

describe('batch', () => {
  test('one entry per hook; prompt and agent hooks fail with a clear error', async () => {
    const engine = engineWith(
      inline(() => undefined, { name: 'inline' }),
      { event: 'PreToolUse', scope: 'session', handler: { type: 'command', command: 'exit 0', dialect: 'settings' } },
      { event: 'PreToolUse', scope: 'session', handler: { type: 'prompt', prompt: 'Fine?' } },
      { event: 'PreToolUse', scope: 'session', handler: { type: 'agent', prompt: 'Look' } },
    )
    const runs = await engine.fireBatch({ ...bash('ls'), cwd: '/' })
    expect(runs.map(({ handler, outcome, code }) => [handler, outcome, code])).toEqual([
      ['inline', 'success', undefined],
      ['command', 'success', undefined],
      ['prompt', 'non_blocking_error', 'BELAY_HANDLER_BATCH'],
      ['agent', 'non_blocking_error', 'BELAY_HANDLER_BATCH'],
    ])
    expect(runs.map(({ verdict }) => verdict)).toEqual([none(), none(), none(), none()])
  })
})
