// Who is behind a process: by made-up process tables for doors that are not on this machine, and by real processes for those that are.
import { describe, expect, test } from 'vitest'
import { init, ME, type Row, viewOf } from './fixtures/process-table.ts'
import { findScript, findStanding } from './standing.ts'

const ssh = (from: string): Readonly<Record<number, Row>> => ({
  [ME]: { name: 'belay', parent: 50, terminal: true },
  50: { name: 'bash', parent: 40, terminal: true, env: { SSH_CONNECTION: `${from} 5000 192.168.1.7 22` } },
  40: { name: 'sshd', parent: 30, uid: 0, program: null },
  30: { name: 'sshd', parent: 1, uid: 0, program: null },
  1: init,
})
const tmux = (client: Readonly<Record<number, Row>>): Readonly<Record<number, Row>> => ({
  [ME]: { name: 'belay', parent: 50, terminal: true },
  50: { name: 'bash', parent: 40, terminal: true },
  40: { name: 'tmux: server', parent: 1, program: '/usr/bin/tmux' },
  1: init,
  ...client,
})

const cases: readonly [what: string, rows: Readonly<Record<number, Row>>, kind: string][] = [
  [
    'a terminal',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'bash', parent: 40 },
      40: { name: 'kitty', parent: 20 },
      20: { name: 'systemd', parent: 1 },
      1: init,
    },
    'person',
  ],
  [
    'a console login',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'bash', parent: 40 },
      40: { name: 'login', parent: 1, uid: 0, program: null },
      1: init,
    },
    'person',
  ],
  [
    'an editor',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'zsh', parent: 40 },
      40: { name: 'code', parent: 20, program: '/usr/share/code/code' },
      20: { name: 'systemd', parent: 1 },
      1: init,
    },
    'person',
  ],
  ['ssh from elsewhere', ssh('10.0.0.3'), 'person'],
  ['docker exec', { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'bash', parent: 0 } }, 'person'],
  [
    'the first process of a container',
    { [ME]: { name: 'belay', parent: 1, session: 1 }, 1: { name: 'sh', parent: 0, session: 1 } },
    'person',
  ],
  [
    'tmux with somebody attached',
    tmux({
      60: { name: 'tmux: client', parent: 61, terminal: true, program: '/usr/bin/tmux' },
      61: { name: 'bash', parent: 62, terminal: true },
      62: { name: 'kitty', parent: 1 },
    }),
    'person',
  ],
  [
    'tmux while an agent is at work, which could type',
    tmux({
      60: { name: 'tmux: client', parent: 61, terminal: true, program: '/usr/bin/tmux' },
      61: { name: 'bash', parent: 62, terminal: true },
      62: { name: 'kitty', parent: 1 },
      70: { name: 'claude', parent: 50 },
    }),
    'nobody',
  ],
  [
    'tmux while something that an agent left is at work',
    tmux({
      60: { name: 'tmux: client', parent: 61, terminal: true, program: '/usr/bin/tmux' },
      61: { name: 'bash', parent: 62, terminal: true },
      62: { name: 'kitty', parent: 1 },
      70: { name: 'sh', parent: 1, marked: true },
    }),
    'nobody',
  ],
  [
    "tmux while another user's agent is at work",
    tmux({
      60: { name: 'tmux: client', parent: 61, terminal: true, program: '/usr/bin/tmux' },
      61: { name: 'bash', parent: 62, terminal: true },
      62: { name: 'kitty', parent: 1 },
      70: { name: 'claude', parent: 1, uid: 1001 },
    }),
    'person',
  ],
  [
    'login on a terminal that script made',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'login', parent: 40, uid: 0, program: null, pseudo: true },
      40: { name: 'script', parent: 1 },
      1: init,
    },
    'nobody',
  ],
  [
    'login on such a terminal, without a parent',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'login', parent: 1, uid: 0, program: null, pseudo: true }, 1: init },
    'nobody',
  ],
  [
    'login in a terminal',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'login', parent: 40, uid: 0, program: null, pseudo: true },
      40: { name: 'Terminal', parent: 1 },
      1: init,
    },
    'person',
  ],
  ['ssh localhost', ssh('127.0.0.1'), 'nobody'],
  ['ssh ::1', ssh('::1'), 'nobody'],
  ['ssh to an address of this machine', ssh('192.168.1.7'), 'nobody'],
  ['tmux with nobody attached', tmux({}), 'nobody'],
  ['tmux attached inside itself', tmux({ 60: { name: 'tmux: client', parent: 50, terminal: true, program: '/usr/bin/tmux' } }), 'nobody'],
  [
    'tmux attached by script without a parent',
    tmux({ 60: { name: 'tmux: client', parent: 61, terminal: true, program: '/usr/bin/tmux' }, 61: { name: 'script', parent: 1 } }),
    'nobody',
  ],
  ['an orphan', { [ME]: { name: 'belay', parent: 1 }, 1: init }, 'nobody'],
  ['an orphan below systemd --user', { [ME]: { name: 'belay', parent: 20 }, 20: { name: 'systemd', parent: 1 }, 1: init }, 'nobody'],
  [
    'an orphan on a terminal that script made',
    { [ME]: { name: 'belay', parent: 50, terminal: true }, 50: { name: 'script', parent: 1 }, 1: init },
    'nobody',
  ],
  [
    'at',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'sh', parent: 40 }, 40: { name: 'atd', parent: 1, uid: 0, program: null }, 1: init },
    'nobody',
  ],
  [
    'cron',
    {
      [ME]: { name: 'belay', parent: 50 },
      50: { name: 'sh', parent: 40 },
      40: { name: 'cron', parent: 1, uid: 0, program: null },
      1: init,
    },
    'nobody',
  ],
  [
    'a copy of script that is called kitty',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'kitty', parent: 1, program: '/tmp/kitty' }, 1: init },
    'nobody',
  ],
  [
    'a process that calls itself sshd',
    {
      [ME]: { name: 'belay', parent: 50, env: { SSH_CONNECTION: '10.0.0.3 1 2 22' } },
      50: { name: 'sshd', parent: 1, program: '/usr/bin/perl' },
      1: init,
    },
    'nobody',
  ],
  [
    "a user's own sshd",
    {
      [ME]: { name: 'belay', parent: 50, env: { SSH_CONNECTION: '10.0.0.3 1 2 22' } },
      50: { name: 'sshd', parent: 1, program: '/usr/sbin/sshd' },
      1: init,
    },
    'nobody',
  ],
  [
    'an agent in a terminal',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'claude', parent: 40 }, 40: { name: 'kitty', parent: 1 }, 1: init },
    'agent',
  ],
  ['an orphan that an agent left', { [ME]: { name: 'belay', parent: 1, env: { CLAUDECODE: '1' } }, 1: init }, 'agent'],
  [
    'a terminal that an agent opened',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'kitty', parent: 1, env: { GEMINI_CLI: '1' } }, 1: init },
    'agent',
  ],
  ['a process that is gone', {}, 'nobody'],
  [
    "an orphan of an agent in the session of the container's first process",
    { [ME]: { name: 'belay', parent: 1, session: 1, marked: true }, 1: { name: 'sh', parent: 0, session: 1 } },
    'agent',
  ],
  [
    'one that an agent started in namespaces of its own',
    { [ME]: { name: 'belay', parent: 1, session: 1 }, 1: { name: 'sh', parent: 0, session: 1, marked: true } },
    'agent',
  ],
  [
    'a terminal that took over what an agent left',
    { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'sh', parent: 40, marked: true }, 40: { name: 'kitty', parent: 1 }, 1: init },
    'agent',
  ],
]

test.each(cases)('%s', (_what, rows, kind) => {
  expect(findStanding(ME, viewOf(rows)).kind).toBe(kind)
})

describe('a container where marks prove nothing', () => {
  const sh: Row = { name: 'sh', parent: 0, session: 1 }
  const command = (started: number): Readonly<Record<number, Row>> => ({ [ME]: { name: 'belay', parent: 1, session: 1, started }, 1: sh })

  test.each<[what: string, rows: Readonly<Record<number, Row>>, called: number | null, kind: string]>([
    ['no agent has called', command(600), null, 'script'],
    ['it was there before the first call', command(100), 500, 'script'],
    ['it came after the first call', command(600), 500, 'nobody'],
    ['its shell was there before', { [ME]: { name: 'belay', parent: 50 }, 50: { ...sh, parent: 1, started: 100 }, 1: sh }, 500, 'script'],
    ['it is the first process itself', { [ME]: { name: 'belay', parent: 0 } }, 500, 'person'],
    ['it came in from outside', { [ME]: { name: 'belay', parent: 50 }, 50: { name: 'bash', parent: 0 } }, 500, 'person'],
  ])('%s', async (_what, rows, called, kind) => {
    const view = viewOf(rows, 'no prlimit')
    const standing = await findScript(findStanding(ME, view), async () => (called === null ? null : called * 1000), view)
    expect(standing.kind).toBe(kind)
  })
})

describe('a script of the owner', () => {
  const job = (started: number, above: Readonly<Record<number, Row>> = { 1: init }): Readonly<Record<number, Row>> => ({
    [ME]: { name: 'belay', parent: 50, started: 900 },
    50: { name: 'sh', parent: 40, started: 800 },
    40: { name: 'runner', parent: Math.max(...Object.keys(above).map(Number)), started },
    ...above,
  })
  const below = (name: string): Readonly<Record<number, Row>> => ({ 20: { name, parent: 1, started: 2 }, 1: init })

  test.each<[what: string, rows: Readonly<Record<number, Row>>, called: number | null, kind: string]>([
    ['no agent has called', job(100), null, 'script'],
    ['it was there before the first call', job(100), 500, 'script'],
    ['it came after the first call', job(600), 500, 'nobody'],
    ['it came in the same moment', job(499), 500, 'nobody'],
    ['the service manager that started it was there before', job(600, below('systemd')), 500, 'nobody'],
    ['the one who runs jobs later was there before', job(600, below('atd')), 500, 'nobody'],
    ['it is an orphan, and older', { [ME]: { name: 'belay', parent: 1, started: 100 }, 1: init }, 500, 'script'],
    ['it is an orphan, and newer', { [ME]: { name: 'belay', parent: 1, started: 600 }, 1: init }, 500, 'nobody'],
    ['an agent is among its parents', { ...job(100), 50: { name: 'claude', parent: 40 } }, 500, 'agent'],
    ['an agent left it', { ...job(100), 50: { name: 'sh', parent: 40, env: { CLAUDECODE: '1' } } }, 500, 'agent'],
    ['it came through a door that is shut', ssh('127.0.0.1'), null, 'nobody'],
    ['nobody is attached to its tmux', tmux({}), null, 'nobody'],
  ])('%s', async (_what, rows, called, kind) => {
    const view = viewOf(rows)
    const standing = await findScript(findStanding(ME, view), async () => (called === null ? null : called * 1000), view)
    expect(standing.kind).toBe(kind)
  })
})
