// Which processes hold the other end of a connection to the page's port. The kernel's table of connections names the socket, and /proc names
// whoever holds it. What a caller says of itself is not asked. Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { endianness } from 'node:os'
import { setImmediate as turn } from 'node:timers/promises'
import { listProcesses } from './process-facts.ts'

export interface Connection {
  /** The peer's end. */
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
}

export type Peer =
  | { readonly kind: 'held'; readonly by: readonly number[] }
  /**
   * No process is shown that holds it: one of another user or container, sshd, or one that hides it. `uid`: who made it; `maybe`: processes of
   * this user that may hold it unseen.
   */
  | { readonly kind: 'unseen'; readonly uid: number; readonly maybe: readonly HiddenHolder[] }
  /** It is closed already. */
  | { readonly kind: 'gone' }
  /** This system has no such table. */
  | { readonly kind: 'unknown' }

export interface HiddenHolder {
  readonly pid: number
  /** It shows what it holds, and some of that is under way to another process or kept in a ring. */
  readonly isShown: boolean
}

export interface TcpRow {
  /** `127.0.0.1:4517` as the table writes it; IPv4 also in the longer form of IPv6. */
  readonly local: string
  readonly remote: string
  readonly isListening: boolean
  readonly isOpen: boolean
  readonly uid: number
  /** 0: no process has it any more. */
  readonly inode: number
}

const LISTENING = '0A'
const OPEN = '01'

export function readTcpRows(): readonly TcpRow[] {
  return ['/proc/self/net/tcp', '/proc/self/net/tcp6'].flatMap(file => {
    try {
      return parseTcpRows(readFileSync(file, 'utf8'))
    } catch {
      return []
    }
  })
}

export function parseTcpRows(table: string): readonly TcpRow[] {
  return table
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(fields => fields.length >= 10)
    .map(([, local = '', remote = '', state, , , , uid, , inode]) => ({
      local,
      remote,
      isListening: state === LISTENING,
      isOpen: state === OPEN,
      uid: Number(uid),
      inode: Number(inode),
    }))
}

/** As the table ends: IPv4 in IPv6 ends in the same eight digits. */
export function endOfRow(address: string, port: number): string {
  const bytes = Buffer.from(
    address
      .replace(/^::ffff:/, '')
      .split('.')
      .map(Number),
  )
  return `${inOrder(bytes).toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** What a row says of an address, as text. */
export function addressOf(end: string): string {
  const words = end.slice(0, end.indexOf(':')).match(/.{8}/g) ?? []
  const bytes = words.flatMap(word => [...inOrder(Buffer.from(word, 'hex'))])
  const isMapped = bytes.length === 16 && bytes.slice(0, 10).every(byte => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (bytes.length === 4 || isMapped) return bytes.slice(-4).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => (((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0)).toString(16))
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** The table writes each four bytes as this machine keeps a number. */
function inOrder(bytes: Buffer): Buffer {
  return endianness() === 'LE' ? bytes.reverse() : bytes
}

export async function findPeer({ remoteAddress, remotePort, localAddress, localPort }: Connection): Promise<Peer> {
  if (process.platform !== 'linux') return { kind: 'unknown' }
  const [theirs, ours] = [endOfRow(remoteAddress, remotePort), endOfRow(localAddress, localPort)]
  const row = readTcpRows().find(({ local, remote }) => local.endsWith(theirs) && remote.endsWith(ours))
  if (row === undefined || !row.isOpen || row.inode === 0) return { kind: 'gone' }
  const by = await findHolders(row.inode)
  return by.length > 0 ? { kind: 'held', by } : { kind: 'unseen', uid: row.uid, maybe: await findHidden(row.uid) }
}

/** So many processes are looked at before calls that wait have their turn. */
const AT_ONCE = 32

async function findHolders(inode: number): Promise<readonly number[]> {
  const found: number[] = []
  for (const [at, pid] of listProcesses().entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await turn()
    if (listSockets(pid)?.includes(inode) === true) found.push(pid)
  }
  return found
}

/** Inodes of the sockets that a process holds; null: it does not show them. */
export function listSockets(pid: number): readonly number[] | null {
  return listDescriptors(pid)?.flatMap(({ target }) => Number(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? Number.NaN) || []) ?? null
}

interface Descriptor {
  readonly number: string
  readonly target: string
}

function listDescriptors(pid: number): readonly Descriptor[] | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(number => ({ number, target: readLink(`/proc/${pid}/fd/${number}`) }))
  } catch {
    return null
  }
}

/** One that is closed meanwhile leads nowhere. */
function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

async function findHidden(uid: number): Promise<readonly HiddenHolder[]> {
  const found: HiddenHolder[] = []
  for (const [at, pid] of listProcesses().entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await turn()
    if (!runsAs(pid, uid)) continue
    const held = listDescriptors(pid)
    if (held === null || held.some(each => hidesMore(pid, each))) found.push({ pid, isShown: held !== null })
  }
  return found
}

/** Sockets with descriptors in their queue, and rings that hold files. */
const HOLDERS = /^(?:socket:|anon_inode:\[io_uring\])/
const HIDDEN = /^(?:scm_fds|UserFiles):\s*[1-9]/m

function hidesMore(pid: number, { number, target }: Descriptor): boolean {
  if (!HOLDERS.test(target)) return false
  try {
    return HIDDEN.test(readFileSync(`/proc/${pid}/fdinfo/${number}`, 'utf8'))
  } catch {
    return false
  }
}

/** By any of its user ids. The owner of its folder in /proc would be root for one that shows nothing. */
function runsAs(pid: number, uid: number): boolean {
  try {
    const ids = /^Uid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
    return ids.split(/\s+/).map(Number).includes(uid)
  } catch {
    return false
  }
}
