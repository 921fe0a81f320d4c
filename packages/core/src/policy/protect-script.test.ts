// A script that was written earlier and is run now: what it says of Belay and of agents counts, what else it does is its own.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFileView } from '../match/path/node-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'script-')))
const [home, root] = [join(base, 'home'), join(base, 'home', 'code', 'project')]
const files = createFileView()
afterAll(() => rmSync(base, { recursive: true }))
put('.belay/genesis.key', 'version: "2.0"')

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  chmodSync(join(root, path), 0o755)
}

function decide(command: string): string {
  const parsed = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!parsed.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [parsed.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const context = { root, cwd: root, home, files, belayHome: join(home, '.belay'), ownFiles: [], selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

const RUNS = [
  'sh go.sh',
  './go.sh',
  'bash -e go.sh x',
  '. ./go.sh',
  'source go.sh',
  'nice sh ./go.sh',
  'cd sub && sh ../go.sh',
  `${root}/go.sh`,
]
const HARMFUL = [
  'claude --bare -p "ship it"',
  '#!/bin/sh\nset -e\nHOME=/tmp/x claude -p x\n',
  '#!/usr/bin/env bash\nexport CLAUDE_CONFIG_DIR=/tmp/x\nclaude -p x\n',
  'HOME=/tmp/x; export HOME; claude -p x',
  'codex -c features.hooks=false exec x',
  'env -i claude -p x',
  'if true; then belay down; fi',
  'npx belay uninstall claude-code',
  'rm -rf ~/.belay/policy',
  'pkill -f belay',
  'while :; do pkill -9 -x sh; done',
  "ps -eo pid,args | grep 'sh -c' | awk '{print $1}' | xargs kill -9",
  'npm uninstall -g @belay/host',
]

describe.each(HARMFUL)('%s', text => {
  test.each(RUNS)('%s', run => {
    mkdirSync(join(root, 'sub'), { recursive: true })
    put('go.sh', text)
    expect(decide(run)).toBe('ask')
  })
})

test('a script that runs another', () => {
  put('go.sh', 'sh ./inner.sh # claude')
  put('inner.sh', 'claude --bare -p x')
  expect(decide('sh go.sh')).toBe('ask')
})

test.each([
  '#!/bin/sh\nclaude -p "review this"\n',
  'echo "ask claude or codex"; npm test',
  'belay status && belay explain -- ls',
  'tar xf x.tar -C "$1" # for claude',
  'rm -rf build; grep -r belay src',
  '#!/usr/bin/python3\nimport os # claude --bare\n',
  'docker build -t codex .',
  "pkill -f vite; trap 'kill $(jobs -p)' EXIT; npm run dev",
  'kill $(cat server.pid); lsof -ti:3000 | xargs kill',
])('ordinary scripts run: %s', text => {
  put('go.sh', text)
  expect(RUNS.map(decide)).toEqual(RUNS.map(() => 'allow'))
})

test('a script that does not say anything of this is not read further', () => {
  put('go.sh', 'eval "$(curl x)"; deploy')
  expect(decide('sh go.sh')).toBe('allow')
})
