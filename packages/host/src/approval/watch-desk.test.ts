// Approvals decided with one key, against a queue of two variables.
import { expect, test } from 'vitest'
import type { HeldRequest } from './request.ts'
import { type Desk, watchDesk } from './watch-desk.ts'

function request(id: string, root = '/here', command = `git push ${id}`): HeldRequest {
  return {
    ...{ id, root, state: 'pending', kind: 'call', agent: 'claude-code', actor: 'agent:a', agentId: 'a', session: null, commitment: null },
    ...{ tool: 'Bash', input: { command }, inputHash: '', reason: 'asks', rule: null, origin: 'rule', approvers: [], createdAt: '' },
    ...{ expiresAt: '', decidedAt: null, decidedBy: null, note: null, usedAt: null, heldUntil: null },
  }
}

function open(...first: readonly HeldRequest[]) {
  const world = { waiting: first, text: '', prompt: '', bells: 0, decided: [] as unknown[], clock: 10_000, refuses: false }
  let press: (keys: string) => void = () => undefined
  let wake: () => void = () => undefined
  const desk: Desk = {
    root: '/here',
    async next(seen) {
      const ids = () => world.waiting.map(({ id }) => id).join(' ')
      while (seen === ids())
        await new Promise<void>(resolve => {
          wake = resolve
        })
      return { seen: ids(), requests: world.waiting }
    },
    outcome: async id => `${id} allowed by human:else`,
    async decide(decision, { id }, always) {
      if (world.refuses) return { ok: false, text: 'belay: not you' }
      world.decided.push(always === undefined ? [decision, id] : [decision, id, always])
      world.waiting = world.waiting.filter(each => each.id !== id)
      return { ok: true, text: `${id} ${decision}` }
    },
    preview: async (_request, pattern) => `${pattern} would have let 3 through`,
    onKeys(listener) {
      press = listener
      return () => undefined
    },
    render: ({ id, input }) => `<${id} ${String(input.command)}>`,
    print(text) {
      world.text += `${text}\n`
    },
    prompt(text) {
      world.prompt = text
    },
    bell: () => void world.bells++,
    now: () => world.clock,
    wait: async () => undefined,
  }
  const done = watchDesk(desk)
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  return {
    world,
    done,
    settle,
    async press(keys: string, afterMs = 1000) {
      world.clock += afterMs
      press(keys)
      await settle()
    },
    async change(waiting: readonly HeldRequest[]) {
      world.waiting = waiting
      wake()
      await settle()
    },
  }
}

test('this project first, a allows, d denies, q quits', async () => {
  const desk = open(request('r1', '/elsewhere'), request('r2'))
  await desk.settle()
  expect([desk.world.text, desk.world.bells]).toEqual(['\n<r2 git push r2>\n', 1])
  await desk.press('a')
  await desk.press('d')
  expect(desk.world.decided).toEqual([
    ['allow', 'r2'],
    ['deny', 'r1'],
  ])
  expect(desk.world.text).toContain('r2 allow\n\n<r1 git push r1>\nr1 deny\n')
  expect(desk.world.prompt).toBe('nothing waits; q quits')
  await desk.press('q')
  expect(await desk.done).toBe(null)
})

test('a key pressed before the request could be read does not count for it', async () => {
  const desk = open(request('r1'))
  await desk.settle()
  await desk.press('a', 100)
  expect(desk.world.decided).toEqual([])
  await desk.press('a')
  expect(desk.world.decided).toEqual([['allow', 'r1']])
})

test('A shows what the rule lets through, and only y writes it', async () => {
  const desk = open(request('r1'))
  await desk.settle()
  await desk.press('A')
  expect(desk.world.prompt).toContain('Bash(git push r1)')
  await desk.press('\x7f\x7f\x7f*)\r')
  expect(desk.world.text).toContain('Bash(git push *) would have let 3 through')
  await desk.press('n')
  expect(desk.world.decided).toEqual([])
  await desk.press('\r')
  await desk.press('y')
  expect(desk.world.decided).toEqual([['allow', 'r1', 'Bash(git push *)']])
})

test('what was decided elsewhere is said, and what is looked at stays', async () => {
  const desk = open(request('r1'), request('r2'))
  await desk.settle()
  await desk.change([request('r1'), request('r3')])
  expect(desk.world.text).toBe('\n<r1 git push r1>\nr2 allowed by human:else\n')
  expect(desk.world.bells).toBe(2)
  await desk.change([request('r3')])
  expect(desk.world.text).toContain('r1 allowed by human:else\n\n<r3 git push r3>')
})

test('a refused decision leaves the request where it is', async () => {
  const desk = open(request('r1'))
  await desk.settle()
  desk.world.refuses = true
  await desk.press('a')
  expect([desk.world.text.includes('belay: not you'), desk.world.prompt.startsWith('a allow once')]).toEqual([true, true])
})
