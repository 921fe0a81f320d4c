// The script is run by a real bash; the lists of the other shells hold every command too.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createTestIo } from './fixtures/test-io.ts'
import { firstScreen, foldHelp, HELP, helpTopic, topics } from './help.ts'
import { buildProgram, runProgram } from './program.ts'

async function script(shell: string) {
  const { io, written } = createTestIo({ env: {}, cwd: '/', etc: '/' })
  return { code: await runProgram(['completion', shell], io), ...written }
}

async function offered(...typed: readonly string[]): Promise<readonly string[]> {
  const { out } = await script('bash')
  const words = ['belay', ...typed].map(word => `'${word}'`).join(' ')
  const ask = `${out}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _belay; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
  return stdout.trim().split('\n')
}

test.each<[readonly string[], readonly string[]]>([
  [['ini'], ['init']],
  [['appr'], ['approve', 'approvals']],
  [['ledger', 'ver'], ['verify']],
  [['ledger', 'export', '--for'], ['--format']],
  [['init', '--u'], ['--undo']],
  [
    ['install', 'cl'],
    ['claude-code', 'cline'],
  ],
  [['uninstall', '--user', 'ope'], ['opencode']],
  [['doctor', 'cop'], ['copilot']],
  [['completion', 'z'], ['zsh']],
  // A value that is not a command does not lead astray.
  [['explain', '--actor', 'ledger', '--js'], ['--json']],
  [['run', '--', 'ini'], ['']],
])('%j offers %j', async (typed, expected) => {
  expect(await offered(...typed)).toEqual(expected)
})

test.each(['bash', 'zsh', 'fish'])('%s: every command and sub-command is there', async shell => {
  const { out, code } = await script(shell)
  const { io } = createTestIo({ env: {}, cwd: '/', etc: '/' })
  const names = buildProgram(io, { code: 0 }).commands.flatMap(each => [
    each.name(),
    ...each.commands.map(inner => `${each.name()} ${inner.name()}`),
  ])
  expect([code, names.filter(name => !out.includes(`'${name}'`))]).toEqual([0, []])
})

test('another shell is refused with those there are', async () => {
  expect(await script('fisch')).toMatchObject({ code: 2, err: expect.stringContaining('fish') })
})

test('belay alone is a screenful', () => {
  const lines = firstScreen().split('\n')
  expect([lines.length <= 24, lines.filter(line => line.length > 100)]).toEqual([true, []])
})

test.each([40, 60, 80, 120])('on a terminal of %i columns every line of the lists has room, and no word is lost', width => {
  for (const text of [firstScreen(), HELP, ...topics().map(topic => helpTopic(topic) ?? '')]) {
    const folded = foldHelp(text, width)
    expect(folded.split('\n').filter(line => line.length > width)).toEqual([])
    expect(folded.split(/\s+/)).toEqual(text.split(/\s+/))
  }
})

test('every topic of the first screen has its part of the list', () => {
  expect(topics()).toEqual(['setup', 'daemon', 'policy', 'work', 'fleet', 'accountability', 'ledger', 'team'])
  expect(
    topics()
      .map(topic => helpTopic(topic)?.split('\n').length ?? 0)
      .every(lines => lines > 3),
  ).toBe(true)
  expect([helpTopic('policy')?.includes('genesis validate'), helpTopic('nope')]).toEqual([true, null])
})

test('help of what does not exist says so in one line, with the topics there are', async () => {
  const { io, written } = createTestIo({ env: {}, cwd: '/', etc: '/' })
  expect(await runProgram(['help', 'nope'], io)).toBe(2)
  expect(written).toMatchObject({
    out: '',
    err: expect.stringMatching(/^belay: there is neither a command nor a topic `nope`.*setup, daemon.*\n$/),
  })
})
