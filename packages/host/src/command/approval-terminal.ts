// The terminal of `belay approvals --watch`: keys in raw mode, one line at the bottom that is written over, the daemon behind it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApprovalRequest, CONFIRMED_CHARACTERS, type HeldRequest } from '../approval/request.ts'
import type { ApprovalTerminal } from '../approval/watch-approvals.ts'
import { findHome } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { type CommandIo, printLine } from '../terminal/io.ts'
import { onKeys } from '../terminal/on-keys.ts'
import { paint } from '../terminal/style.ts'
import { own } from '../terminal/visible.ts'
import { runPaths } from '../wire/run-paths.ts'
import { previewAlways, renderPreview } from './approvals-preview.ts'
import { callDaemon } from './daemon-status.ts'
import { renderRequest } from './render-request.ts'

const POLL_MS = 25_000
const WIDTH = 80
const BELL = '\u0007'
const CLEAR_LINE = `${own('\r')}${own('\u001b[K')}`

export function openApprovalTerminal(io: CommandIo): { readonly terminal: ApprovalTerminal; close(): void } {
  const home = findHome(io.env)
  const { socket } = runPaths(home, io.env)
  const { root } = findProject(io.cwd, home)
  const { stdin } = process
  const ended = new AbortController()
  stdin.setRawMode(true)
  const terminal: ApprovalTerminal = {
    root,
    async next(seen) {
      const answer = await callDaemon(
        socket,
        'approvals.watch',
        { seen, timeoutMs: POLL_MS },
        { timeoutMs: POLL_MS + 10_000, signal: ended.signal },
      )
      if (answer.kind === 'refused') return answer.why
      return answer.kind === 'result' ? (answer.value as { seen: string; requests: readonly HeldRequest[] }) : null
    },
    async outcome(id) {
      const answer = await callDaemon(socket, 'approvals.show', { id })
      if (answer.kind !== 'result') return `${id}  no longer waits`
      const { state, decidedBy } = (answer.value as { request: ApprovalRequest }).request
      return `${paint(io, 'bold', id)}  ${state === 'pending' ? 'ran out' : state}${decidedBy === null ? '' : ` by ${decidedBy}`}`
    },
    async decide(decision, { id }, always) {
      const typed = id.slice(-CONFIRMED_CHARACTERS)
      const answer = await callDaemon(socket, `approvals.${decision}`, { ids: [id], typed, ...(always === undefined ? {} : { always }) })
      if (answer.kind !== 'result')
        return { ok: false, text: answer.kind === 'absent' ? 'the daemon is not running' : `belay: ${answer.why}` }
      return { ok: true, text: decidedText(io, answer.value as Decided) }
    },
    async preview({ actor, root: place }, pattern) {
      const preview = await previewAlways(socket, { pattern, actor, root: place })
      if (preview === null) return 'what it would let through cannot be told now'
      return preview.problem ? `the pattern cannot be used: ${preview.problem}` : renderPreview(pattern, preview)
    },
    onKeys,
    render: request => renderRequest(io, request, root),
    print(text) {
      io.stdout.write(CLEAR_LINE)
      printLine(io.stdout, text)
    },
    prompt: text => void io.stdout.write(`${CLEAR_LINE}${cut(text)}`),
    bell: () => void io.stdout.write(own(BELL)),
    now: Date.now,
    wait: sleep,
  }
  return {
    terminal,
    close() {
      ended.abort()
      stdin.setRawMode(false)
    },
  }
}

interface Decided {
  readonly decided: readonly ApprovalRequest[]
  readonly rule?: { readonly pattern: string; readonly actor: string; readonly file: string; readonly isTrusted: boolean }
}

function decidedText(io: CommandIo, { decided, rule }: Decided): string {
  const lines = decided.map(({ id, state, decidedBy }) => `${paint(io, 'bold', id)}  ${state} by ${decidedBy}`)
  if (rule === undefined) return lines.join('\n')
  const trust = rule.isTrusted ? '' : '; not trusted, so without effect until: belay policy trust'
  return [...lines, `${rule.file}  allow ${rule.pattern} for ${rule.actor}${trust}`].join('\n')
}

/** A line that wraps could not be written over. */
function cut(text: string): string {
  const { columns } = process.stdout
  // Some terminals do not say how wide they are.
  const width = (columns > 0 ? columns : WIDTH) - 1
  return text.length <= width ? text : `...${text.slice(text.length - width + 3)}`
}
