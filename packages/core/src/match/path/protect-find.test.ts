// Searches by path whose finds are changed or read: generated, tried against a project and a home on disk that hold Belay's files.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compileRules } from '../../policy/compile-rules.ts'
import { judge } from '../../policy/judge.ts'
import { parseRule } from '../../policy/parse-rule.ts'
import { createFileView } from './node-file-view.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'protect-find-')))
const home = join(base, 'dev')
const root = join(home, 'project')
for (const folder of [join(home, '.belay', 'keys'), join(root, '.belay'), join(root, 'src')]) mkdirSync(folder, { recursive: true })
afterAll(() => rmSync(base, { recursive: true }))

function decide(command: string): string {
  const parsed = parseRule('Bash(*)', { effect: 'allow', dialect: 'genesis', id: 'all' })
  if (!parsed.ok) throw new Error('no rule')
  const compiled = compileRules({ allow: [parsed.rule], deny: [], ask: [], default: 'allow', hash: '' })
  const context = { root, cwd: root, home, files: createFileView(), belayHome: join(home, '.belay'), selfProtection: true }
  return judge({ tool: 'Bash', input: { command } }, compiled, context).verdict.decision
}

const changes = ['-delete', '-exec rm -f {} +', '-exec mv {} x \\;', '| xargs rm', '-print0 | xargs -0 shred']
const starts = ['.', '~', '"$HOME"', home, '..']
const reaching = [
  ...["-path '*elay*'", "-ipath '*BELAY*'", "-wholename '*/.b*'", "-path '*b*l*y*' -type f", "-regex '.*elay.*'", "-path '*/genesis.key'"],
  ...["-not -path './node_modules/*'", "! -path '*/src/*' -type f", "-path './x' -prune -o -type f", "-name '*.ts' -name x -o -type f"],
  ...["! \\( -path './src/*' \\)", "! ! -path '*elay*'", "-name x ! -path './.b*' -o -type f", "-name settings.json -path '*claude*'"],
]

describe.each(starts)('find %s', start => {
  test.each(reaching.flatMap(tests => changes.map(change => `${tests} ${change}`)))('%s', rest => {
    expect(decide(`find ${start} ${rest}`)).not.toBe('allow')
  })
})

test.each([
  "find . -path '*elay' -prune | xargs rm -r",
  "find . -path '*elay' -prune -exec rm -r {} +",
  "find . -name zzz -path '*elay' -prune -o -type f -exec rm {} +",
  "find . -type f -exec rm {} + -exec echo ! -path '*' \\;",
  "find . -type f -exec rm {} + -exec echo -o -path '*' -prune \\;",
])('%s leaves nothing out', command => {
  expect(decide(command)).not.toBe('allow')
})

const secrets = ['-name signing.pem', "-name 'tok*'", "-path '*elay/keys*'", "-path '*/keys/*.key' -type f", "-iname 'SIGNING.*'"]
const looks = ['-exec cat {} +', '-exec head -1 {} \\;', '| xargs cat']

test.each(secrets.flatMap(tests => looks.map(look => `find ~ ${tests} ${look}`)))('%s', command => {
  expect(decide(command)).toBe('ask')
})

const narrow = [
  ...["-path './src/*'", "-path '*/node_modules/*'", "-regex '.*[.]pyc'", "-name '*.pyc' -not -path './node_modules/*'"],
  ...["-type f -not -path '*/.*'", "-path './x' -prune -o -name '*.orig'", "-path './src/*' -name '*.bak'"],
  ...["-path '*/.*' -prune -o -type f -print"],
]

test.each(narrow.flatMap(tests => ['-delete', '-exec rm -f {} +', '| xargs rm'].map(change => `find . ${tests} ${change}`)))(
  'left alone: %s',
  command => {
    expect(decide(command)).toBe('allow')
  },
)

test.each([
  ...["find ~ -name '*.ts' -exec cat {} +", 'find ~ -type f | xargs wc -l', "find . -path '*/keys/*' -exec cat {} +"],
  ...["find ~ -not -path '*/keys/*' -name '*.md' | xargs cat", "find . -name '*.pem' -exec head -1 {} +", "find . -name '*' | xargs wc"],
])('left alone: %s', command => {
  expect(decide(command)).toBe('allow')
})
