// Who is behind a request of the page. Its cookie and its key are secrets of a browser, which an agent of the same user can read; the process that
// holds the other end of the connection is not the caller's to choose. One that an agent started decides nothing. A browser is a person's when a
// person started it (standing.ts), when the desktop did, or when it forwards the port for somebody who came over ssh. Where no process is shown
// (sshd looks like that to everybody but root, and so do other users and containers) the secrets count alone, unless the one that hides may be an agent's.
import { addressOf, type Connection, findPeer, type HiddenHolder, listSockets, type Peer, readTcpRows, type TcpRow } from './page-peer.ts'
import { listChain } from './process-ancestry.ts'
import { baseName, type ProcessFacts } from './process-facts.ts'
import {
  belowKeepers,
  daemonProcesses,
  type FirstCall,
  findScript,
  findStanding,
  isOfThisMachine,
  type ProcessView,
  type Standing,
} from './standing.ts'

export type PagePeer =
  | { readonly kind: 'person'; readonly place: string; readonly pid: number | null }
  | { readonly kind: 'refused'; readonly why: string; readonly standing: 'agent' | 'nobody'; readonly pid: number | null }

export type JudgePage = (connection: Connection) => Promise<PagePeer>

export interface PageView extends ProcessView {
  findPeer(connection: Connection): Promise<Peer>
  tcpRows(): readonly TcpRow[]
  /** null: it does not show them. */
  sockets(pid: number): readonly number[] | null
  /** Whom the daemon runs as; null: the system does not say. */
  readonly uid: number | null
}

export interface JudgePageOptions {
  readonly firstCall: FirstCall
  readonly view?: PageView
}

const daemonPages = (): PageView => ({
  ...daemonProcesses,
  findPeer,
  tcpRows: readTcpRows,
  sockets: listSockets,
  uid: process.getuid?.() ?? null,
})

export function createJudgePage({ firstCall, view = daemonPages() }: JudgePageOptions): JudgePage {
  return async connection => {
    const peer = await view.findPeer(connection)
    if (peer.kind === 'unknown') return { kind: 'person', place: 'a page', pid: null }
    if (peer.kind === 'gone') return refuse('nobody', 'the connection it came by is closed', null)
    if (peer.kind === 'unseen') return judgeUnseen(peer, view)
    const judged = await Promise.all(peer.by.map(pid => judgeHolder(pid, firstCall, view)))
    // Whoever handed the connection on keeps it, or has lost it: the worst of all counts.
    return judged.find(({ kind }) => kind === 'refused') ?? judged[0] ?? refuse('nobody', 'no process holds its connection', null)
  }
}

async function judgeHolder(pid: number, firstCall: FirstCall, view: PageView): Promise<PagePeer> {
  const chain = listChain(pid, view.read)
  const name = chain[0]?.name ?? `process ${pid}`
  const forwards = findSshVisit(pid, chain, view)
  const standing = forwards ?? (await findScript(findStanding(pid, view), firstCall, view))
  if (standing.kind === 'agent') return refuseAgent(standing, pid)
  if (standing.kind !== 'nobody') return { kind: 'person', place: `a page in ${name}`, pid }
  const desktop = standing.since === null ? null : desktopOf(chain, view)
  return desktop === null
    ? refuse('nobody', `nobody can be seen behind its browser (${name}, process ${pid}: ${standing.why})`, pid)
    : { kind: 'person', place: `a page in ${name}, started by ${desktop}`, pid }
}

/** `ssh -L`: sshd itself holds the connection, with the one that the visitor came by. null: it is not sshd's. */
function findSshVisit(pid: number, [self, above]: readonly ProcessFacts[], view: PageView): Standing | null {
  if (self === undefined || above === undefined || !isSshd(self, view) || !isSshd(above, view) || above.uid !== 0) return null
  const held = view.sockets(pid) ?? []
  const rows = view.tcpRows()
  const [visit] = visits(rows).filter(({ inode }) => held.includes(inode))
  return visit !== undefined && isFromElsewhere(visit, view)
    ? { kind: 'person', place: 'ssh', hasTerminal: false }
    : { kind: 'nobody', why: 'the ssh connection that forwards the port does not come from another machine', since: null }
}

/** Connections that came in at a port which the system listens at. */
function visits(rows: readonly TcpRow[]): readonly TcpRow[] {
  const portOf = (end: string) => end.slice(end.indexOf(':'))
  const listening = new Set(rows.filter(({ isListening, uid }) => isListening && uid === 0).map(({ local }) => portOf(local)))
  return rows.filter(({ isOpen, local }) => isOpen && listening.has(portOf(local)))
}

function isFromElsewhere({ remote, local }: TcpRow, view: PageView): boolean {
  const from = addressOf(remote)
  return from !== addressOf(local) && !isOfThisMachine(from, view)
}

function isSshd({ program, name }: ProcessFacts, view: PageView): boolean {
  const isNamed = /^sshd(?:-session)?$/.test(program === null ? name : baseName(program))
  return isNamed && (program === null || view.isInstalled(program))
}

const DESKTOPS =
  /^(?:gnome-shell|gnome-session\S*|plasmashell|kwin_(?:wayland|x11)|ksmserver|startplasma\S*|xfce4-(?:panel|session)|xfdesktop|cinnamon|cinnamon-session\S*|mate-(?:panel|session)|lxqt-(?:panel|session)|lxpanel|lxsession|budgie-panel|sway|Hyprland|i3|Finder|Dock)$/
const BROWSERS =
  /^(?:firefox\S*|librewolf|waterfox|chrome|google-chrome\S*|chromium\S*|brave\S*|msedge\S*|microsoft-edge\S*|vivaldi\S*|opera|epiphany\S*|falkon|konqueror|Safari)$/
/** With these a program tells the browser what to do, or gives it other settings than the person's. */
const REMOTE =
  /^--?(?:headless|remote-debugging\S*|remote-allow\S*|marionette|start-debugger-server|enable-automation|load-extension|user-data-dir|profile)(?:=|$)/

/** What of the desktop started it; null: nothing of it did. A browser may be below the service manager, which the desktop told to start it. */
function desktopOf(chain: readonly ProcessFacts[], view: PageView): string | null {
  const isReal = ({ program }: ProcessFacts) => program !== null && view.isInstalled(program)
  const named = (each: ProcessFacts) => baseName(each.program ?? '').replace(/-bin$/, '')
  const apps = belowKeepers(chain)
  if (apps.some(({ command }) => command.some(word => REMOTE.test(word)))) return null
  const shell = apps.slice(1).find(each => DESKTOPS.test(named(each)) && isReal(each))
  if (shell !== undefined) return shell.name
  return apps.length > 0 && apps.every(each => BROWSERS.test(named(each)) && isReal(each)) ? 'the desktop' : null
}

/** The one rule where no process is shown. */
function judgeUnseen({ uid, maybe }: Extract<Peer, { kind: 'unseen' }>, view: PageView): PagePeer {
  for (const { pid, isShown } of maybe) {
    const standing = findStanding(pid, view)
    if (standing.kind === 'agent') return refuseAgent(standing, pid)
    if (isShown && standing.kind === 'nobody') return refuse('nobody', `process ${pid} hides what it holds`, pid)
  }
  const hidden = maybe.filter(({ isShown }) => !isShown)
  if (uid !== view.uid || hidden.length === 0 || hidden.some(each => isSshSession(each, view)))
    return { kind: 'person', place: 'a page of which no process is shown', pid: null }
  return refuse('nobody', 'the process that holds its connection hides', null)
}

/** sshd shows the user it serves nothing of itself; that the system's own sshd started it is shown all the same. */
function isSshSession({ pid }: HiddenHolder, view: PageView): boolean {
  const above = view.read(view.read(pid)?.parent ?? 0)
  return above !== null && above.uid === 0 && isSshd(above, view) && visits(view.tcpRows()).some(visit => isFromElsewhere(visit, view))
}

function refuseAgent({ agent, pid: by }: Extract<Standing, { kind: 'agent' }>, pid: number): PagePeer {
  return refuse('agent', `its browser (process ${pid}) was started by an agent (${agent}, process ${by})`, pid)
}

function refuse(standing: 'agent' | 'nobody', why: string, pid: number | null): PagePeer {
  return { kind: 'refused', standing, why, pid }
}
