// Forty policies with mistakes that people make: each message says where, what is wrong, and what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-mistake-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly line: number
  readonly column: number
  readonly message: string
  readonly remedy?: string
}

async function check(text: string): Promise<{ readonly code: number; readonly said: readonly Said[] }> {
  const file = join(folder, 'genesis.key')
  writeFileSync(file, text)
  const { io, written } = createTestIo({ env: { HOME: folder, BELAY_HOME: join(folder, '.belay') }, cwd: folder, etc: folder })
  const code = await runProgram(['genesis', 'validate', file, '--json'], io)
  const { errors, warnings } = JSON.parse(written.out)
  return { code, said: [...errors, ...warnings] }
}

const rules = (more: string) => `version: "2.0"\npermissions:\n  default: ask\n  actors:\n    "agent:*":\n${more}\n`
const hook = (more: string) => `version: "2.0"\nhooks:\n  pre_tool_use:\n${more}\n`

test.each<[title: string, text: string, line: number, said: RegExp, remedy: RegExp]>([
  ['a tab', 'version: "2.0"\npermissions:\n\tdefault: ask\n', 3, /tabs/, /spaces/],
  ['no version', 'permissions:\n  default: ask\n', 1, /no `version`/, /version: "2\.0"/],
  ['a version that is none', 'version: "3.0"\n', 1, /"3\.0"/, /version: "2\.0"/],
  ['a section that is none', 'version: "2.0"\npermisions:\n  default: ask\n', 2, /permisions/, /did you mean permissions\?/],
  ['a default with a slip', 'version: "2.0"\npermissions:\n  default: aks\n', 3, /aks/, /did you mean ask\?/],
  ['a default of another tool', 'version: "2.0"\npermissions:\n  default: block\n', 3, /block/, /none, ask, deny, allow/],
  ['denny', rules('      denny: ["Bash(rm *)"]'), 6, /denny/, /did you mean deny\?/],
  ['one rule without a list', rules('      deny: "Bash(rm *)"'), 6, /must be a list/, /- /],
  ['a rule that is not closed', rules('      deny: ["Bash(rm *"]'), 6, /closing parenthesis/, /\)/],
  ['an empty rule', rules('      deny: [""]'), 6, /names no tool/, /Tool\(argument\)/],
  ['a number for a rule', rules('      deny: [42]'), 6, /must be text/, /quotes/],
  ['a tool with a slip', rules('      deny: ["Bsh(rm *)"]'), 6, /Bsh/, /did you mean Bash\?/],
  ['a tool that nobody has', rules('      deny: ["Deploy(*)"]'), 6, /Deploy/, /mcp__SERVER__TOOL/],
  ['an actor with a slip', 'version: "2.0"\npermissions:\n  actors:\n    "agnet:*": { deny: ["Bash"] }\n', 4, /agnet/, /agent:\*/],
  [
    'an actor without agent:',
    'version: "2.0"\npermissions:\n  actors:\n    "claude-code": { deny: ["Bash"] }\n',
    4,
    /claude-code/,
    /agent:claude-code/,
  ],
  [
    'an agent with a slip',
    'version: "2.0"\npermissions:\n  actors:\n    "agent:cluade-code": { deny: ["Bash"] }\n',
    4,
    /cluade/,
    /agent:claude-code/,
  ],
  ['a key twice', 'version: "2.0"\npermissions:\n  default: ask\n  default: deny\n', 4, /unique/, /join the two/],
  ['a section twice', 'version: "2.0"\npermissions:\n  default: ask\npermissions:\n  default: deny\n', 4, /unique/, /join the two/],
  ['an id twice', rules('      deny: [{ rule: "Bash(a)", id: x }, { rule: "Bash(b)", id: x }]'), 6, /already/, /id of its own/],
  ['an event with a slip', 'version: "2.0"\nhooks:\n  pre_tool_usee: []\n', 3, /pre_tool_usee/, /pre_tool_use\?/],
  ['an event that is none', 'version: "2.0"\nhooks:\n  PreToolUsed: []\n', 3, /PreToolUsed/, /pre_tool_use/],
  [
    'a hook type with a slip',
    hook('    - { matcher: "*", type: comand, config: { command: "true" } }'),
    4,
    /comand/,
    /did you mean command\?/,
  ],
  ['a hook without a type', hook('    - { matcher: "*", config: { command: "true" } }'), 4, /no `type`/, /add type:/],
  ['a command hook without a command', hook('    - { matcher: "*", type: command, config: {} }'), 4, /no `command`/, /add command:/],
  ['a command at the wrong level', hook('    - { matcher: "*", type: command, command: "true" }'), 4, /no `config`/, /add config:/],
  ['a hook without a list', 'version: "2.0"\nhooks:\n  pre_tool_use:\n    matcher: "*"\n    type: deny\n', 4, /must be a list/, /- /],
  [
    'a timeout by another name',
    hook('    - { matcher: "*", type: command, config: { command: "true", timeout: 3 } }'),
    4,
    /timeout/,
    /timeout_sec/,
  ],
  [
    'a fail that is none',
    hook('    - { matcher: "*", type: command, fail: maybe, config: { command: "true" } }'),
    4,
    /maybe/,
    /open, closed, ask/,
  ],
  [
    'a matcher that is not closed',
    hook('    - { matcher: "Bash(rm *", type: deny, config: { reason: x } }'),
    4,
    /closing parenthesis/,
    /Tool\(argument\)/,
  ],
  [
    '= in a condition',
    hook(`    - { matcher: "*", type: deny, condition: 'actor.role = "x"', config: { reason: x } }`),
    4,
    /Unexpected character: =/,
    /==/,
  ],
  [
    'a variable that is none',
    hook(`    - { matcher: "*", type: deny, condition: 'acter.role == "x"', config: { reason: x } }`),
    4,
    /acter/,
    /did you mean actor\?/,
  ],
  [
    'a field that is none',
    hook(`    - { matcher: "*", type: deny, condition: 'actor.rol == "x"', config: { reason: x } }`),
    4,
    /rol/,
    /role/,
  ],
  [
    'and in a condition',
    hook(`    - { matcher: "*", type: deny, condition: 'actor.role == "x" and true', config: { reason: x } }`),
    4,
    /Unexpected/,
    /&&/,
  ],
  [
    'an open quote in a condition',
    hook(`    - { matcher: "*", type: deny, condition: 'actor.role == "x', config: { reason: x } }`),
    4,
    /Unterminated/,
    /close the quote/,
  ],
  ['a guardrail with a slip', 'version: "2.0"\nguardrails:\n  faillure_hints: {}\n', 3, /faillure_hints/, /failure_hints\?/],
  [
    'a setting that a guardrail has not',
    'version: "2.0"\nguardrails:\n  tool_ledger: { modes: strict }\n',
    3,
    /modes/,
    /belay guardrails explain tool_ledger/,
  ],
  ['a guard without a trigger', 'version: "2.0"\nguards:\n  - { id: x, text: y, urgency: block }\n', 3, /no `trigger`/, /add trigger:/],
  [
    'an urgency that is none',
    'version: "2.0"\nguards:\n  - { id: x, trigger: { type: phase, condition: "true" }, text: y, urgency: high }\n',
    3,
    /high/,
    /block, warn, inject/,
  ],
  ['a list on top', '- version: "2.0"\n', 1, /must be a mapping/, /version: "2\.0"/],
  ['an empty file', '', 1, /empty/, /version: "2\.0"/],
  ['two commas', '{"version": "2.0", "permissions": {"default": "ask",, }}', 1, /unexpected ,/, /remove it/],
  ['an open quote', 'version: "2.0"\npermissions:\n  default: "ask\n', 4, /closing/, /close what was opened/],
  [
    'a line out of its column',
    'version: "2.0"\npermissions:\n  default: ask\n actors:\n    "agent:*": { deny: ["Bash"] }\n',
    4,
    /same column/,
    /column/,
  ],
  ['a star without quotes', 'version: "2.0"\npermissions:\n  actors:\n    *: { deny: ["Bash"] }\n', 4, /anchor/, /quotes/],
  [
    'an example that the rule does not match',
    rules('      deny: [{ rule: "Bash(rm -rf *)", match: ["rm x"] }]'),
    6,
    /should match/,
    /change the rule or the example/,
  ],
  [
    'what a merge left',
    '<<<<<<< HEAD\nversion: "2.0"\n=======\nversion: "1.0"\n>>>>>>> x\n',
    1,
    /not valid YAML/,
    /two versions were merged/,
  ],
])('%s', async (_title, text, line, said, remedy) => {
  const found = (await check(text)).said
  const named = found.find(each => said.test(each.message))
  expect([named?.line, named?.message, named?.remedy]).toEqual([line, expect.stringMatching(said), expect.stringMatching(remedy)])
  // Whatever else is said of it has a place and a remedy too.
  expect(found.filter(each => each.line < 1 || each.column < 1 || (each.remedy ?? '') === '')).toEqual([])
})
