// Evidence for somebody who has no ledger yet: what agents wrote down themselves. Claude Code and Codex keep each session as lines of JSON.
import { createReadStream, type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ToolCall } from '@belay/core/policy'
import { type Fields, fieldsIn, listIn, textIn, textsIn } from '../../statistic/read-fields.ts'
import { createEvidence, type Evidence, type EvidenceBook } from './evidence.ts'

export interface TranscriptOptions {
  readonly userHome: string
  /** Only sessions in this project. */
  readonly project: string
  /** ISO time; null: from the beginning. */
  readonly since: string | null
}

export async function readTranscripts({ userHome, project, since }: TranscriptOptions): Promise<Evidence> {
  const book = createEvidence()
  for (const [agent, folder] of [
    ['claude-code', join(userHome, '.claude', 'projects')],
    ['codex', join(userHome, '.codex', 'sessions')],
  ] as const) {
    for (const file of listFiles(folder)) await readSession(file, { book, actor: `agent:${agent}`, project, since })
  }
  return book.evidence
}

function listFiles(folder: string): readonly string[] {
  let entries: readonly Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap(entry => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : entry.name.endsWith('.jsonl') ? [path] : []
  })
}

interface Session {
  readonly book: EvidenceBook
  readonly actor: string
  readonly project: string
  readonly since: string | null
}

/** A call and its end stand in different lines. */
async function readSession(file: string, { book, actor, project, since }: Session): Promise<void> {
  const open = new Map<string, ToolCall>()
  let cwd: string | null = null
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = parseLine(text)
    if (line === null) continue
    const payload = fieldsIn(line.payload)
    cwd = textIn(line.cwd) ?? textIn(payload?.cwd) ?? cwd
    for (const { id, call } of callsIn(line, payload)) open.set(id, call)
    for (const { id, outcome } of endsIn(line, payload)) {
      const call = open.get(id)
      const isHere = cwd !== null && `${cwd}/`.startsWith(`${project}/`) && (since === null || (textIn(line.timestamp) ?? since) >= since)
      if (call !== undefined && isHere && outcome !== 'unclear') book.add(outcome, { call, actor, cwd: cwd ?? project })
      open.delete(id)
    }
  }
}

function parseLine(text: string): Fields | null {
  try {
    return fieldsIn(JSON.parse(text))
  } catch {
    // The last line of a session that was cut short.
    return null
  }
}

function callsIn(line: Fields, payload: Fields | null): readonly { readonly id: string; readonly call: ToolCall }[] {
  const claude = listIn(fieldsIn(line.message)?.content).flatMap(({ type, id, name, input }) => {
    const made = { tool: textIn(name) ?? '', input: fieldsIn(input) ?? {} }
    return type === 'tool_use' && made.tool !== '' ? [{ id: String(id), call: made }] : []
  })
  if (payload?.type !== 'function_call') return claude
  const command = codexCommand(textIn(payload.arguments))
  return command === null ? claude : [...claude, { id: String(payload.call_id), call: { tool: 'Bash', input: { command } } }]
}

/** `{"command": ["bash", "-lc", "ls"]}` or `{"command": "ls"}`. */
function codexCommand(text: string | null): string | null {
  const fields = text === null ? null : parseLine(text)
  const words = textsIn(fields?.command)
  return textIn(fields?.command) ?? textIn(fields?.cmd) ?? (words.length > 2 && /^-l?c$/.test(words[1] ?? '') ? (words[2] ?? null) : null)
}

/** unclear: it cannot be told whether it ran, so it teaches nothing. */
type Outcome = 'used' | 'refused' | 'unclear'

/** A person said no, nobody was there to say yes, or a hook refused: the words of the agents, and ours. */
const REFUSALS =
  /user doesn't want to|user rejected|was rejected|rejected by (?:the )?user|permission to use .* has been denied|requested permissions|haven't granted|hook error:|blocked by (?:a |the )?(?:\w+ )?hook|Tool denied:/i
/** What an agent says before the output of a program that ran, whatever came of it. */
const RAN = /^(?:Error: )?Exit code -?\d+|Process exited with code -?\d+|Process running with session|"exit_code": ?-?\d+|^Exit code: -?\d+/
/** What stands further down is the output of a program, which may say anything. */
const HEAD = 300

function endsIn(line: Fields, payload: Fields | null): readonly { readonly id: string; readonly outcome: Outcome }[] {
  const claude = listIn(fieldsIn(line.message)?.content).flatMap(({ type, tool_use_id: id, content, is_error: isError }) =>
    type === 'tool_result' ? [{ id: String(id), outcome: isError === true ? outcomeOf(plainText(content)) : ('used' as const) }] : [],
  )
  if (payload?.type !== 'function_call_output') return claude
  return [...claude, { id: String(payload.call_id), outcome: outcomeOf(plainText(payload.output)) }]
}

function outcomeOf(text: string): Outcome {
  const head = text.slice(0, HEAD)
  if (RAN.test(head)) return 'used'
  if (REFUSALS.test(head)) return 'refused'
  // Earlier versions of Codex say it in JSON, behind the output.
  return /^\s*\{/.test(head) && RAN.test(text.slice(-HEAD)) ? 'used' : 'unclear'
}

/** Text, or pieces of text. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const pieces = listIn(content).flatMap(({ text }) => textIn(text) ?? [])
  return pieces.length > 0 ? pieces.join('\n') : (JSON.stringify(content) ?? '')
}
