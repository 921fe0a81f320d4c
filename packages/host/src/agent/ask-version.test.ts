import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askVersion } from './ask-version.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-ask-version-'))
const home = join(folder, 'home')
const env = { PATH: process.env.PATH, HOME: home }

beforeAll(() => mkdirSync(home))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, script: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

test.each([
  ['says it on stdout', 'echo "agent 1.2.3"', 'agent 1.2.3'],
  ['says it on stderr', 'echo "agent 1.2.3" >&2', 'agent 1.2.3'],
  ['says more than that', 'echo "agent 1.2.3"; echo "and a hint"', 'agent 1.2.3'],
  ['writes into its home', 'echo x > "$HOME/state.tmp"; echo 1.2.3', '1.2.3'],
  ['fails', 'echo 1.2.3; exit 1', null],
])('a program that %s', (title, script, said) => {
  expect(askVersion(program(title.replaceAll(' ', '-'), script), env)).toBe(said)
  expect(readdirSync(home)).toEqual([])
})

test('a program that is not there', () => {
  expect(askVersion(join(folder, 'none'), env)).toBe(null)
})

test('a program that a version manager finds through the real home', () => {
  const manager = program('manager', 'exec "$HOME/versions/agent" "$@"')
  mkdirSync(join(home, 'versions'))
  program('home/versions/agent', 'echo 4.5.6')
  expect(askVersion(manager, env)).toBe('4.5.6')
})
