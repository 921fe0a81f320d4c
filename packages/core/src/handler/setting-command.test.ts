import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runFileSuggestion, runStatusLine } from './setting-command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'belay-setting-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

describe('status line', () => {
  it.each([
    ['printf "one\\ntwo\\n"', ['one', 'two']],
    ['printf "  indented  \\r\\nnext"', ['  indented  ', 'next']],
    ['true', null],
    ['echo partial; exit 1', null],
    ['kill -9 $$', null],
    ['nowhere-at-all', null],
  ])('%s', async (command, lines) => {
    expect(await runStatusLine(command, {}, { cwd })).toEqual(lines)
  })

  it('gets its context on stdin', async () => {
    expect(await runStatusLine('cat', { model: { id: 'm' } }, { cwd })).toEqual(['{"model":{"id":"m"}}'])
  })

  it.each([
    ['takes too long', 'sleep 60', { cwd, limitMs: 100 }],
    ['is switched off', 'echo status', { cwd, disableAllHooks: true }],
    ['has no working directory', 'echo status', { cwd: join(cwd, 'gone') }],
  ])('gives none when it %s', async (_title, command, options) => {
    expect(await runStatusLine(command, {}, options)).toBeNull()
  })
})

describe('file suggestion', () => {
  it('gets the query and gives paths', async () => {
    const command = `read line; case $line in *'"query":"src/co"'*) printf 'src/core.ts\\n\\nsrc/with space.ts\\n';; esac`
    expect(await runFileSuggestion(command, 'src/co', { cwd })).toEqual(['src/core.ts', 'src/with space.ts'])
  })

  it.each([
    ['fails', 'echo a; exit 3', { cwd }],
    ['takes too long', 'echo a; sleep 60', { cwd, limitMs: 100 }],
    ['is switched off', 'echo a', { cwd, disableAllHooks: true }],
  ])('gives none when it %s', async (_title, command, options) => {
    expect(await runFileSuggestion(command, 'q', options)).toEqual([])
  })
})
