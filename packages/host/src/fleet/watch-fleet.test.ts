import { describe, expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'
import type { FleetAgent } from './fleet-agent.ts'
import { type WatchOptions, watchFleet } from './watch-fleet.ts'

const AGENT: FleetAgent = {
  agent: 'a',
  label: null,
  role: null,
  kind: null,
  status: 'working',
  reason: null,
  project: null,
  task: null,
  effortId: null,
  skill: null,
  phase: null,
  heartbeat: null,
  heartbeatInterval: null,
  context: null,
  lastTool: null,
  lastCall: null,
  runsSince: null,
  asked: null,
  said: null,
  approvals: 0,
  lastEventAt: '2026-01-01T00:00:00.000Z',
  stale: false,
}

/** A terminal that keeps what was written, and a daemon of two variables. */
function open(options: Partial<WatchOptions> = {}) {
  const world = { text: '', agents: [AGENT] as readonly FleetAgent[] | null, checked: [] as string[], rows: 10 }
  let press: (keys: string) => void = () => undefined
  let change: () => void = () => undefined
  const done = watchFleet({
    screen: {
      columns: 120,
      get rows() {
        return world.rows
      },
      write(text) {
        world.text += text
      },
    },
    onKeys(listener) {
      press = listener
      return () => undefined
    },
    list: async () => world.agents,
    check: async agent => void world.checked.push(agent),
    follow: (onChange, signal) =>
      new Promise(resolve => {
        change = onChange
        signal.addEventListener('abort', () => resolve())
      }),
    hasBell: true,
    paint: (tone, text) => (tone === 'inverse' ? `>${text}` : text),
    now: () => Date.parse('2026-01-01T00:00:05.000Z'),
    ...options,
  })
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    world,
    done,
    /** What the screen shows after this. */
    async after(what: () => void): Promise<readonly string[]> {
      world.text = ''
      what()
      await settle()
      return world.text
        .replaceAll('\x1b[K', '')
        .replace(/\x1b\[\??\d*[A-Za-z]/g, '')
        .split('\r\n')
    },
    press: (keys: string) => press(keys),
    change: () => change(),
    settle,
  }
}

describe('the live view', () => {
  test('opens, draws on every change, closes on q and leaves the terminal as it was', async () => {
    const { world, done, after, press, change, settle } = open()
    await settle()
    expect(world.text.startsWith('\x1b[?1049h\x1b[?25l')).toBe(true)
    world.agents = [{ ...AGENT, agent: 'b' }]
    expect((await after(change))[1]).toMatch(/^b +working +5s +-$/)
    await after(() => press('q'))
    await done
    expect(world.text.endsWith('\x1b[?25h\x1b[?1049l')).toBe(true)
  })
  test('Ctrl-C ends it too', async () => {
    const { done, press } = open()
    press('\x03')
    await done
  })
  test('arrows choose, Enter marks the chosen agent; nothing chosen, nothing marked', async () => {
    const { world, done, after, press, change } = open()
    world.agents = ['a', 'b', 'c'].map(agent => ({ ...AGENT, agent }))
    await after(change)
    await after(() => press('\r'))
    expect(world.checked).toEqual([])
    expect((await after(() => press('\x1b[B\x1b[B')))[2]).toMatch(/^>?b/)
    await after(() => press('\r'))
    await after(() => press('k\r'))
    expect(world.checked).toEqual(['b', 'a'])
    press('q')
    await done
  })
  test('staying on an agent that is done is a look; one that works is left alone', async () => {
    const { world, done, after, press, change } = open({ tickMs: 5 })
    world.agents = [
      { ...AGENT, agent: 'busy' },
      { ...AGENT, agent: 'ready', status: 'done' },
    ]
    await after(change)
    press('j')
    await expect.poll(() => world.text.split('>busy').length).toBeGreaterThan(5)
    expect(world.checked).toEqual([])
    press('j')
    await expect.poll(() => world.checked).toContain('ready')
    expect(new Set(world.checked)).toEqual(new Set(['ready']))
    press('q')
    await done
  })
  test('rings once when somebody begins to want a person', async () => {
    const { world, done, after, press, change, settle } = open()
    await settle()
    world.agents = [{ ...AGENT, status: 'attention' }]
    expect((await after(change)).join()).toContain('\x07')
    expect((await after(change)).join()).not.toContain('\x07')
    press('q')
    await done
  })
  test('without a daemon it waits, and shows the fleet when it is back', async () => {
    const { world, done, after, press, change, settle } = open()
    await settle()
    world.agents = null
    expect((await after(change))[0]).toBe('the daemon is not running; belay up starts it')
    world.agents = [AGENT]
    expect((await after(change))[1]).toMatch(/^a +working/)
    press('q')
    await done
  })
  test('more agents than lines: the chosen one is in sight', async () => {
    const { world, done, after, press, change } = open()
    world.rows = 6
    world.agents = Array.from({ length: 20 }, (_, index) => ({ ...AGENT, agent: `agent-${index}` }))
    expect((await after(change)).filter(line => line.includes('agent-'))).toHaveLength(3)
    const shown = await after(() => press('j'.repeat(12)))
    expect(shown.slice(-5).filter(line => line.startsWith('>agent-11'))).toHaveLength(1)
    press('q')
    await done
  })
})

test('work that is asked for while it runs is done once more, not once per question', async () => {
  let runs = 0
  const { ask, idle } = coalesce(async () => {
    runs++
    await new Promise(resolve => setImmediate(resolve))
  })
  ask()
  await idle()
  expect(runs).toBe(1)
  for (let index = 0; index < 100; index++) ask()
  await idle()
  expect(runs).toBe(3)
})
