// The completion scripts in the shells they are for: zsh with its own completion system at a terminal of its own, and fish.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-completion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function writeScript(shell: string): Promise<string> {
  const { io, written } = createTestIo({ env: {}, cwd: '/', etc: '/' })
  expect(await runProgram(['completion', shell], io)).toBe(0)
  const file = join(folder, `belay.${shell}`)
  writeFileSync(file, written.out)
  return file
}

/** Types a line and a tab into an interactive zsh, until what is to come has come. */
const DRIVE_ZSH = `
zmodload zsh/zpty
zpty z zsh -f -i
all=''
await() { for i in {1..1200}; do zpty -r -t z r && all+=$r; [[ $all == *$1* ]] && return 0; sleep 0.05; done; return 1 }
zpty -w z "PS1='> '; autoload -Uz compinit; compinit -u -D; source $1; bindkey '^I' complete-word; print -r -- READY\\$((1+1))"
await READY2 || { print -r -- "not ready: $all"; exit 1 }
all=''
zpty -n -w z "belay $2"$'\\t'
await $3 || { print -r -- "$all" | cat -v; exit 1 }
`

const LINES = [
  ['ini', 'init', 't'],
  ['ledger ver', 'verify', 'ify'],
  ['ledger export --for', '--format', 'mat'],
  ['init --und', '--undo', 'o'],
] as const

test.each(LINES)('zsh: `belay %s` becomes %s', async (typed, _word, added) => {
  const file = await writeScript('zsh')
  const driver = join(folder, 'drive.zsh')
  writeFileSync(driver, DRIVE_ZSH)
  const env = { ...process.env, TERM: 'dumb', HOME: folder }
  const { status, stdout, stderr } = spawnSync('zsh', ['-f', driver, file, typed, added], { encoding: 'utf8', cwd: folder, env })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

test.each(LINES)('fish: `belay %s` becomes %s', async (typed, word) => {
  const file = await writeScript('fish')
  const ask = `source ${file}; complete -C 'belay ${typed}'`
  const { status, stdout, stderr } = spawnSync('fish', ['--no-config', '-c', ask], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  })
  expect([status, stdout.trim().split('\n'), stderr]).toEqual([0, [word], ''])
})
