// Who is behind a request of the page: by made-up tables of processes and connections, and by a real connection of this process.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { init, type Row, viewOf } from './fixtures/process-table.ts'
import { addressOf, endOfRow, findPeer, type Peer, parseTcpRows, type TcpRow } from './page-peer.ts'
import { createJudgePage, type PageView } from './page-standing.ts'

const CONNECTION = { remoteAddress: '127.0.0.1', remotePort: 50_000, localAddress: '127.0.0.1', localPort: 4517 }
const CALLED = 1_000_000
/** Before any agent called, and after it. */
const [EARLY, LATE] = [1, 2000]
const ME = 100

type Table = Readonly<Record<number, Row>>

interface World {
  readonly rows: Table
  readonly peer?: Peer
  readonly tcp?: readonly TcpRow[]
  readonly sockets?: Readonly<Record<number, readonly number[] | null>>
}

function judge({ rows, peer = { kind: 'held', by: [ME] }, tcp = [], sockets = {} }: World) {
  const view: PageView = {
    ...viewOf(rows),
    findPeer: async () => peer,
    tcpRows: () => tcp,
    sockets: pid => sockets[pid] ?? null,
    uid: 1000,
  }
  return createJudgePage({ firstCall: async () => CALLED, view })(CONNECTION)
}

const row = (remote: string, { inode = 7, port = 22, isListening = false } = {}): TcpRow => ({
  local: isListening ? endOfRow('0.0.0.0', port) : endOfRow('192.168.1.7', port),
  remote: isListening ? endOfRow('0.0.0.0', 0) : endOfRow(remote, 50_123),
  isListening,
  isOpen: !isListening,
  uid: 0,
  inode,
})

const service: Row = { name: 'systemd', parent: 1, program: '/usr/lib/systemd/systemd' }
const agent: Row = { name: 'claude', parent: 60, program: '/usr/bin/claude', command: 'claude' }
const terminal: Table = { 60: { name: 'bash', parent: 61 }, 61: { name: 'kitty', parent: 62 }, 62: service, 1: init }
const browsers = ['firefox', 'firefox-bin', 'firefox-esr', 'chrome', 'chromium', 'brave', 'msedge', 'vivaldi-bin', 'opera']
const desktops = ['gnome-shell', 'plasmashell', 'xfce4-panel', 'sway', 'cinnamon', 'mate-panel']
const below = (parent: number, name: string, more: Partial<Row> = {}): Row => ({ name, parent, started: LATE, ...more })

describe('a browser is a person’s', () => {
  const cases: readonly (readonly [string, Table])[] = [
    ...browsers.map(name => [`${name} from a terminal`, { [ME]: below(60, name), ...terminal }] as const),
    ...browsers.map(name => [`${name} that the service manager started`, { [ME]: below(62, name), 62: service, 1: init }] as const),
    ...browsers.map(
      name => [`the network process of ${name}`, { [ME]: below(70, name), 70: below(62, name), 62: service, 1: init }] as const,
    ),
    ...desktops.map(name => [`any browser below ${name}`, { [ME]: below(70, 'surf'), 70: below(62, name), 62: service, 1: init }] as const),
    ['one from before any agent', { [ME]: below(62, 'surf', { started: EARLY }), 62: service, 1: init }],
  ]
  test.each(cases)('%s', async (_what, rows) => {
    expect(await judge({ rows })).toMatchObject({ kind: 'person' })
  })
})

describe('nothing that an agent started decides', () => {
  const callers = ['curl', 'python3', ...browsers]
  const cases: readonly (readonly [string, Table, 'agent' | 'nobody'])[] = callers.flatMap(name => [
    [`${name} below an agent`, { [ME]: below(80, name), 80: agent, ...terminal }, 'agent'] as const,
    [`${name} with the mark, without parents`, { [ME]: below(62, name, { marked: true }), 62: service, 1: init }, 'agent'] as const,
    [
      `${name} with a variable of an agent`,
      { [ME]: below(62, name, { env: { CLAUDECODE: '1' } }), 62: service, 1: init },
      'agent',
    ] as const,
    [`${name} below an agent's desktop`, { [ME]: below(70, name), 70: below(80, 'sway'), 80: agent, ...terminal }, 'agent'] as const,
    [
      `${name} under remote control`,
      { [ME]: below(62, name, { command: `${name} --remote-debugging-port=9222` }), 62: service, 1: init },
      'nobody',
    ] as const,
    [
      `${name} with other settings`,
      { [ME]: below(62, name, { command: `${name} --profile /tmp/x` }), 62: service, 1: init },
      'nobody',
    ] as const,
    [
      `a program of one's own called ${name}`,
      { [ME]: below(62, name, { program: `/tmp/${name}` }), 62: service, 1: init },
      'nobody',
    ] as const,
    [`a script above ${name}`, { [ME]: below(70, name), 70: below(62, 'sh'), 62: service, 1: init }, 'nobody'] as const,
  ])
  test.each(cases)('%s', async (_what, rows, standing) => {
    expect(await judge({ rows })).toMatchObject({ kind: 'refused', standing })
  })

  test.each(['curl', 'python3', 'node', 'socat'])('an orphan: %s below the service manager', async name => {
    expect(await judge({ rows: { [ME]: below(62, name), 62: service, 1: init } })).toMatchObject({ kind: 'refused', standing: 'nobody' })
  })

  test('a connection that a browser and an agent hold', async () => {
    const rows = { [ME]: below(60, 'firefox'), 101: below(80, 'python3'), 80: agent, ...terminal }
    expect(await judge({ rows, peer: { kind: 'held', by: [ME, 101] } })).toMatchObject({ kind: 'refused', standing: 'agent', pid: 101 })
  })

  test('a connection that is closed', async () => {
    expect(await judge({ rows: {}, peer: { kind: 'gone' } })).toMatchObject({ kind: 'refused' })
  })
})

describe('ssh -L', () => {
  const sshd: Table = {
    [ME]: below(40, 'sshd', { program: '/usr/sbin/sshd' }),
    40: below(30, 'sshd', { uid: 0, program: '/usr/sbin/sshd' }),
    30: { name: 'sshd', parent: 1, uid: 0, program: '/usr/sbin/sshd' },
    1: init,
  }
  const listening = row('', { isListening: true, inode: 3 })
  const cases: readonly (readonly [string, string, 'person' | 'refused'])[] = [
    ['from another machine', '203.0.113.9', 'person'],
    ['from this machine', '127.0.0.1', 'refused'],
    ['from another address of this machine', '192.168.1.7', 'refused'],
  ]
  test.each(cases)('%s, as root sees it', async (_what, from, kind) => {
    expect(await judge({ rows: sshd, tcp: [listening, row(from)], sockets: { [ME]: [7] } })).toMatchObject({ kind })
  })

  test.each(cases)('%s, where sshd shows nothing', async (_what, from, kind) => {
    const peer: Peer = { kind: 'unseen', uid: 1000, maybe: [{ pid: ME, isShown: false }] }
    expect(await judge({ rows: sshd, peer, tcp: [listening, row(from)] })).toMatchObject({ kind })
  })

  test('a visit is one that came in: a connection that sshd made for an agent is none', async () => {
    const made = { ...row('203.0.113.9', { port: 40_000 }), uid: 1000 }
    expect(await judge({ rows: sshd, tcp: [listening, made], sockets: { [ME]: [7] } })).toMatchObject({ kind: 'refused' })
  })

  test('a program of that name is not sshd', async () => {
    const rows = { ...sshd, [ME]: below(40, 'sshd', { program: '/tmp/sshd' }), 40: below(1, 'sshd', { program: '/tmp/sshd' }) }
    expect(await judge({ rows, tcp: [listening, row('203.0.113.9')], sockets: { [ME]: [7] } })).toMatchObject({ kind: 'refused' })
  })
})

describe('where no process is shown', () => {
  const unseen = (uid: number, maybe: Extract<Peer, { kind: 'unseen' }>['maybe'] = []): Peer => ({ kind: 'unseen', uid, maybe })
  test('another container or user: cookie and key count', async () => {
    expect(await judge({ rows: {}, peer: unseen(1000) })).toMatchObject({ kind: 'person', pid: null })
    expect(await judge({ rows: {}, peer: unseen(33) })).toMatchObject({ kind: 'person', pid: null })
  })

  test('a system without such tables: cookie and key count', async () => {
    expect(await judge({ rows: {}, peer: { kind: 'unknown' } })).toMatchObject({ kind: 'person', pid: null })
  })

  test.each([true, false])('an agent’s process that may hold it; it shows what it holds: %s', async isShown => {
    const rows = { [ME]: below(80, 'python3'), 80: agent, ...terminal }
    for (const uid of [1000, 33]) {
      expect(await judge({ rows, peer: unseen(uid, [{ pid: ME, isShown }]) })).toMatchObject({ kind: 'refused', standing: 'agent' })
    }
  })

  test('an orphan that hands connections on, or hides', async () => {
    const rows = { [ME]: below(62, 'python3'), 62: service, 1: init }
    expect(await judge({ rows, peer: unseen(1000, [{ pid: ME, isShown: true }]) })).toMatchObject({ kind: 'refused' })
    expect(await judge({ rows, peer: unseen(1000, [{ pid: ME, isShown: false }]) })).toMatchObject({ kind: 'refused' })
  })
})

describe('the tables of the kernel', () => {
  test('addresses of both kinds', () => {
    const table = [
      'head',
      '0: 0100007F:11A5 00000000:0000 0A 0:0 00:0 0 1000 0 17 1',
      '1: 0000000000000000FFFF00000100007F:C350 0000000000000000FFFF00000100007F:11A5 01 0:0 00:0 0 1000 0 18 1',
      '2: B80D0120000000000000000001000000:C350 00000000000000000000000001000000:0016 06 0:0 00:0 0 0 0 0 1',
    ].join('\n')
    const rows = parseTcpRows(table)
    expect(rows.map(({ isListening, isOpen, inode }) => [isListening, isOpen, inode])).toEqual([
      [true, false, 17],
      [false, true, 18],
      [false, false, 0],
    ])
    expect(rows.map(({ local }) => addressOf(local))).toEqual(['127.0.0.1', '127.0.0.1', '2001:db8::1'])
    expect(addressOf(rows[2]?.remote ?? '')).toBe('::1')
    expect(rows[1]?.local.endsWith(endOfRow('127.0.0.1', 50_000))).toBe(true)
  })

  test('a real connection is found with the process that holds it, and lost when it is closed', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const accepted = new Promise<Socket>(resolve => server.once('connection', resolve))
    const client = connect(port, '127.0.0.1')
    const socket = await accepted
    socket.on('error', () => undefined)
    const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket
    const connection = { remoteAddress, remotePort, localAddress, localPort }
    expect(await findPeer(connection)).toEqual({ kind: 'held', by: [process.pid] })
    const closed = new Promise(resolve => client.once('close', resolve))
    client.resetAndDestroy()
    await closed
    await expect.poll(() => findPeer(connection)).toEqual({ kind: 'gone' })
    server.close()
  })
})
