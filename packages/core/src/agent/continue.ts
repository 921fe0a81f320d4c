import { claudeLike, hookFilesIn } from './family.ts'

export const continueCli = claudeLike({
  name: 'Continue',
  program: 'cn',
  ownPaths: ['.continue'],
  hookPaths: hookFilesIn('.continue'),
  // Its hook code is in the package and nothing calls it: neither a prompt nor a tool starts a hook.
  runsNoHooks:
    'Continue (tried: 1.5.47) reads this file and runs none of its hooks, so that nothing is guarded; its MCP tools can be, through belay mcp-proxy',
  proof: 'run',
  tools: { run_terminal_command: 'Bash', runTerminalCommand: 'Bash' },
})
