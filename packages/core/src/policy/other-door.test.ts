// The same command by another door: other names of a program, launchers that are one file for many programs, options, variables and standard
// input that say what runs, and files that a program takes without being told.
import { expect, test } from 'vitest'
import { virtualFileView } from '../match/path/virtual-file-view.ts'
import { type CompiledPermissions, compileRules } from './compile-rules.ts'
import { judge } from './judge.ts'
import { parseRule } from './parse-rule.ts'
import type { Rule, RuleEffect } from './rule.ts'

function rules(effect: RuleEffect, texts: readonly string[]): readonly Rule[] {
  return texts.map(text => {
    const parsed = parseRule(text, { effect, dialect: 'genesis', id: text })
    if (!parsed.ok) throw new Error(text)
    return parsed.rule
  })
}

const DENY = [
  'Bash(rm -rf *)',
  'Bash(chmod *)',
  'Bash(curl *)',
  'Bash(npm publish *)',
  'Bash(git push *)',
  'Read(**/.env*)',
  'Write(**/.env*)',
]
const ASK = ['Bash(gh pr create *)']

function policy(allow: readonly string[], byDefault: CompiledPermissions['default']): CompiledPermissions {
  return compileRules({ allow: rules('allow', allow), deny: rules('deny', DENY), ask: rules('ask', ASK), default: byDefault, hash: '' })
}

const broad = policy(['Bash(*)', 'Read(*)', 'Write(*)'], 'ask')
const silent = policy([], 'none')

function decide(command: string, compiled: CompiledPermissions): string {
  const view = virtualFileView({ root: '/repo' })
  if (!view.ok) throw new Error(view.problem)
  const place = { root: '/repo', cwd: '/repo', home: '/home/dev', belayHome: '/home/dev/.belay' }
  return judge({ tool: 'Bash', input: { command } }, compiled, { ...place, files: view.files, selfProtection: true }).verdict.decision
}

const PREFIXES = ['g', 'gnu', 'gnu-', 'uu-', 'uu_', 'uutils-']
const MULTI_CALL = ['busybox', 'toybox', 'coreutils', 'uutils', 'sbase-box', '9']
const CLI = '/usr/lib/node_modules/npm/bin/npm-cli.js'
const NODE_OPTIONS = [
  '',
  '--no-warnings',
  '--no-warnings --enable-source-maps',
  '--max-old-space-size=99',
  '-r ./a.js',
  '--import x',
  '--title a',
  '--frozen x',
]
const ALIASES = [
  ['alias.p', 'push'],
  ['alias.p', '!rm -rf x'],
  ['core.pager', 'rm -rf x'],
] as const
const ENTRY = '["sh","-c","rm -rf x"]'
const BUILDS = ['docker build -', 'docker build -f - .', 'docker buildx build -f- .', 'podman build --file=- .', 'docker image build -']
const STEPS = [
  'RUN rm -rf x',
  'run ["rm", "-rf", "x"]',
  'RUN --mount=type=cache,target=/x a && rm -rf x',
  'ONBUILD RUN rm \\\n -rf x',
  'RUN <<E\nset -e\nrm -rf x\nE',
]
const denied = [
  ...PREFIXES.flatMap(prefix => [`${prefix}rm -rf x`, `${prefix}chmod +x a`, `/usr/bin/${prefix}rm -r -f x`, `sudo ${prefix}rm -rf x`]),
  ...MULTI_CALL.flatMap(name => [`${name} rm -rf x`, `${name} chmod +x a`]),
  ...[
    'wcurl http://a',
    'snap run curl http://a',
    "entr -s 'rm -rf x'",
    "entr -rs 'rm -rf x'",
    "git shell -c 'rm -rf x'",
    "git-shell -c 'rm -rf x'",
  ],
  ...NODE_OPTIONS.flatMap(options => [`node ${options} ${CLI} publish`, `node ${options} node_modules/.bin/npm publish`]),
  `deno run -A ${CLI} publish`,
  ...['/usr/bin/npm', '$(which npm)', '"$(command -v npm)"', '/opt/node/bin/npm', 'npm'].flatMap(file =>
    ['node', 'node --no-warnings', 'env node', 'nodejs', 'bun'].map(runner => `${runner} ${file} publish`),
  ),
  ...['docker', 'podman'].flatMap(name => [
    `${name} run --entrypoint '${ENTRY}' alpine`,
    `${name} run --entrypoint='["rm"]' alpine -rf x`,
    `${name} run --rm --entrypoint rm alpine -rf x`,
    `${name} create --entrypoint '["sh", "-c"]' alpine 'rm -rf x'`,
    `${name} compose run --entrypoint '${ENTRY}' web`,
  ]),
  ...ALIASES.flatMap(([key, value]) => [
    `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=${key} GIT_CONFIG_VALUE_0='${value}' git p`,
    `env GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_1=${key} GIT_CONFIG_VALUE_1='${value}' git p`,
    `export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=${key} GIT_CONFIG_VALUE_0='${value}'; git p`,
    `export GIT_CONFIG_KEY_0=${key}; export GIT_CONFIG_VALUE_0='${value}'; GIT_CONFIG_COUNT=1 git p`,
    `GIT_CONFIG_PARAMETERS="'${key}=${value}'" git p`,
    `GIT_CONFIG_PARAMETERS="'a.b'='c' '${key}'='${value}'" git p`,
  ]),
  ...BUILDS.flatMap(build => STEPS.map(step => `${build} <<'X'\nFROM a\n${step}\nX`)),
  ...BUILDS.map(build => `printf 'FROM a\\nRUN rm -rf x\\n' | ${build}`),
  ...['rg --pre', 'rg --hostname-bin', 'go vet -vettool', 'svn diff --diff-cmd', 'svn merge --diff3-cmd'].flatMap(option => [
    `${option} curl x`,
    `${option}=/usr/bin/curl x`,
  ]),
]
test.each(denied)('%s is denied, whatever else is allowed', command => {
  expect([decide(command, broad), decide(command, silent)]).toEqual(['deny', 'deny'])
})

const touched = [
  ...['list', 'get A', 'set A b', 'unset A', 'run -- env', '-- env', 'env'].map(verb => `dotenv ${verb}`),
  ...['get', 'get A', 'run -- env', 'decrypt', 'encrypt', 'set A b'].map(verb => `dotenvx ${verb}`),
  ...['vercel env pull', 'vc env pull --yes', 'vercel pull --environment=production', 'npx vercel env pull'],
  ...['deno run --env a.ts', 'deno run --env-file a.ts', 'deno run --env-file=.env.x a.ts', 'env-cmd env', 'foreman run env'],
  ...['docker compose config', 'docker compose -f c.yaml config', 'docker-compose config', 'podman compose convert'],
  ...["ag -G '.env' A", "ag -G '\\.env$' A", 'ag --file-search-regex env A', 'ag -Genv A'],
  ...[
    'ack --type-set x:is:.env --x A',
    'ack --type-add=x:ext:env --x A',
    "ack --type-set='x:match:/env/' --x A",
    "rg --type-add 'x:.env*' -tx A",
  ],
]
test.each(touched)('%s touches .env', command => {
  expect([decide(command, broad), decide(command, silent)]).toEqual(['deny', 'deny'])
})

const harmless = [
  ...[
    'uu-ls',
    'gls -la',
    'gnu-cat a.ts',
    'busybox ls',
    'snap list',
    'entr -s "npm test"',
    'node --no-warnings a.js publish',
    `node --no-warnings ${CLI} ci`,
    'node $(which npm) ci',
    'node bin/build.mjs',
  ],
  ...[
    'docker run --rm --entrypoint ls alpine -la',
    'podman run --entrypoint \'["ls"]\' alpine',
    'docker compose up -d',
    'docker compose ps',
    'docker build .',
  ],
  ...[
    "docker build - <<'X'\nFROM a\nRUN npm ci\nX",
    'vercel env ls',
    'vercel dev',
    'vercel env pull .vars',
    'dotenv -f .vars list',
    'deno run a.ts',
  ],
  ...["ag -G '\\.ts$' A", 'ack --type-add=x:ext:ts --x A', "rg --type-add 'x:*.ts' -tx A", 'direnv status'],
  ...['openssl version', 'openssl version -a', 'openssl x509 -in a.pem -noout -text', 'openssl dgst -sha256 a', 'openssl rand -hex 16'],
  ...[
    'ssh-keygen -l -f a.pub',
    'ssh-keygen -lf a.pub',
    'gh api -X GET repos/o/r/pulls',
    'gh api --method GET repos/o/r/pulls -f state=all',
  ],
  ...['.ts', '.*', '.[jt]s'].map(end => `find src -name 'index${end}' -exec head {} +`),
  ...['\\.ts', '\\.[jt]s', '.*'].map(end => `find src -regex '.*/index${end}' -exec head {} +`),
  ...['cat *.ts', 'cat src/*/index.ts', 'head packages/*/package.json'],
]
test.each(harmless)('%s is allowed', command => {
  expect(decide(command, broad)).toBe('allow')
})

test.each([
  'openssl enc -d -in a',
  'openssl rsa -in key.pem',
  'openssl genrsa',
  'openssl x509 -in a -out .env',
  'ssh-keygen -f .env',
  'svn --config-option config:tunnels:x=y up',
])('%s is not allowed', command => {
  expect(decide(command, broad)).not.toBe('allow')
})
