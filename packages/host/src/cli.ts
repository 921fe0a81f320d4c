// The command line's front door. What people and scripts ask most often is answered before anything else is loaded.
import { HELP, VERSION } from './command/help.ts'

export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyOnClosedPipe()
  const [first] = argv
  if (argv.length === 1 && (first === '--version' || first === '-V')) return print(`${VERSION}\n`)
  if (argv.length === 0 || (argv.length === 1 && (first === '--help' || first === '-h' || first === 'help'))) return print(HELP)
  const { processIo } = await import('./command/io.ts')
  process.exitCode = (await runShortcut(argv, processIo)) ?? (await runWhole(argv, processIo))
}

type MakeIo = typeof import('./command/io.ts').processIo

/** What agents and scripts call all the time, in one fixed form: it goes past the option parser. */
async function runShortcut(argv: readonly string[], makeIo: MakeIo): Promise<number | null> {
  const [group, command, pattern, tool, argument] = argv
  if (argv.slice(1).some(word => word.startsWith('-'))) return null
  if (group === 'statusline' && argv.length === 1) return (await import('./command/statusline.ts')).runStatusline('claude-code', makeIo())
  if (group === 'files' && argv.length <= 2)
    return (await import('./command/files.ts')).runFiles(command === undefined ? {} : { query: command }, makeIo())
  if (group !== 'hooks' || command !== 'test-pattern' || argv.length !== 5) return null
  if (pattern === undefined || tool === undefined || argument === undefined) return null
  const { runTestPattern } = await import('./command/hooks-test-pattern.ts')
  return runTestPattern({ pattern, tool, argument }, makeIo())
}

async function runWhole(argv: readonly string[], makeIo: MakeIo): Promise<number> {
  const { runProgram } = await import('./command/program.ts')
  return runProgram(argv, makeIo())
}

function print(text: string): void {
  process.stdout.write(text)
}

/** `belay ... | head` deserves no stack trace; but what nobody read is no yes either. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(2)
    throw error
  })
}
