// Types and library files by tsc, the command line as one bundle by rolldown, with the compiled code of what must start fast, and the pages
// that daemon and hub serve by vite.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { must, root } from './lib/ensure.mjs'

const bin = name => join(root, 'node_modules', '.bin', name)
const payload = { session_id: 's', cwd: root, tool_name: 'Bash', tool_input: { command: 'git status && ls' } }

const step = (at, what) => console.error(`  ${at}/4 ${what} ...`)

step(1, 'library and types')
rmSync(join(root, 'packages/host/dist'), { recursive: true, force: true })
must(bin('tsc'), ['-b', 'packages/core', 'packages/host', 'packages/hub'])
step(2, 'the command')
// Its list of every file goes to stdout whatever the log level; warnings and errors go to stderr.
must(bin('rolldown'), ['-c', 'rolldown.config.mjs', '--log-level', 'warn'], { stdio: ['ignore', 'ignore', 'inherit'] })
step(3, 'its compiled code, so that it starts fast')
must(process.execPath, [join(root, 'scripts/write-code-cache.mjs')], {
  input: JSON.stringify(payload),
  stdio: ['pipe', 'ignore', 'inherit'],
})
step(4, 'the pages')
must(bin('vite'), ['build', 'packages/dashboard', '--logLevel', 'warn'])
must(bin('vite'), ['build', 'packages/dashboard', '--config', 'packages/dashboard/vite.hub.config.ts', '--logLevel', 'warn'])
for (const name of ['core', 'host', 'hub']) cpSync(join(root, 'LICENSE'), join(root, 'packages', name, 'LICENSE'))
