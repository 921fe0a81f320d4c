// The examples of the genesis.key document, word for word: what each says happens, happens.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createToolPipeline, renderToolResult } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { parseAst } from 'rolldown/parseAst'
import { transformSync } from 'rolldown/utils'
import { afterEach, describe, expect, test } from 'vitest'
import { virtualFileView } from '../../packages/core/src/match/path/virtual-file-view.ts'
import { callMatches } from '../../packages/core/src/policy/call-matches.ts'
import { runDaemon, type TestDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'
import { readBlock } from './read-blocks.ts'

let daemon: TestDaemon | null = null
afterEach(async () => {
  await daemon?.stop()
  daemon = null
})

function pipelineOf(text: string, actor: string, ran: unknown[]) {
  const parsed = parseGenesis(text, 'genesis.key')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const tools = ['Bash', 'Write'].map(name => ({ name, execute: (input: unknown) => void ran.push(input) }))
  return createToolPipeline({ policies: [parsed.policy], tools, actor })
}

test('example 1: the command is denied with its reason, and another way is open', async () => {
  const ran: unknown[] = []
  const { runTool } = pipelineOf(readBlock('genesis', 542), 'agent:executor', ran)
  const denied = await runTool('Bash', { command: 'rm -rf /tmp/stuff' })
  expect(renderToolResult(denied)).toBe('Tool denied: Recursive force delete is never allowed')
  expect((await runTool('Bash', { command: 'rm -r /tmp/stuff' })).status).toBe('succeeded')
  expect(ran).toEqual([{ command: 'rm -r /tmp/stuff' }])
})

test('example 2: a written file is an entry with path, difference and actor', async () => {
  daemon = await runDaemon({ policy: readBlock('genesis', 559) })
  const file = join(daemon.project, 'notes.md')
  const call = { tool_name: 'Write', tool_input: { file_path: file, content: 'new\n' }, tool_use_id: 't1' }
  await daemon.hook('PreToolUse', call)
  writeFileSync(file, 'new\n')
  await daemon.hook('PostToolUse', { ...call, tool_response: 'ok' })
  const [entry] = await daemon.entries('file_change')
  expect([entry?.actor, entry?.read.files]).toEqual([
    'agent:claude-code',
    [expect.objectContaining({ path: file, change: 'created', diff: expect.stringContaining('+new') })],
  ])
})

test('example 3: an architect cannot write, and is told who can', async () => {
  const ran: unknown[] = []
  const { runTool } = pipelineOf(readBlock('genesis', 576), 'agent:architect', ran)
  const { status, reason } = await runTool('Write', { file_path: 'src/index.ts', content: '' })
  expect([status, reason, ran]).toEqual([
    'denied',
    expect.stringMatching(/^Architects cannot write files\. Create a commitment for an Executor\./),
    [],
  ])
})

test('the completion contract: files, checks that are on, and commitments hold up the end of the turn', async () => {
  daemon = await runDaemon({ policy: 'version: "2.0"\nhooks:\n  stop:\n    - { type: final_validation, timeout: 120 }\n' })
  mkdirSync(join(daemon.project, '.claude'))
  const contract = readBlock('genesis', 114)
  writeFileSync(join(daemon.project, '.claude', 'completion.json'), contract)
  const scripts = { tsc: 'exit 4', build: 'exit 3', test: 'touch ran-tests' }
  writeFileSync(join(daemon.project, 'package.json'), JSON.stringify({ name: 'x', scripts }))
  const { decision, reason = '' } = await daemon.hook('Stop', { stop_hook_active: false })
  expect(decision).toBe('block')
  const { required_files: files } = JSON.parse(contract) as { required_files: string[] }
  for (const file of files) expect(reason).toContain(`the file ${file} is missing`)
  expect(reason).toMatch(/tsc failed with exit code 4/)
  expect(reason).toMatch(/build failed with exit code 3/)
  expect(reason).not.toContain('npm run --silent test')
  expect(reason).toMatch(/commitment/)
})

test('the verification commands, as they stand', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-verification-')))
  const project = join(folder, 'project')
  mkdirSync(join(project, '.mentu'), { recursive: true })
  symlinkSync(fileURLToPath(new URL('../../packages/host/bin/belay.cjs', import.meta.url)), join(folder, 'mentu'))
  // The folder for temporary files is one of our own.
  const script = readBlock('genesis', 500).replaceAll('/tmp/', `${folder}/`)
  const [policy = ''] = script
    .split("<< 'EOF'\n")
    .slice(1)
    .map(rest => rest.split('EOF\n')[0])
  writeFileSync(join(project, '.mentu', 'genesis.key'), policy)
  const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env
  const env = { ...rest, PATH: `${folder}:${rest.PATH}`, HOME: folder, BELAY_HOME: join(folder, 'home') }
  const sh = (text: string) => spawnSync('sh', ['-c', text], { cwd: project, env, encoding: 'utf8' })
  sh('mentu policy trust')
  const { status, stdout, stderr } = sh(script)
  rmSync(folder, { recursive: true })
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(
    /test-genesis\.key: valid \(version 2\.0, 1 hook, 2 rules, \w+\)\nmatch\nmatch\nmatch\nPreToolUse Bash by agent:executor\n/,
  )
  expect(stdout).toMatch(/1\. {2}deny {2}Bash\(rm \*\) {2}does not match\n[\s\S]*\nresult: allow\n/)
})

describe('the types', () => {
  const { body } = parseAst(readBlock('genesis', 184), { lang: 'ts' })
  const textsOf = (name: string): readonly string[] => {
    const found = body.find(node => node.type === 'TSTypeAliasDeclaration' && node.id.name === name)
    return [...JSON.stringify(found).matchAll(/"value":"(\w+)"/g)].map(([, text = '']) => text)
  }
  const fieldsOf = (name: string): readonly string[] => {
    const found = body.find(node => node.type === 'TSInterfaceDeclaration' && node.id.name === name)
    if (found?.type !== 'TSInterfaceDeclaration') throw new Error(`there is no interface ${name}`)
    return found.body.body.flatMap(node => (node.type === 'TSPropertySignature' && node.key.type === 'Identifier' ? [node.key.name] : []))
  }

  test('every HookType is a type of a hook in genesis.key', () => {
    const configs: Readonly<Record<string, string>> = { command: '{ command: "true" }', modify: '{ set: { "/a": 1 } }' }
    const types = textsOf('HookType')
    const hooks = types.map(type => `    - { type: ${type}, config: ${configs[type] ?? '{}'} }\n`)
    const parsed = parseGenesis(`version: "2.0"\nhooks:\n  pre_tool_use:\n${hooks.join('')}`, 'genesis.key')
    expect([types.length, parsed.ok && parsed.policy.hooks.length]).toEqual([6, 6])
  })

  test('a command hook gets every field of HookInput', async () => {
    const keep = '{ type: command, config: { command: "cat > seen-$HOOK_EVENT.json" } }'
    daemon = await runDaemon({
      policy: `version: "2.0"\nhooks:\n  pre_tool_use: [${keep}]\n  post_tool_use: [${keep}]\n  stop: [${keep}]\n`,
    })
    const secret = await daemon.bind('w1', 'executor')
    const made = await daemon.rpc('commitments.commit', { secret, cwd: daemon.project, text: 'x' })
    const { id } = ('result' in made ? made.result.commitment : {}) as { id: string }
    await daemon.rpc('commitments.claim', { secret, cwd: daemon.project, target: id })
    const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1', tool_response: { stdout: 'a' } }
    for (const event of textsOf('HookEvent')) await daemon.hook(event, event === 'Stop' ? {} : call, { secret })
    const { project } = daemon
    const seen = (event: string) => JSON.parse(readFileSync(join(project, `seen-${event}.json`), 'utf8'))
    expect(Object.keys(seen('PostToolUse'))).toEqual(expect.arrayContaining([...fieldsOf('HookInput')]))
    expect(seen('PreToolUse')).toMatchObject({ actor: 'agent:executor', commitment_id: id, session_id: 's1', tool_name: 'Bash' })
    expect(seen('Stop')).toMatchObject({ hook_event_name: 'Stop', actor: 'agent:executor', commitment_id: id })
  })
})

describe('the pattern matching algorithm', () => {
  const { code } = transformSync('algorithm.ts', readBlock('genesis', 341))
  // A call as the algorithm takes it: Tool(argument).
  const toolOf = (input: string) => input.slice(0, input.indexOf('('))
  const argumentOf = (input: string) => input.slice(input.indexOf('(') + 1, -1)
  const matchPattern = new Function('getToolName', 'getToolArgs', `${code}; return matchPattern`)(toolOf, argumentOf)
  const view = virtualFileView({ root: '/repo' })
  if (!view.ok) throw new Error(view.problem)
  const context = { root: '/repo', cwd: '/repo', home: '/home/u', files: view.files, belayHome: '/home/u/.belay', selfProtection: true }

  const PATTERNS = ['Bash(git *)', 'Bash(* install)', 'Bash(npm run *)', 'Write(src/*)', 'Write(*.ts)', 'Bash(* --dry-run)', 'Bash', 'Read']
  const CALLS = [
    'Bash(git commit -m test)',
    'Bash(npm install)',
    'Bash(npm run build)',
    'Bash(terraform apply --dry-run)',
    'Bash(ls)',
    'Write(src/components/Button.tsx)',
    'Write(src/deep/index.ts)',
    'Write(index.ts)',
    'Write(lib/a.js)',
    'Read(a)',
  ]
  test.each(PATTERNS)('%s: what it matches, Belay matches, and nothing else of plain calls', pattern => {
    const ours = CALLS.filter(call => {
      const [tool, argument] = [toolOf(call), argumentOf(call)]
      return callMatches(pattern, { tool, input: tool === 'Bash' ? { command: argument } : { file_path: argument } }, context) !== 'no'
    })
    expect(ours).toEqual(CALLS.filter(call => matchPattern(pattern, call)))
  })
})
