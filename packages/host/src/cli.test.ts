// The command as people start it: bundled, spawned, under both of its names.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const host = fileURLToPath(new URL('..', import.meta.url))
const core = join(host, '..', 'core', 'src')
const temp = mkdtempSync(join(tmpdir(), 'belay-cli-'))
const project = join(temp, 'project')

beforeAll(async () => {
  const subpaths = ['policy', 'match', 'ledger', 'adapter', 'dialect'].map(name => [`@belay/core/${name}`, join(core, name, 'index.ts')])
  const bundle = await rolldown({
    input: { cli: join(host, 'src', 'cli.ts') },
    platform: 'node',
    external: [/^libsql/, /^@libsql/],
    resolve: { alias: { ...Object.fromEntries(subpaths), '@belay/core': join(core, 'index.ts') }, mainFields: ['module', 'main'] },
  })
  await bundle.write({
    dir: join(temp, 'dist'),
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  writeFileSync(join(temp, 'package.json'), '{"type":"module"}')
  mkdirSync(project)
  mkdirSync(join(temp, 'path'))
  for (const folder of ['bin', 'native']) cpSync(join(host, folder), join(temp, folder), { recursive: true })
  for (const name of ['belay', 'mentu']) symlinkSync(join(temp, 'bin', 'belay.cjs'), join(temp, 'path', name))
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

function sh(script: string): { status: number | null; stdout: string; stderr: string } {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, PATH: `${join(temp, 'path')}:${env.PATH}`, BELAY_HOME: join(temp, 'home'), HOME: temp },
  })
  return { status, stdout, stderr }
}

test('--version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(host, 'package.json'), 'utf8')) as { version: string }
  expect(sh('belay --version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
})

test.each([
  ['belay', /^belay [\d.]+: one policy, one daemon, every agent\n\n {2}belay init /],
  ['belay --help', /\n {2}ledger show ID /],
  ['belay help', /\n {2}ledger show ID /],
])('%s shows its first screen', (command, screen) => {
  expect(sh(command)).toMatchObject({ status: 0, stdout: expect.stringMatching(screen), stderr: '' })
})

test('the verification commands of the genesis.key document, as written', () => {
  const script = `
cat > "$HOME/test-genesis.key" << 'EOF'
version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(rm *)"
      type: deny
      config:
        reason: "Delete commands blocked"
permissions:
  actors:
    agent:executor:
      allow:
        - "Bash(git *)"
      deny:
        - "Bash(rm -rf *)"
EOF
mentu genesis validate "$HOME/test-genesis.key" >/dev/null && echo valid
mentu hooks test-pattern "Bash(git *)" "Bash" "git commit -m test"
mentu hooks test-pattern "Bash(rm -rf *)" "Bash" "rm -rf /"
mentu hooks test-pattern "Write(src/*)" "Write" "src/components/Button.tsx"
mkdir -p .mentu && cp "$HOME/test-genesis.key" .mentu/genesis.key
mentu policy trust >/dev/null
mentu hooks simulate --tool Bash --args "git status" --actor agent:executor 2>/dev/null | grep result:
rm -r .mentu
mentu policy trust --none >/dev/null
`
  expect(sh(script)).toEqual({ status: 0, stdout: 'valid\nmatch\nmatch\nmatch\nresult: allow\n', stderr: '' })
})

describe('exit codes', () => {
  test.each([
    ['belay hooks test-pattern "Bash(git *)" Bash "git x"', 0],
    ['belay hooks test-pattern "Bash(git *)" Bash ls', 1],
    ['belay hooks test-pattern "Bash(git" Bash ls', 2],
    ['belay hooks test-pattern "Bash(git *)" Bash', 2],
    ['belay nonsense', 2],
    ['belay genesis validate', 1],
    ['belay genesis init && belay explain -- "git push"', 3],
    ['belay explain -- "sudo ls"', 1],
    ['belay explain -- "git status"', 0],
    ['belay genesis show | head -n 1', 0],
  ])('%s', (command, status) => {
    expect(sh(command).status).toBe(status)
  })
})

test('decide --batch answers line by line', () => {
  const { stdout } = sh(`echo '{"id":7,"tool":"Bash","input":{"command":"ls"},"allow":["Bash(ls *)"]}' | belay decide --batch`)
  expect(JSON.parse(stdout)).toMatchObject({ id: 7, decision: 'allow' })
})

test('config inspect reads JSON with comments', () => {
  writeFileSync(join(project, 'settings.json'), '{ /* c */ "hooks": {} }')
  expect(JSON.parse(sh('belay config inspect settings.json --json').stdout)).toMatchObject({ parse: 'tolerant', hooks: 0 })
})

test('a crash is exit 2 with its stack, never a yes or a no', () => {
  const broken = join(temp, 'broken')
  cpSync(join(host, 'bin'), join(broken, 'bin'), { recursive: true })
  mkdirSync(join(broken, 'dist'))
  writeFileSync(join(broken, 'package.json'), '{"type":"module"}')
  writeFileSync(join(broken, 'dist', 'cli.cjs'), "require('no-such-package')\n")
  expect(sh(`node "${join(broken, 'bin', 'belay.cjs')}"`)).toMatchObject({ status: 2, stderr: expect.stringMatching(/no-such-package/) })
})

test('it can be started as a module', () => {
  expect(sh(`node "${join(temp, 'bin', 'belay.mjs')}" --version`)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\./) })
})

test.each([
  ['an index that cannot be read', () => 'no index'],
  ['an index that names nothing', () => JSON.stringify({ packs: {}, files: {} })],
  [
    'an index that names a pack which is not there',
    (names: readonly string[]) =>
      JSON.stringify({ packs: { 'gone.pack': 8 }, files: Object.fromEntries(names.map(name => [name, ['gone.pack', 0, 8, 8, null]])) }),
  ],
])('a code cache with %s changes nothing', (_name, indexOf) => {
  const dist = copyBuild()
  const cache = join(dist, `code-v8-${process.versions.v8}-${process.arch}`)
  mkdirSync(cache)
  writeFileSync(join(cache, 'index.json'), indexOf(readdirSync(dist).filter(name => name.endsWith('.cjs') && name !== 'cli.cjs')))
  expect(testPattern(cache)).toEqual(sh('belay hooks test-pattern "Bash(git *)" Bash "git log"'))
})

test('a code cache that V8 refuses changes nothing', () => {
  const dist = copyBuild()
  const cache = join(dist, `code-v8-${process.versions.v8}-${process.arch}`)
  mkdirSync(cache)
  const names = readdirSync(dist).filter(name => name.endsWith('.cjs') && name !== 'cli.cjs')
  const pieces = names.map(name => [name, wrap(readFileSync(join(dist, name), 'utf8'))] as const)
  const files: Record<string, unknown> = {}
  let pack = ''
  for (const [name, source] of pieces) {
    const part = source + ' '.repeat((-source.length & 7) + 64)
    files[name] = ['all.pack', pack.length, source.length, part.length, null]
    pack += part
  }
  writeFileSync(join(cache, 'all.pack'), pack)
  writeFileSync(join(cache, 'index.json'), JSON.stringify({ packs: { 'all.pack': pack.length }, files }))
  expect(testPattern(cache)).toEqual(sh('belay hooks test-pattern "Bash(git *)" Bash "git log"'))
})

/** As the loader calls it, and in ASCII, as the build writes it. */
function wrap(code: string): string {
  const text = code.replace(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `(function (exports, require, module, __filename, __dirname) {${text}\n})`
}

/** Of the built command without its code cache; gives the folder of the bundle. */
function copyBuild(): string {
  const copy = mkdtempSync(join(temp, 'copy-'))
  for (const folder of ['bin', 'dist']) cpSync(join(temp, folder), join(copy, folder), { recursive: true })
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  return join(copy, 'dist')
}

function testPattern(cache: string): ReturnType<typeof sh> {
  return sh(`node "${join(cache, '..', '..', 'bin', 'belay.cjs')}" hooks test-pattern "Bash(git *)" Bash "git log"`)
}

test('output that nobody reads is exit 2, without a stack', () => {
  const gone = 'until [ -e gone ]; do sleep 0.05; done'
  expect(sh(`{ ${gone}; belay --help; echo "$?" >&2; } | { exec <&-; touch gone; }`)).toMatchObject({ stderr: '2\n' })
})

test('a full pipe that another process made non-blocking still gets every line', () => {
  const line = JSON.stringify({ tool: 'Bash', input: { command: `ls ${'x'.repeat(1000)}` }, allow: ['Bash(ls *)'] })
  writeFileSync(join(project, 'batch.jsonl'), `${line}\n`.repeat(500))
  const stay = `setInterval(() => fs.existsSync('decided') && process.exit(), 20)`
  const other = `node -e "process.stdout.write('other\\n', () => fs.writeFileSync('ready', '')); ${stay}"`
  const until = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`
  const decide = `${until('ready')}; belay decide --batch < batch.jsonl; touch decided; wait`
  // Whoever reads comes late: the pipe is full by then.
  const { stdout } = sh(`{ ${other} & ${decide}; } | { read first; sleep 1; grep -c decision; }`)
  expect(stdout).toBe('500\n')
})

test('a hook call that finds no daemon starts one', () => {
  symlinkSync(join(host, '..', '..', 'node_modules'), join(temp, 'node_modules'))
  const payload = JSON.stringify({ session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command: 'ls' } })
  const { stderr } = sh(`echo '${payload}' | belay hook --agent claude-code --event PreToolUse`)
  const wait = 'i=0; until belay status || [ "$i" = 100 ]; do i=$((i + 1)); sleep 0.1; done'
  const { stdout } = sh(`{ ${wait}; } > status.txt 2>&1; belay down`)
  expect({ stderr, stdout }).toMatchObject({ stderr: '', stdout: expect.stringMatching(/^belay is down \(pid \d+ has ended\)/) })
})

test('a signal that comes twice, as through npx, ends the daemon in order', () => {
  const wait = 'i=0; until belay status || [ "$i" = 100 ]; do i=$((i + 1)); sleep 0.1; done'
  const script = `node "${join(temp, 'bin', 'belay.cjs')}" up --port 0 & { ${wait}; } > status.txt 2>&1; kill -TERM $! $!; wait $!; echo "ended $?"; belay status`
  expect(sh(script).stdout).toMatch(/ended 0\ndown/)
})

test('a signal that comes while the daemon starts ends it in order', () => {
  const begun = 'until [ -n "$(ls "$BELAY_HOME" 2>/dev/null)" ]; do sleep 0.01; done'
  const up = `node "${join(temp, 'bin', 'belay.cjs')}" up --port 0`
  const { stdout } = sh(`export BELAY_HOME="$HOME/early"; ${up} & ${begun}; kill -TERM $!; wait $!; echo "ended $?"; belay status`)
  expect(stdout).toMatch(/ended 0\ndown/)
})

test('a daemon whose files are replaced under it still runs hooks', () => {
  const copy = join(temp, 'replaced')
  for (const folder of ['bin', 'dist']) cpSync(join(temp, folder), join(copy, folder), { recursive: true })
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  const policy = 'version: "2.0"\nhooks:\n  pre_tool_use:\n    - {type: command, config: {command: "echo no make >&2; exit 2"}}\n'
  const payload = JSON.stringify({ session_id: 's', cwd: join(temp, 'made'), tool_name: 'Bash', tool_input: { command: 'make' } })
  const script = `
export BELAY_HOME="$HOME/r" BELAY_NO_AUTOSTART=1
mkdir -p "$HOME/made/.belay" && cd "$HOME/made" && printf '%s' '${policy}' > .belay/genesis.key && belay policy trust > trust.txt
node "${join(copy, 'bin', 'belay.cjs')}" up --port 0 > up.txt 2>&1 &
until grep -qs 'everything is loaded' "$BELAY_HOME"/log/*; do sleep 0.05; done
rm -r "${join(copy, 'dist')}"
echo '${payload}' | belay hook --agent claude-code --event PreToolUse
belay down > down.txt`
  expect(sh(script)).toMatchObject({ stdout: expect.stringContaining('no make'), stderr: '' })
})

test('a copy that is not built says so', () => {
  const bare = join(temp, 'bare')
  cpSync(join(host, 'bin'), join(bare, 'bin'), { recursive: true })
  expect(sh(`node "${join(bare, 'bin', 'belay.cjs')}"`)).toMatchObject({ status: 2, stderr: expect.stringMatching(/not built yet/) })
})
