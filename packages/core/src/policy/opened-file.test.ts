// Files that a program opens because its own language, a prefix or a pattern names them: a rule that keeps one asks.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

const ALLOW = ['Bash(*)', 'Read(*)', 'Write(*)']
// Where the name stands last, it is written.
const DENY = ['.env*', '~/.ssh/**'].flatMap(path => [`Read(${path})`, `Write(${path})`])

function decide(command: string, allow: readonly string[] = ALLOW, byDefault = 'ask'): string {
  const request = { tool: 'Bash', input: { command }, allow, deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

/** P: the file. */
const opened = [
  'yq -n \'load("P")\'',
  'yq -n \'load_str("P")\'',
  'mlr --from x put \'tee > "P", $*\'',
  'clickhouse local -q "select * from file(\'P\')"',
  'clickhouse-client -q "select * from file(\'P\')"',
  ...['file:', 'concat:', 'subfile:', 'movie='].map(kind => `ffmpeg -i ${kind}P x`),
  'ffmpeg -i x file:P',
  ...['text:', 'label:@', 'caption:@'].flatMap(kind => [`convert ${kind}P x`, `magick ${kind}P x`]),
  'magick ephemeral:P x',
  ...['cpp', 'gcc -E -', 'clang -E -'].flatMap(taker => [`echo '#include "P"' | ${taker}`, `${taker} <<< '# include "P"'`]),
  ...['soelim', 'groff', 'troff'].map(taker => `echo '.so P' | ${taker}`),
  'nasm - <<< \'incbin "P"\'',
  'git send-email P',
]

describe.each(['.env', './.env.local', '/home/dev/.ssh/id_rsa'])('%s', path => {
  test.each(opened.map(line => line.replace('P', path)))('%s', command => {
    expect(decide(command)).not.toBe('allow')
    expect(decide(command, [], 'none')).toMatch(/^(?:ask|deny)$/)
  })
})

const tests = [
  "-name '*nv'",
  "-name '*env'",
  "-name '?env'",
  "-name '[.]env'",
  "-iname '*NV'",
  "-name '*.e*'",
  "-path '*nv'",
  "-path '*/?env'",
]
const uses = ['-exec cat {} \\;', '-exec head {} +', '| xargs cat', '-type f -exec base64 {} +']

describe.each(tests)('find %s', sought => {
  test.each(uses)('%s', use => {
    expect(decide(`find . ${sought} ${use}`)).not.toBe('allow')
    expect(decide(`find . ${sought} ${use}`, ['Bash(@read-only)'], 'none')).not.toBe('allow')
  })
})

test.each([
  'yq \'.a.b | load("a.yml")\' x.yml',
  'git commit -m \'load(".env") is gone\'',
  'ffmpeg -i file:a.mp4 b.mp4',
  "echo '#include <stdio.h>' | gcc -E -",
  "find . -name '*.ts' -exec cat {} +",
  "find . -name '*_test.go' -exec cat {} +",
  "find . -name '*local*' | xargs cat",
  "find . ! -name '*nv' -exec cat {} +",
])('%s is allowed', command => {
  expect(decide(command)).toBe('allow')
})
