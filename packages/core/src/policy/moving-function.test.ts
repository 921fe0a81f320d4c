// A function that changes the directory moves whoever calls it, wherever it was defined and however it is called.
import { describe, expect, test } from 'vitest'
import { decideBatchLine } from './decide-batch.ts'

function decide(command: string): string {
  const rules = { allow: ['Bash(*)', 'Read(*)', 'Write(*)'], deny: ['Read(secrets/**)', 'Write(secrets/**)'] }
  return (JSON.parse(decideBatchLine(JSON.stringify({ id: 1, tool: 'Bash', input: { command }, ...rules }))) as { decision: string })
    .decision
}

const definitions: Readonly<Record<string, string>> = {
  plain: 'f() { cd secrets; }',
  'with a keyword': 'function f { cd secrets; }',
  'in a condition': 'if true; then f() { cd secrets; }; fi',
  'after a condition': 'true && f() { cd secrets; }',
  'by a loop': 'for i in 1; do f() { cd secrets; }; done',
  'by code': "eval 'f() { cd secrets; }'",
  'by another function': 'g() { f() { cd secrets; }; }; g',
  'through one that is defined later': 'f() { g; }; g() { cd secrets; }',
  'through two of them': 'f() { g; }; g() { h; }; h() { pushd secrets; }',
  'with an argument': 'f() { cd ${1:-secrets}; }',
}

const calls: Readonly<Record<string, string>> = {
  plain: 'f',
  'in a group': '{ f; }',
  'in a condition': 'if f; then :; fi',
  'as code': 'eval f',
  'with a redirection': 'f > out',
  'with an input': 'f <<< x',
}

const shells: Readonly<Record<string, (script: string) => string>> = {
  'the shell itself': script => script,
  'sh -c': script => `sh -c "${script.replace(/[$"]/g, '\\$&')}"`,
  'a here-string': script => `bash <<< "${script.replace(/[$"]/g, '\\$&')}"`,
  'a here-document': script => `bash <<'E'\n${script}\nE`,
  'a subshell': script => `( ${script} )`,
  'a function': script => `k() { ${script}; }; k`,
  'a trap': script => `trap "${script.replace(/[$"]/g, '\\$&')}" EXIT`,
}

describe.each(Object.entries(shells))('in %s', (_, within) => {
  describe.each(Object.entries(definitions))('defined %s', (_name, definition) => {
    test.each(Object.entries(calls))('called %s', (_kind, call) => {
      for (const use of ['cat key', 'echo x > key', 'cat < key']) {
        const command = within(`${definition}; ${call}; ${use}`)
        expect([command, decide(command)]).not.toEqual([command, 'allow'])
      }
    })
  })
})

test('a function that stays where it is moves nobody', () => {
  expect(decide("sh -c 'f() { ls src; }; f; cat key'")).toBe('allow')
  expect(decide('f() { (cd secrets); }; f; cat key')).toBe('allow')
})
