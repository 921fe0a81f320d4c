// Runs the commands that must start fast once, and leaves V8's compiled code of every chunk they needed beside the bundle.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from './lib/ensure.mjs'

const COMMANDS = [
  ['--version'],
  ['hooks', 'test-pattern', 'Bash(git *)', 'Bash', 'cd src && git commit -m "$(date)" | tee log > out'],
  ['hooks', 'test-pattern', 'Write(src/*)', 'Write', 'src/a.ts'],
  ['hook', '--agent', 'claude-code', '--event', 'PreToolUse'],
]

const { cacheFolder, loadBundle } = createRequire(import.meta.url)('../packages/host/bin/load-bundle.cjs')
const home = mkdtempSync(join(tmpdir(), 'belay-build-'))
Object.assign(process.env, { BELAY_HOME: home, BELAY_NO_AUTOSTART: '1' })
const entry = join(root, 'packages/host/dist/cli.cjs')
const scripts = new Map()
const { main } = loadBundle(entry, (file, script) => scripts.set(file, script))
for (const command of COMMANDS) await main(command)
scripts.delete(entry)
mkdirSync(cacheFolder(entry), { recursive: true })
for (const [file, script] of scripts) writeFileSync(join(cacheFolder(entry), basename(file)), script.createCachedData())
rmSync(home, { recursive: true })
process.exitCode = 0
