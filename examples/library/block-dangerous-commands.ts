// Refuse a command before it runs. The agent reads the reason and can try something else.
import { createHooks, deny } from '@belay/core'

export const hooks = createHooks()

hooks.on('PreToolUse', 'Bash', context => {
  const { command } = context.toolInput
  if (typeof command === 'string' && command.includes('rm -rf')) return deny('Dangerous command')
})

// The same rule as a pattern. It is judged on the parsed command, so quoting, `cd x && rm -rf y` and `sudo rm -rf y` do not get around it.
hooks.on('PreToolUse', 'Bash(rm -rf *)', () => deny('Dangerous command'))
