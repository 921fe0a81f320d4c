// Proves that every checker of `.ci/run` can fail: each fault is planted in a copy of the project and its checker must object.
// A checker that is green on a planted fault is green on everything.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from './lib/ensure.mjs'

const biome = ['node_modules/.bin/biome', 'check', '.']
const types = ['node_modules/.bin/tsc', '-p', 'tsconfig.test.json']

const faults = [
  {
    name: 'lint: an unused variable',
    checker: biome,
    plant: copy =>
      write(copy, 'packages/core/src/verdict/planted.ts', 'export function planted(): number {\n  const unused = 1\n  return 2\n}\n'),
  },
  {
    name: 'lint: an empty catch',
    checker: biome,
    plant: copy =>
      write(
        copy,
        'packages/core/src/verdict/planted.ts',
        'export function planted(): void {\n  try {\n    JSON.parse("")\n  } catch {}\n}\n',
      ),
  },
  {
    name: 'format: two statements on a line',
    checker: biome,
    plant: copy => write(copy, 'packages/core/src/verdict/planted.ts', 'export const a = 1;export const b = 2\n'),
  },
  {
    name: 'import direction: verdict reaches up to hook',
    checker: biome,
    plant: copy =>
      write(
        copy,
        'packages/core/src/verdict/planted.ts',
        "import type { HookEvent } from '../hook/hook-event.ts'\n\nexport type Planted = HookEvent\n",
      ),
  },
  {
    name: 'import cycle: two files import each other',
    checker: biome,
    plant: copy => {
      write(copy, 'packages/core/src/verdict/planted-a.ts', "import { b } from './planted-b.ts'\n\nexport const a = (): number => b()\n")
      write(copy, 'packages/core/src/verdict/planted-b.ts', "import { a } from './planted-a.ts'\n\nexport const b = (): number => a()\n")
    },
  },
  {
    name: 'types: a wrong type in a source file',
    checker: types,
    plant: copy => write(copy, 'packages/core/src/verdict/planted.ts', "export const planted: number = 'text'\n"),
  },
  {
    name: 'types: a wrong type in a test',
    checker: types,
    plant: copy => write(copy, 'packages/core/src/verdict/planted.test.ts', "export const planted: number = 'text'\n"),
  },
  {
    name: 'dead code: an export nobody imports',
    checker: ['node_modules/.bin/knip'],
    plant: copy => appendFileSync(join(copy, 'packages/core/src/verdict/verdict.ts'), '\nexport const planted = 1\n'),
  },
  {
    name: 'tests: one that fails',
    checker: ['node_modules/.bin/vitest', 'run', 'packages/core/src/verdict/planted.test.ts'],
    plant: copy =>
      write(
        copy,
        'packages/core/src/verdict/planted.test.ts',
        "import { expect, test } from 'vitest'\n\ntest('planted', () => expect(1).toBe(2))\n",
      ),
  },
  {
    name: 'lock file: a dependency it does not know',
    checker: ['npm', 'ci', '--dry-run', '--loglevel=error'],
    plant: copy => {
      const file = join(copy, 'packages/core/package.json')
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      manifest.dependencies['left-pad'] = '1.3.0'
      writeFileSync(file, JSON.stringify(manifest))
    },
  },
]

let failed = 0
for (const fault of faults) {
  const copy = copyProject()
  try {
    fault.plant(copy)
    const [command, ...args] = fault.checker
    const { status } = spawnSync(command, args, { cwd: copy, stdio: 'ignore' })
    const found = status !== 0
    if (!found) failed++
    console.log(`${found ? 'found ' : 'MISSED'}  ${fault.name}`)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
console.log(`${faults.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function copyProject() {
  const copy = mkdtempSync(join(tmpdir(), 'belay-fault-'))
  const files = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(Boolean)
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  spawnSync('git', ['init', '-q'], { cwd: copy })
  return copy
}

function write(copy, file, text) {
  writeFileSync(join(copy, file), text)
}
