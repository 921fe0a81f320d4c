// Proves that every checker of `.ci/run` can fail: each fault is planted in a copy of the project and its checker must object.
// A checker that is green on a planted fault is green on everything.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject, restore, write } from './lib/copy-project.mjs'
import { forbiddenFor, LAYERS } from './lib/layers.mjs'

// Where most faults are planted: reading the whole project for each of them takes a minute.
const biome = ['node_modules/.bin/biome', 'check', '--max-diagnostics=none', 'packages/core/src/verdict']
const biomeEverywhere = [...biome.slice(0, -1), '.']
const types = ['npm', 'run', '--silent', 'types']
const graph = ['npm', 'run', '--silent', 'graph']
const limits = ['npm', 'run', '--silent', 'limits']

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
    name: 'import direction: every folder that imports one behind it',
    checker: biomeEverywhere,
    plant: copy => plantWrongImports(copy),
    // One complaint for each of them.
    isFound: (output, planted) => planted.every(file => output.includes(`${file}:1:`)),
  },
  {
    name: 'folder graph: a cycle between folders',
    checker: graph,
    plant: copy => {
      const file = join(copy, 'packages/host/src/config/home.ts')
      appendFileSync(file, "\nexport { runProgram } from '../command/program.ts'\n")
    },
  },
  {
    name: 'folder graph: a folder that nobody described',
    checker: graph,
    plant: copy =>
      write(
        copy,
        'packages/host/src/planted/planted.ts',
        "import { findHome } from '../config/home.ts'\n\nexport const planted = findHome\n",
      ),
  },
  {
    name: 'limits: a function with five parameters',
    checker: limits,
    plant: copy =>
      write(copy, 'packages/core/src/verdict/planted.ts', 'export const planted = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]\n'),
  },
  {
    name: 'limits: too many long functions',
    checker: limits,
    plant: copy => {
      const long = at => `export function planted${at}(): void {\n${'  console.log(1)\n'.repeat(60)}}\n`
      write(copy, 'packages/dashboard/src/part/planted.ts', Array.from({ length: 5 }, (_, at) => long(at)).join('\n'))
    },
  },
  {
    name: 'limits: a file that is not named in kebab-case',
    checker: limits,
    plant: copy => write(copy, 'packages/core/src/verdict/plantedFile.ts', 'export const planted = 1\n'),
  },
  {
    name: 'limits: a file that is too long',
    checker: limits,
    plant: copy =>
      write(copy, 'packages/core/src/verdict/planted.ts', 'export const planted = [\n  1,\n'.padEnd(3000, '  1,\n').concat(']\n')),
  },
  {
    name: 'limits: a rule that is switched off without a reason',
    checker: limits,
    plant: copy =>
      write(copy, 'packages/core/src/verdict/planted.ts', '// biome-ignore lint/suspicious/noExplicitAny:\nexport type Planted = any\n'),
  },
  {
    name: 'limits: a fixture that sets up when it is loaded',
    checker: limits,
    plant: copy => write(copy, 'packages/core/src/verdict/planted.ts', 'beforeEach(() => undefined)\n'),
  },
  {
    name: 'limits: what there is one of, written by hand again',
    checker: limits,
    plant: copy =>
      write(
        copy,
        'packages/core/src/verdict/planted.ts',
        "export const planted = (x: unknown) => typeof x === 'object' && x !== null && !Array.isArray(x)\n",
      ),
  },
  {
    name: 'lint: a function that nobody can follow',
    checker: biome,
    plant: copy => {
      const nest = depth => (depth === 0 ? 'sum += 1' : `for (const x of list) if (x > ${depth}) { ${nest(depth - 1)} }`)
      write(
        copy,
        'packages/core/src/verdict/planted.ts',
        `// biome-ignore format: planted\nexport function planted(list: readonly number[]): number { let sum = 0; ${nest(5)}; return sum }\n`,
      )
    },
  },
  {
    name: 'import cycle: two files import each other',
    checker: graph,
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
    checker: ['node_modules/.bin/vitest', 'run', 'packages/core/src/verdict'],
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

const copy = copyProject()
let failed = 0
let checks = 0
try {
  // Without a fault every checker is content: one that objects to the copy itself would find anything.
  for (const checker of new Set(faults.map(fault => fault.checker))) {
    report(run(checker).status === 0, `nothing where there is nothing: ${checker.join(' ')}`)
  }
  for (const fault of faults) {
    const planted = fault.plant(copy)
    const { status, stdout, stderr } = run(fault.checker)
    report(status !== 0 && (fault.isFound?.(`${stdout}${stderr}`, planted) ?? true), fault.name)
    restore(copy)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${checks - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function report(isGood, name) {
  checks++
  if (!isGood) failed++
  console.log(`${isGood ? 'found ' : 'MISSED'}  ${name}`)
}

function run([command, ...args]) {
  return spawnSync(command, args, { cwd: copy, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** In each folder that another one stands behind: a file that imports from the last one it must not. */
function plantWrongImports(copy) {
  return Object.entries(LAYERS).flatMap(([name, { order }]) =>
    order.flat().flatMap(folder => {
      const behind = forbiddenFor(order, folder).filter(other => !other.includes('.'))
      if (folder.includes('.') || behind.length === 0) return []
      const file = `packages/${name}/src/${folder}/planted.ts`
      write(copy, file, `import { planted } from '../${behind.at(-1)}/planted.ts'\n\nexport const other = planted\n`)
      return [file]
    }),
  )
}
