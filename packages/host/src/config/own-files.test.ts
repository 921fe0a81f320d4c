import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFileView } from '@belay/core/match'
import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { createProjectGuard } from '../guard/project-guard.ts'
import { genesisChecks } from './genesis-checks.ts'
import { findPackage, listLibraries, listOwnFiles, ownFiles } from './own-files.ts'

test('of a checkout what runs, of an installed package all of it', () => {
  expect(ownFiles()).toEqual(['bin', 'dist', 'native'].map(name => join(findPackage(), name)))
  expect(existsSync(join(findPackage(), 'package.json'))).toBe(true)
  const links = ['/app/node_modules/.bin/belay', '/app/node_modules/.bin/mentu']
  expect(listOwnFiles('/app/node_modules/@belay/host')).toEqual(['/app/node_modules/@belay/host', ...links])
  expect(listOwnFiles(null)).toEqual([])
})

test('the guard of a project keeps the program it runs from', () => {
  const text = 'version: "2.0"\npermissions:\n  default: allow\n'
  const parsed = parseGenesis(text, 'genesis.key', genesisChecks)
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const loaded = { root: '/repo', files: [], policies: [parsed.policy], locked: null, trustProblem: null }
  const guard = createProjectGuard({ loaded, belayHome: '/home/u/.belay', userHome: '/home/u', files: createFileView() })
  const decide = (tool: string, input: Record<string, unknown>): string => {
    const rest = { transcriptPath: null, permissionMode: null, agent: 'x', commitment: null, env: {} }
    const event = {
      name: 'PreToolUse',
      sessionId: 's',
      cwd: '/repo',
      actor: 'agent:x',
      fields: { toolName: tool, toolInput: input },
      ...rest,
    }
    return guard.judge({ tool, input }, event).verdict.decision
  }
  const cli = join(findPackage(), 'dist', 'cli.cjs')
  expect(decide('Write', { file_path: cli, content: '' })).toBe('deny')
  expect(decide('Bash', { command: `: > ${cli}` })).toBe('deny')
  expect(decide('Bash', { command: `cd ${findPackage()} && node dist/cli.cjs down` })).toBe('deny')
  expect(decide('Write', { file_path: join(findPackage(), 'src', 'x.ts'), content: '' })).toBe('allow')
  const node = process.execPath
  for (const command of [`cp x ${node}`, `ln -sf x ${node}`, `chmod -x ${node}`, `mv ${dirname(node)} /tmp/x`, `: > ${dirname(node)}/nod*`])
    expect([command, decide('Bash', { command })]).toEqual([command, 'ask'])
  expect(decide('Write', { file_path: node, content: '' })).toBe('ask')
  expect(decide('Bash', { command: `${node} x.js; cp ${node} y` })).toBe('allow')
  const library = dirname(createRequire(cli).resolve('libsql'))
  expect(decide('Write', { file_path: join(library, 'index.js'), content: '' })).toBe('ask')
  expect(decide('Bash', { command: `echo x >> ${library}/index.js` })).toBe('ask')
  expect(decide('Write', { file_path: join(findPackage(), 'node_modules', 'libsql', 'index.js'), content: '' })).toBe('ask')
})

test('libraries, and the nearer places where Node would take another of that name', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-libraries-')))
  const put = (name: string, dependencies: object) => {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), JSON.stringify(dependencies))
  }
  put('@belay/host', { dependencies: { first: '1' } })
  put('first', { dependencies: { second: '1' }, optionalDependencies: { 'not-here': '1' } })
  put('second', { dependencies: { first: '1' } })
  const places = listLibraries(join(folder, 'node_modules', '@belay', 'host'))
  rmSync(folder, { recursive: true })
  expect(places.map(place => place.slice(folder.length + 1))).toEqual([
    'node_modules/@belay/host/node_modules/first',
    'node_modules/@belay/node_modules/first',
    'node_modules/first',
    'node_modules/first/node_modules/second',
    'node_modules/second',
    'node_modules/second/node_modules/first',
  ])
})
