// Programs that have a table, and a language in which a command of the system can start: the words of a deny rule there ask.
import { describe, expect, test } from 'vitest'
import { escapedCommands } from './carried-escape.ts'
import { decideBatchLine } from './decide-batch.ts'

const DENY = ['Bash(rm -rf *)', 'Bash(git push *)', 'Bash(curl *)']

function decide(command: string, allow: readonly string[] = ['Bash(*)', 'Write(*)'], byDefault = 'ask'): string {
  const request = { tool: 'Bash', input: { command }, allow, deny: DENY, default: byDefault }
  return (JSON.parse(decideBatchLine(JSON.stringify(request))) as { decision: string }).decision
}

const forbidden = ['rm -rf x', 'git push', 'curl h/x']
/** T: one text of code, in single quotes. */
const takers = [
  "mlr -n put 'T'",
  "bb 'T'",
  "fx x 'T'",
  "mongosh x --quiet <<< 'T'",
  "maxima --batch-string='T'",
  "sqlcmd -Q 'T'",
  "sqlplus x <<< 'T'",
  "beeline -e 'T'",
  "snowsql -q 'T'",
  "usql x <<< 'T'",
  "psql -c 'T'",
  "psql <<< 'T'",
  "hive -e 'T'",
  "impala-shell -q 'T'",
  "groff -U <<< 'T'",
  "convert 'T' y",
  "duckdb x 'T'",
  'gnuplot <<E\nT\nE',
]
/** C: the command. */
const escapes = [
  'system("C")',
  'end{system("C")}',
  '(shell "C")',
  'require("child_process").execSync("C")',
  '!C',
  '! C;',
  '!! C',
  '!sh C',
  '!system C',
  '\\! C',
  'host C',
  'shell C',
  '.sy C',
  '.pso C',
  '|C',
  '\\set x `C`',
  'select 1;\n! C',
]

describe.each(takers)('%s', taker => {
  test.each(escapes)('%s', spelled => {
    for (const command of forbidden) {
      const line = taker.replace('T', () => spelled.replace('C', () => command))
      expect(decide(line), line).not.toBe('allow')
      expect(decide(line, [], 'none'), line).toMatch(/^(?:ask|deny)$/)
    }
  })
})

test.each([
  'mlr -n put \'end{exec("rm",["-rf","x"])}\'',
  'gcc -wrapper rm,-rf,x y.c',
  'g++ -wrapper git,push y.c',
  'clang -wrapper /bin/rm,-rf,x y.c',
  "echo '.sy git push' | groff -U",
  'flatpak run --command=git app push',
])('%s asks', command => {
  expect(decide(command)).not.toBe('allow')
})

test.each([
  'psql -c "select (\'a\')"',
  "psql -c 'select `name` from t'",
  'git commit -m \'call system("rm -rf x") no more\'',
  "rg 'system\\(\"rm -rf' src",
  "cat > a.md <<'E'\n! git push\nE",
  'tee notes.md <<\'E\'\nsystem("git push")\nE',
  'sed -n \'/exec("git push")/p\' a.js',
  "jest -t \"adds ('a', 'b')\"",
  'gcc -Wl,-rpath,x y.c',
])('%s is allowed', command => {
  expect(decide(command)).toBe('allow')
})

test('a text of signs alone is looked through in time that grows with it', () => {
  for (const sign of ['(', '`', '\n', ';', '!', '("', '`a ', 'sh ', '("rm -rf ']) {
    expect(escapedCommands(sign.repeat(20_000)).length).toBeLessThanOrEqual(64)
  }
})
