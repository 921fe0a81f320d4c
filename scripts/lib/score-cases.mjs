// The shared cases and the policies they are scored under. The cases are read in place; nothing of them is run.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { virtualFileView } from '../../packages/core/dist/match/path/virtual-file-view.js'
import { analyzeCommand } from '../../packages/core/dist/match/shell/analyze-command.js'
import { compileRules, effectivePermissions, judge, parseGenesis, parseRule } from '../../packages/core/dist/policy/index.js'
import { root } from './ensure.mjs'

const corpus = join(root, '..', 'shared', 'corpus')

/** null: the cases are not on this machine. */
export function readCases(name) {
  const file = join(corpus, name)
  if (!existsSync(file)) return null
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

const place = { root: '/repo', cwd: '/repo', home: '/home/dev' }

function contextOf(ctx = {}) {
  const { root = '/repo', cwd = root, home = '/home/dev', platform = 'linux', links, hardlinks, caseInsensitiveFs } = ctx
  const view = virtualFileView({ root, links, hardlinks, caseInsensitiveFs })
  if (!view.ok) throw new Error(view.problem)
  return { root, cwd, home, files: view.files, belayHome: `${home}/.belay`, selfProtection: true, platform }
}

export function decide({ tool, input, ctx }, compiled) {
  return judge({ tool, input }, compiled, contextOf(ctx))
}

/** The rules of the case itself. */
export function ownRules(row, byDefault = 'ask') {
  const rules = effect =>
    (row[effect] ?? []).map((text, index) => {
      const parsed = parseRule(text, { effect, dialect: 'genesis', id: `${effect}-${index}` })
      if (!parsed.ok) throw new Error(`${text}: ${parsed.problem.message}`)
      return parsed.rule
    })
  return compileRules({ allow: rules('allow'), ask: rules('ask'), deny: rules('deny'), default: byDefault, hash: 'case' })
}

/** A shipped policy as it holds for one actor. */
export function shippedPolicy(name, actor) {
  const parsed = parseGenesis(readFileSync(join(root, 'policies', name), 'utf8'), name)
  if (!parsed.ok) throw new Error(`policies/${name}: ${parsed.errors.map(error => error.message).join('; ')}`)
  return compileRules(effectivePermissions([{ ...parsed.policy, trusted: true }], actor))
}

/** The programs of a command, with the verb of git: `git log`. */
function programsOf(command) {
  const { units, effects } = analyzeCommand(command, place)
  const names = units
    .filter(unit => unit.words.length > 0)
    .map(({ words: [name, verb] }) => (name.value === 'git' ? `git ${verb?.value ?? ''}` : (name.value ?? '?')))
  return { names, writes: effects.some(effect => effect.access === 'write' && effect.role === 'full') }
}

const PLAIN = new Set('cd pwd true false : test [ exit set echo printf sleep wait return break continue shift read local'.split(' '))
/** The stack that a pipeline and an executor of a Node project work with. */
const STACK = new Set('npm npx node ls cat head tail wc grep rg find sed awk sort uniq cut tr jq xargs diff mkdir'.split(' '))
const LOOKING = new Set(
  'ls cat head tail wc grep egrep fgrep rg find fd sed awk sort uniq cut tr jq yq xargs diff cmp stat file du df which tree basename dirname realpath nl column'.split(
    ' ',
  ),
)
const LOOKING_VERBS = new Set('status log diff show blame branch ls-files rev-parse describe shortlog remote tag grep'.split(' '))

/** Every program is of the stack, git with any verb but those that publish. */
export function isStack({ input: { command = '' } }) {
  const { names } = programsOf(command)
  const known = name => PLAIN.has(name) || STACK.has(name) || (name.startsWith('git ') && name !== 'git push')
  return names.length > 0 && names.every(known) && names.some(name => !PLAIN.has(name))
}

/** Every program only looks, and no file is written. */
export function isLooking({ input: { command = '' } }) {
  const { names, writes } = programsOf(command)
  const known = name => PLAIN.has(name) || LOOKING.has(name) || LOOKING_VERBS.has(/^git (.*)$/.exec(name)?.[1])
  return !writes && names.length > 0 && names.every(known) && names.some(name => !PLAIN.has(name))
}
