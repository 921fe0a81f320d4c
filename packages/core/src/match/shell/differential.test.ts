// The analysis against two oracles: bash itself and mvdan-sh. Set BELAY_FUZZ for more scripts; the seed is printed.
import { spawnSync } from 'node:child_process'
import sh from 'mvdan-sh'
import { expect, test } from 'vitest'
import { analyzeCommand } from './analyze-command.ts'
import { damage, makeRandom, randomScript } from './fixtures/random-script.ts'

const count = Number(process.env.BELAY_FUZZ ?? 100)
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 1_000_000)
console.log(`shell differential: seed ${seed}, ${count} scripts`)

const context = { cwd: '/repo', root: '/repo', home: '/home/dev' }

/** Whether `bash -n` accepts each; nothing is run. */
function bashAccepts(scripts: readonly string[]): readonly boolean[] {
  const loop = 'while IFS= read -r -d "" script; do if bash -n -c "$script" 2>/dev/null; then echo yes; else echo no; fi; done'
  const { stdout } = spawnSync('bash', ['-c', loop], { input: scripts.map(script => `${script}\0`).join(''), encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map(line => line === 'yes')
}

function isUnread(script: string): boolean {
  return analyzeCommand(script, context).problems.some(problem => problem.kind === 'parse-error' || problem.kind === 'refused')
}

function isSuspect(script: string): boolean {
  return analyzeCommand(script, context).problems.length > 0
}

function makeScripts(offset: number, make: (random: ReturnType<typeof makeRandom>) => string): readonly string[] {
  const random = makeRandom(seed + offset)
  return Array.from({ length: count }, () => make(random))
}

test('what bash accepts is read', () => {
  const scripts = makeScripts(0, random => randomScript(random, 3))
  const accepted = bashAccepts(scripts)
  expect(accepted.filter(Boolean).length).toBeGreaterThan(count * 0.8)
  expect(scripts.filter((script, index) => accepted[index] && isUnread(script))).toEqual([])
})

test('what bash refuses is never without a problem', () => {
  // Where the parser is milder nothing hides: `${ x; }` of newer versions of bash, `time &`, `!` with nothing after it, `((` that turns out to be two subshells.
  const scripts = makeScripts(1, random => damage(random, randomScript(random, 2))).filter(
    script => !/\$\{[\s|]|\btime\b|!\s*(?:[&|;)}]|$|(?:esac|fi|done|then|do|else|elif)\b)|\(\(/.test(script),
  )
  const accepted = bashAccepts(scripts)
  expect(scripts.filter((script, index) => !accepted[index] && !isSuspect(script))).toEqual([])
})

test('every command that mvdan-sh finds is a unit', () => {
  let read = 0
  for (const script of makeScripts(2, random => randomScript(random, 2))) {
    const names = namesFoundByOracle(script)
    if (!names) continue
    read++
    const found = analyzeCommand(script, context).units.map(unit => unit.words[0]?.source)
    expect({ script, missing: names.filter(name => !found.includes(name)) }).toEqual({ script, missing: [] })
  }
  expect(read).toBeGreaterThan(count * 0.5)
})

/** null: it refuses the script (`a | ! b`, which bash takes). */
function namesFoundByOracle(script: string): readonly string[] | null {
  const names: string[] = []
  try {
    sh.syntax.Walk(sh.syntax.NewParser().Parse(script, 'x'), node => {
      const name = node && sh.syntax.NodeType(node) === 'CallExpr' ? node.Args?.[0]?.Lit() : undefined
      if (name) names.push(name)
      return true
    })
    return names
  } catch {
    return null
  }
}

test('damage never throws and never takes back what a deny rule saw before it', () => {
  const random = makeRandom(seed + 3)
  for (let index = 0; index < count * 5; index++) {
    let script = randomScript(random, 3)
    for (let times = random.next(4); times >= 0; times--) script = damage(random, script)
    expect(() => analyzeCommand(script, context)).not.toThrow()
    const { units } = analyzeCommand(`rm -rf /\n${script}`, context)
    expect(units[0]?.words.map(word => word.value)).toEqual(['rm', '-rf', '/'])
  }
})
