// What one permission decision costs by the number of rules, on commands never seen before, beside a loop of regular
// expressions, one big alternation, and policy engines. All rows of one size are measured in turns inside one run.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const dist = process.env.BELAY_CORE_DIST ? pathToFileURL(process.env.BELAY_CORE_DIST) : new URL('../packages/core/dist', import.meta.url)
const { compileRules, judge, parseRule } = await import(`${dist}/policy/index.js`)
const { findCovering, findForbidding } = await import(`${dist}/policy/command-index.js`)
const { rulesFor } = await import(`${dist}/policy/compile-rules.js`)
const { UnitView } = await import(`${dist}/policy/unit-view.js`)
const { analyzeCommand } = await import(`${dist}/match/shell/analyze-command.js`)
const { virtualFileView } = await import(`${dist}/match/path/virtual-file-view.js`)
// The parser alone, which no decision about a command does without: what the machine does today.
const PARSER = 'unbash'
const { parse } = await import(`${new URL('../node_modules', import.meta.url)}/${PARSER}/dist/parser.js`)

const SIZES = (process.env.BELAY_BENCH_SIZES ?? '10,100,1000,10000,100000').split(',').map(Number)
const TURNS = Number(process.env.BELAY_BENCH_TURNS ?? 31)
const PER_TURN = 400
const place = { root: '/repo', cwd: '/repo', home: '/home/dev' }
const context = { ...place, files: virtualFileView({ root: '/repo' }).files, belayHome: '/home/dev/.belay', selfProtection: true }
const peers = await loadPeers()

let counter = 0
const results = []
for (const size of SIZES) results.push(await measureSize(size))
printTable(results)

/** Mostly `program subcommand *`, as people write them; some exact, some with stars elsewhere, some paths and tools. */
function ruleText(index) {
  const program = `prog${index % 997}`
  const sub = `sub${Math.floor(index / 997) % 89}`
  switch (index % 10) {
    case 0:
      return `Bash(${program} ${sub} --flag${index % 13} *)`
    case 1:
      return `Bash(${program} ${sub})`
    case 2:
      return `Bash(${program} ${sub} part${index}*)`
    case 3:
      return `Write(dir${index % 331}/${sub}/*)`
    case 4:
      return `mcp__server${index % 50}__tool${index}`
    default:
      return `Bash(${program} ${sub} arg${index} *)`
  }
}

function makeRules(size) {
  const texts = Array.from({ length: size }, (_, index) => ruleText(index))
  const parse = (effect, offset) =>
    texts
      .filter((_, index) => index % 2 === offset)
      .map((text, index) => parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index}` }).rule)
  return { texts, permissions: { allow: parse('allow', 0), deny: parse('deny', 1), ask: [], default: 'ask', hash: 'bench' } }
}

/** A one-line command that no earlier turn has seen; about a third are covered by a rule. */
function freshCommand(size) {
  counter++
  const index = counter % 3 === 0 ? (counter * 7919) % size : counter
  const program = `prog${index % 997}`
  const sub = `sub${Math.floor(index / 997) % 89}`
  return `${program} ${sub} arg${index} --opt${counter % 7} value${counter} src/file${counter}.ts`
}

async function measureSize(size) {
  const started = performance.now()
  const { texts, permissions } = makeRules(size)
  const compiled = compileRules(permissions)
  const loadMs = performance.now() - started
  const [allowRules] = rulesFor(compiled.allow, 'Bash')
  const [denyRules] = rulesFor(compiled.deny, 'Bash')
  const reading = { for: 'allow', trustedDirs: new Set(['/usr/bin', '/bin']) }
  const rows = new Map()
  rows.set('parse', { prepare: () => freshCommand(size), run: text => parse(text) })
  rows.set('match', {
    prepare: () => analyzeCommand(freshCommand(size), place).units[0],
    run(unit) {
      const view = new UnitView(unit, unit.words, { reading })
      return findForbidding(denyRules.commands, view) ?? findCovering(allowRules.commands, view, () => true)
    },
  })
  rows.set('decide', {
    prepare: () => ({ tool: 'Bash', input: { command: freshCommand(size) } }),
    run: call => judge(call, compiled, context),
  })
  for (const [name, row] of regexRows(texts, size)) rows.set(name, row)
  for (const peer of peers) {
    const row = await peer.row(texts, size)
    if (row !== null) rows.set(peer.name, row)
  }
  return { size, loadMs, times: await takeTurns(rows) }
}

function regexRows(texts, size) {
  const specs = texts.filter(text => text.startsWith('Bash(')).map(text => text.slice(5, -1))
  const source = spec =>
    spec
      .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
      .replace(/ \*$/, '(?: .*)?')
      .replace(/(?<!\.)\*/g, '.*')
  const rows = []
  if (size <= 100_000) {
    const list = specs.map(spec => new RegExp(`^${source(spec)}$`))
    rows.push([
      'regex loop',
      { prepare: () => freshCommand(size), run: text => list.some(regex => regex.test(text)), slow: size >= 10_000 },
    ])
  }
  if (size <= 10_000) {
    const one = new RegExp(`^(?:${specs.map(source).join('|')})$`)
    rows.push(['one regex', { prepare: () => freshCommand(size), run: text => one.test(text), slow: size >= 10_000 }])
  }
  return rows
}

async function takeTurns(rows) {
  const times = new Map([...rows.keys()].map(name => [name, []]))
  for (const row of rows.values()) if (!row.slow) for (let warm = 0; warm < 4000; warm++) row.run(row.prepare())
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, row] of rows) {
      const count = row.slow ? 5 : PER_TURN
      if (row.slow && turn >= 7) continue
      const inputs = Array.from({ length: count }, row.prepare)
      const started = performance.now()
      for (const input of inputs) {
        const result = row.run(input)
        if (result instanceof Promise) await result
      }
      times.get(name).push(((performance.now() - started) * 1e6) / count)
    }
  }
  return new Map([...times].map(([name, values]) => [name, median(values)]))
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function printTable(measured) {
  const names = ['parse', 'match', 'decide', 'regex loop', 'one regex', ...peers.map(peer => peer.name)]
  const base = measured.find(({ size }) => size === 100)?.times.get('decide')
  const header = [
    'rules',
    'load ms',
    'parse ns',
    'match ns',
    'decide ns',
    'decide / parse',
    'decide / at 100 rules',
    'regex loop ns',
    'one regex ns',
    ...peers.map(peer => `${peer.name} ns`),
  ]
  const rows = measured.map(({ size, loadMs, times }) => {
    const [parsed, match, decide, ...rest] = names.map(name => times.get(name))
    const ratio = base === undefined ? '-' : (decide / base).toFixed(2)
    return [size, loadMs.toFixed(1), show(parsed), show(match), show(decide), (decide / parsed).toFixed(1), ratio, ...rest.map(show)]
  })
  console.log([header, header.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n'))
}

function show(value) {
  return value === undefined ? '-' : Math.round(value).toLocaleString('en')
}

/** Policy engines that are installed in bench/. */
async function loadPeers() {
  const found = []
  const require = createRequire(import.meta.url)
  if (existsSync(new URL('node_modules/casbin', import.meta.url))) found.push(casbinPeer(require('casbin')))
  if (existsSync(new URL('node_modules/@cedar-policy/cedar-wasm', import.meta.url))) {
    found.push(cedarPeer(require('@cedar-policy/cedar-wasm/nodejs')))
  }
  return found
}

function casbinPeer({ newEnforcer, newModelFromString, StringAdapter }) {
  const model = `[request_definition]
r = tool, text
[policy_definition]
p = tool, text, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.tool == p.tool && keyMatch(r.text, p.text)`
  return {
    name: 'casbin',
    async row(texts, size) {
      if (size > 1000) return null
      const lines = texts
        .filter(text => text.startsWith('Bash('))
        .map((text, index) => `p, Bash, ${text.slice(5, -1)}, ${index % 2 === 0 ? 'allow' : 'deny'}`)
      const enforcer = await newEnforcer(newModelFromString(model), new StringAdapter(lines.join('\n')))
      return { prepare: () => freshCommand(size), run: text => enforcer.enforceSync('Bash', text), slow: true }
    },
  }
}

function cedarPeer(cedar) {
  return {
    name: 'cedar-wasm',
    async row(texts, size) {
      if (size > 1000) return null
      const specs = texts.filter(text => text.startsWith('Bash(')).map(text => text.slice(5, -1))
      const policies = specs.map(
        (spec, index) =>
          `${index % 2 === 0 ? 'permit' : 'forbid'}(principal, action == Action::"Bash", resource) when { context.text like "${spec}" };`,
      )
      const base = {
        principal: { type: 'Agent', id: 'a' },
        action: { type: 'Action', id: 'Bash' },
        resource: { type: 'Shell', id: 's' },
        policies: { staticPolicies: policies.join('\n') },
        entities: [],
      }
      return {
        prepare: () => ({ ...base, context: { text: freshCommand(size) } }),
        run: request => cedar.isAuthorized(request),
        slow: true,
      }
    },
  }
}
