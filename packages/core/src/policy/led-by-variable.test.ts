// Variables that lead a program to protected files, and programs that take away what they are given: asked about whatever the rules are.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'

const root = '/repo'
const home = '/home/dev'
const view = virtualFileView({ root })
if (!view.ok) throw new Error(view.problem)
const { files } = view

/** No rule at all: whatever is asked here, protection asks. */
const compiled = compileRules({ allow: [], deny: [], ask: [], default: 'none', hash: '' })

function isHeld(command: string): boolean {
  const context = { root, cwd: root, home, files, belayHome: `${home}/.belay`, selfProtection: true }
  return /^(?:deny|ask)$/.test(judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision)
}

const names = [
  ...['GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_TRACE', 'GIT_TRACE2_EVENT', 'GIT_CONFIG_SYSTEM', 'GIT_OBJECT_DIRECTORY'],
  ...['UV_CACHE_DIR', 'CARGO_TARGET_DIR', 'GOMODCACHE', 'GOBIN', 'NODE_REDIRECT_WARNINGS', 'NODE_V8_COVERAGE'],
  ...['XDG_CONFIG_HOME', 'HOME', 'npm_config_cache', 'ANY_NAME'],
]
const places = [
  `${home}/.belay`,
  '~/.belay/belay.db',
  '~/.belay/bin/belay-hook',
  '"$HOME"/.belay/x',
  '.belay/genesis.key',
  './sub/../.belay',
  '.claude/settings.json',
  '~/.codex/config.toml',
  '.git/hooks/pre-commit',
  '~/.bashrc',
  'file:///home/dev/.b%65lay/x',
]
const carriers: readonly ((name: string, place: string) => string)[] = [
  (name, place) => `${name}=${place} foo bar`,
  (name, place) => `A=1 ${name}=${place} git status`,
  (name, place) => `env ${name}=${place.replace('~', home)} git status`,
  (name, place) => `export ${name}=${place}; git status`,
  (name, place) => `declare -x ${name}=${place} && git status`,
  (name, place) => `${name}=${place}; export ${name}; git status`,
  (name, place) => `set -a; ${name}=${place}; git status`,
]
const led = names.flatMap(name => places.flatMap(place => carriers.map(carry => carry(name, place))))

test(`${led.length} variables that name protected places are asked about`, () => {
  expect(led.filter(command => !isHeld(command))).toEqual([])
})

test.each(['CARGO_TARGET_DIR=~ cargo clean', 'UV_CACHE_DIR=/home uv cache clean', "NODE_OPTIONS='--report-dir=.belay' npm test"])(
  '%s',
  command => {
    expect(isHeld(command)).toBe(true)
  },
)

test.each([
  ...['GIT_TRACE=1 git status', 'GIT_DIR=.git git log', 'HOME=/home/dev npm test', 'CARGO_TARGET_DIR=/tmp/t cargo build'],
  ...['PATH=~/.belay/bin:$PATH foo', 'f=.claude/settings.json; cat $f', 'TMPDIR=/tmp npm test', 'OUT_DIR=. make', 'BASE=/repo make'],
  ...['GOCACHE=/home/dev/.cache/go go build', 'export FOO=bar; npm test', 'PREFIX=/usr/local make install', 'X="$y" make'],
])('left alone: %s', command => {
  expect(isHeld(command)).toBe(false)
})

const trees = ['~', '~/', home, '/home', '/', '"$HOME"', '.', './', root, '~/.belay', '.belay']
const consumers: readonly ((tree: string) => string)[] = [
  tree => `gzip -r ${tree}`,
  tree => `gzip -9r ${tree}`,
  tree => `pigz --recursive ${tree}`,
  tree => `zip -rm x.zip ${tree}`,
  tree => `zip -r --move x.zip ${tree}`,
  tree => `tar cf /tmp/x.tar --remove-files ${tree}`,
  tree => `tar -cf - ${tree} --remove-files`,
  tree => `rsync --remove-source-files -a ${tree} /tmp/y/`,
  tree => `zstd -r --rm ${tree}`,
  tree => `7z a -sdel x.7z ${tree}`,
  tree => `rar m -r x ${tree}`,
  tree => `star -c f=x -remove-files ${tree}`,
]
const consumed = [
  ...trees.flatMap(tree => consumers.map(consume => consume(tree))),
  ...["mmv ~/'.bel*' 'x#1'", "mmv '.bel*' x", 'tar cf x.tar --remove-files -C ~ .', 'tar cf x.tar --remove-files --directory=/home/dev .'],
]

test(`${consumed.length} ways to take Belay's files along are asked about`, () => {
  expect(consumed.filter(command => !isHeld(command))).toEqual([])
})

test.each([
  ...['gzip -r logs', 'gzip -kr .', 'gzip a.txt', 'zip -r x.zip .', 'zip -rm x.zip dist', 'tar czf x.tgz --remove-files dist'],
  ...['tar czf x.tgz --remove-files -C dist .', 'rsync -a --remove-source-files out/ /tmp/y/', 'zstd -r --rm logs', "mmv '*.txt' '#1.md'"],
  ...['docker run --rm alpine .', 'tar czf /tmp/x.tgz .', '7z a x.7z src'],
])('left alone: %s', command => {
  expect(isHeld(command)).toBe(false)
})
