// belay files: paths that fit what was typed, one a line, best first. Agents call it for @ mentions, with {"query", "cwd"} on stdin.
import { listFiles } from '../suggestion/list-files.ts'
import { suggestFiles } from '../suggestion/suggest-files.ts'
import { type CommandIo, type ExitCode, printJson, printLine, textPieces } from '../terminal/io.ts'
import { readSetting } from './setting.ts'

export interface FilesOptions {
  /** Absent: asked on stdin. */
  readonly query?: string
  readonly limit?: number
  readonly json?: boolean
}

const LIMIT = 15

export async function runFiles(options: FilesOptions, io: CommandIo): Promise<ExitCode> {
  const { query, cwd } = options.query === undefined ? await readQuestion(io) : { query: options.query, cwd: io.cwd }
  const limit = options.limit ?? LIMIT
  const command = await readSetting(io, io.cwd, 'fileSuggestion')
  const paths =
    command === null
      ? suggestFiles(await listFiles(cwd), query, limit).map(({ path }) => path)
      : await askCommand(command, { query, cwd, io })
  if (options.json === true) printJson(io, paths.slice(0, limit))
  else if (paths.length > 0) printLine(io.stdout, paths.slice(0, limit).join('\n'))
  return 0
}

async function askCommand(command: string, { query, cwd, io }: { query: string; cwd: string; io: CommandIo }): Promise<readonly string[]> {
  const { runFileSuggestion } = await import('@belay/core')
  return runFileSuggestion(command, query, { cwd, env: io.env })
}

/** Plain text is the query itself. */
async function readQuestion(io: CommandIo): Promise<{ readonly query: string; readonly cwd: string }> {
  let text = ''
  for await (const piece of textPieces(io.stdin)) text += piece
  try {
    const { query, cwd }: { query?: unknown; cwd?: unknown } = JSON.parse(text)
    return { query: typeof query === 'string' ? query : '', cwd: typeof cwd === 'string' ? cwd : io.cwd }
  } catch {
    return { query: text.trim(), cwd: io.cwd }
  }
}
