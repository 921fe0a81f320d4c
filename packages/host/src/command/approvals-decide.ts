// belay approvals allow|deny ID...: a person's decision. Needs a terminal, a confirmation typed there, and no agent among the ancestors.
import { type ApprovalRequest, CONFIRMED_CHARACTERS } from '../approval/request.ts'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine, textPieces } from '../terminal/io.ts'
import { runPaths } from '../wire/run-paths.ts'
import { previewAlways, renderPreview } from './approvals-preview.ts'
import { callDaemon, type RpcAnswer } from './daemon-status.ts'
import { renderRequest } from './render-request.ts'

export interface DecideOptions {
  readonly decision: 'allow' | 'deny'
  readonly ids: readonly string[]
  readonly always?: string
  readonly note?: string
  readonly json?: boolean
}

export async function runApprovalsDecide(options: DecideOptions, io: CommandIo): Promise<ExitCode> {
  if (!isTerminal(io)) return refuse(io, 'only people decide approvals: run this in a terminal, or use the dashboard')
  const { ids, decision, always, note } = options
  const { socket } = runPaths(findHome(io.env), io.env)
  for (const id of ids) {
    const shown = await callDaemon(socket, 'approvals.show', { id })
    if (shown.kind !== 'result') return report(io, shown)
    const { request } = shown.value as { request: ApprovalRequest }
    printLine(io.stderr, renderRequest(io, request))
    if (always === undefined || id !== ids[0]) continue
    const preview = await previewAlways(socket, { pattern: always, actor: request.actor, root: request.root })
    if (preview?.problem) return refuse(io, `the pattern cannot be used: ${preview.problem}`)
    if (preview !== null) printLine(io.stderr, renderPreview(always, preview))
  }
  const typed = await ask(io, `${decision} ${ids.length === 1 ? 'this' : `these ${ids.length}`}? Type ${lastCharacters(ids)}: `)
  const decided = await callDaemon(socket, `approvals.${decision}`, {
    ids,
    typed,
    ...(always === undefined ? {} : { always }),
    ...(note === undefined ? {} : { note }),
  })
  if (decided.kind !== 'result') return report(io, decided)
  if (options.json === true) printJson(io, decided.value)
  else printDecided(io, decided.value as Decided)
  return 0
}

interface Decided {
  readonly decided: readonly ApprovalRequest[]
  readonly rule?: { readonly pattern: string; readonly actor: string; readonly file: string; readonly isTrusted: boolean }
}

function printDecided(io: CommandIo, { decided, rule }: Decided): void {
  for (const { id, state, decidedBy } of decided) printLine(io.stdout, `${id}  ${state} by ${decidedBy}`)
  if (rule === undefined) return
  printLine(io.stdout, `${rule.file}  allow ${rule.pattern} for ${rule.actor}`)
  if (!rule.isTrusted) printLine(io.stderr, `note: ${rule.file} is not trusted, so the rule has no effect until \`belay policy trust\``)
}

/** Both ends: what is typed comes from a terminal, and what is asked is seen on one. */
function isTerminal(io: CommandIo): boolean {
  return io.isTty && 'isTTY' in io.stdin && io.stdin.isTTY === true
}

function lastCharacters(ids: readonly string[]): string {
  return `the last ${CONFIRMED_CHARACTERS} characters of ${ids.at(-1) ?? 'the id'}`
}

async function ask(io: CommandIo, question: string): Promise<string> {
  io.stderr.write(question)
  let line = ''
  for await (const piece of textPieces(io.stdin)) {
    line += piece
    if (line.includes('\n')) break
  }
  return line.split('\n')[0]?.trim() ?? ''
}

function report(io: CommandIo, answer: Exclude<RpcAnswer, { kind: 'result' }>): ExitCode {
  if (answer.kind === 'refused') return refuse(io, answer.why)
  if (answer.kind === 'absent') return fail(io, 'the daemon is not running, so nothing waits', 'start it with: belay up --detach')
  return fail(io, `the daemon did not answer: ${answer.why}`)
}

function refuse(io: CommandIo, why: string): 1 {
  printLine(io.stderr, `belay: ${why}`)
  return 1
}
