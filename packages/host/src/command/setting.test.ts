// The status line and file suggestions are switched off together with all hooks, wherever that is written.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSetup, type SetupWorld } from '../guard/fixtures/setup-world.ts'
import { readSetting } from './setting.ts'

let world: SetupWorld

beforeEach(async () => {
  world = await openSetup({
    title: 'settings',
    files: { 'home/config.toml': '[statusline]\ncommand = "echo line"\n[file_suggestion]\ncommand = "echo file"\n' },
    isTrusted: false,
    agent: 'claude-code',
    rules: null,
  })
})
afterEach(() => world.remove())

async function read(): Promise<readonly (string | null)[]> {
  const { place, project } = world
  return [await readSetting(place, project, 'statusline'), await readSetting(place, project, 'fileSuggestion')]
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test('they are what config.toml says', async () => {
  expect(await read()).toEqual(['echo line', 'echo file'])
})

test.each([
  ['hooks.toml', 'disable_all_hooks = true\n'],
  ['hooks.json', '{"disableAllHooks": true}'],
])('they are off by %s of the user', async (name, text) => {
  write(join(world.home, name), text)
  expect(await read()).toEqual([null, null])
})

test('a file of the project that nobody trusts switches nothing off', async () => {
  write(join(world.project, '.belay', 'hooks.toml'), 'disable_all_hooks = true\n')
  expect(await read()).toEqual(['echo line', 'echo file'])
})
