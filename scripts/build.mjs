// Types and library files by tsc, the command line as one bundle by rolldown.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { must, root } from './lib/ensure.mjs'

const bin = name => join(root, 'node_modules', '.bin', name)

rmSync(join(root, 'packages/host/dist'), { recursive: true, force: true })
must(bin('tsc'), ['-b', 'packages/core', 'packages/host'])
must(bin('rolldown'), ['-c', 'rolldown.config.mjs', '--log-level', 'warn'])
for (const name of ['core', 'host']) cpSync(join(root, 'LICENSE'), join(root, 'packages', name, 'LICENSE'))
