// Approvals decided with one key, against a queue of two variables.
import { expect, test } from 'vitest'
import type { HeldRequest } from './request.ts'
import { type ApprovalTerminal, watchApprovals } from './watch-approvals.ts'

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
  const terminal: ApprovalTerminal = {
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
  const done = watchApprovals(terminal)
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
  const terminal = open(request('r1', '/elsewhere'), request('r2'))
  await terminal.settle()
  expect([terminal.world.text, terminal.world.bells]).toEqual(['\n<r2 git push r2>\n', 1])
  await terminal.press('a')
  await terminal.press('d')
  expect(terminal.world.decided).toEqual([
    ['allow', 'r2'],
    ['deny', 'r1'],
  ])
  expect(terminal.world.text).toContain('r2 allow\n\n<r1 git push r1>\nr1 deny\n')
  expect(terminal.world.prompt).toBe('nothing waits; q quits')
  await terminal.press('q')
  expect(await terminal.done).toBe(null)
})

test('a key pressed before the request could be read does not count for it', async () => {
  const terminal = open(request('r1'))
  await terminal.settle()
  await terminal.press('a', 100)
  expect(terminal.world.decided).toEqual([])
  await terminal.press('a')
  expect(terminal.world.decided).toEqual([['allow', 'r1']])
})

test('A shows what the rule lets through, and only y writes it', async () => {
  const terminal = open(request('r1'))
  await terminal.settle()
  await terminal.press('A')
  expect(terminal.world.prompt).toContain('Bash(git push r1)')
  await terminal.press('\x7f\x7f\x7f*)\r')
  expect(terminal.world.text).toContain('Bash(git push *) would have let 3 through')
  await terminal.press('n')
  expect(terminal.world.decided).toEqual([])
  await terminal.press('\r')
  await terminal.press('y')
  expect(terminal.world.decided).toEqual([['allow', 'r1', 'Bash(git push *)']])
})

test('what was decided elsewhere is said, and what is looked at stays', async () => {
  const terminal = open(request('r1'), request('r2'))
  await terminal.settle()
  await terminal.change([request('r1'), request('r3')])
  expect(terminal.world.text).toBe('\n<r1 git push r1>\nr2 allowed by human:else\n')
  expect(terminal.world.bells).toBe(2)
  await terminal.change([request('r3')])
  expect(terminal.world.text).toContain('r1 allowed by human:else\n\n<r3 git push r3>')
})

test('a refused decision leaves the request where it is', async () => {
  const terminal = open(request('r1'))
  await terminal.settle()
  terminal.world.refuses = true
  await terminal.press('a')
  expect([terminal.world.text.includes('belay: not you'), terminal.world.prompt.startsWith('a allow once')]).toEqual([true, true])
})
