// The command line's front door. What people ask most often is answered before anything else is loaded.
import { firstScreen, foldHelp, HELP, helpTopic, VERSION } from './command/help.ts'
import { isDevice, openOutput } from './terminal/output.ts'

export async function main(argv: readonly string[]): Promise<void> {
  const [first] = argv
  if (argv.length === 1 && (first === '--version' || first === '-V')) return print(`${VERSION}\n`)
  if (argv.length === 0) return printHelp(firstScreen())
  if (argv.length === 1 && (first === '--help' || first === '-h' || first === 'help')) return printHelp(HELP)
  const topic = first === 'help' && argv.length === 2 ? helpTopic(argv[1] ?? '') : null
  if (topic !== null) return printHelp(topic)
  const [{ failByFile, processIo }, { runShortcut }] = await Promise.all([import('./terminal/io.ts'), import('./command/shortcut.ts')])
  try {
    process.exitCode = (await runShortcut(argv, processIo)) ?? (await (await import('./command/program.ts')).runProgram(argv, processIo()))
  } catch (error) {
    process.exitCode = failByFile(processIo(), error)
  }
}

/** A terminal alone has a width; nobody else waits until one is asked for it. */
function printHelp(text: string): void {
  print(isDevice(1) ? foldHelp(text, process.stdout.columns) : text)
}

function print(text: string): void {
  openOutput(1).write(text)
}
