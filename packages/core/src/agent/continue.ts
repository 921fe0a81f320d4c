import { claudeLike, hookFilesIn } from './family.ts'

export const continueCli = claudeLike({
  name: 'Continue',
  program: 'cn',
  ownPaths: ['.continue'],
  hookPaths: hookFilesIn('.continue'),
  tools: { run_terminal_command: 'Bash', runTerminalCommand: 'Bash' },
})
