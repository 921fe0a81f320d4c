// What a command may touch of the world around it. Tests bring their own.
import { tmpdir } from 'node:os'
import { findHome, SYSTEM_DIRECTORY } from '../config/home.ts'
import { nameBelay } from '../config/name-belay.ts'
import { ownCommand } from '../config/own-command.ts'
import { type Output, openOutput } from './output.ts'
import { escapeHidden } from './visible.ts'

export interface CommandIo {
  readonly stdin: AsyncIterable<string | Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** A person sees the output: colours and progress are welcome. */
  readonly isTty: boolean
  /** Of the terminal; absent: nobody knows, or there is none. */
  readonly columns?: number | undefined
  /** The directory of the system's policy. */
  readonly etc: string
}

/** 0 yes, 1 no, 2 the command could not work, 3 ask. */
export type ExitCode = 0 | 1 | 2 | 3

/** Node's own streams are made only for those who ask: that takes longer than most commands. */
export function processIo(): CommandIo {
  return {
    get stdin() {
      return process.stdin
    },
    stdout: openOutput(1),
    stderr: openOutput(2),
    env: process.env,
    cwd: currentDirectory(),
    get isTty() {
      return process.stdout.isTTY === true
    },
    get columns() {
      return process.stdout.columns
    },
    etc: SYSTEM_DIRECTORY,
  }
}

/** A directory that was removed under us is no reason to fail before the command has begun. */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return tmpdir()
  }
}

export function printLine(stream: Output, text = ''): void {
  stream.write(`${escapeHidden(text)}\n`)
}

export function printJson(io: CommandIo, value: unknown): void {
  printLine(io.stdout, JSON.stringify(value, null, 2))
}

/** The file system said no; anything else is a bug and shows where. */
export function failByFile(io: CommandIo, error: unknown): 2 {
  if (!(error instanceof Error && 'syscall' in error)) throw error
  const home = findHome(io.env)
  const isOfHome = 'path' in error && typeof error.path === 'string' && `${error.path}/`.startsWith(`${home}/`)
  return fail(
    io,
    error.message,
    isOfHome ? `Belay keeps its records in ${home}: make it writable, or name another folder in BELAY_HOME` : undefined,
  )
}

/** "Could not work": says what was wrong and what to do, on stderr. */
export function fail(io: CommandIo, message: string, remedy?: string): 2 {
  printLine(io.stderr, `belay: ${hint(io, message)}`)
  if (remedy !== undefined) printLine(io.stderr, `  ${hint(io, remedy)}`)
  return 2
}

/** A text that says `belay VERB`, in words that work in the shell of whoever called. */
export function hint(io: CommandIo, text: string): string {
  return nameBelay(text, ownCommand(io.env.PATH))
}

/** The same for whatever goes to stderr, which only people read. */
export function withNamedErrors(io: CommandIo): CommandIo {
  const stderr: Output = { write: text => io.stderr.write(hint(io, text)) }
  // Own properties, because commands spread it; what is made on first use stays so.
  return Object.defineProperties({} as CommandIo, { ...Object.getOwnPropertyDescriptors(io), stderr: { value: stderr, enumerable: true } })
}

/** What a decision means as an exit code: yes, no, ask. No opinion is no objection. */
export function exitCodeOf(decision: 'allow' | 'ask' | 'deny' | 'none'): ExitCode {
  return decision === 'deny' ? 1 : decision === 'ask' ? 3 : 0
}

/** stdin as text, in pieces of any size; a character split over two pieces stays whole. */
export async function* textPieces(stdin: CommandIo['stdin']): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  for await (const piece of stdin) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
  yield decoder.decode()
}
