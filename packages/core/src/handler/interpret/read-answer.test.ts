import { describe, expect, it } from 'vitest'
import { allow, ask, deny, none } from '../../verdict/verdict.ts'
import { parseAnswer } from './parse-answer.ts'
import { type AnswerReading, readAnswer } from './read-answer.ts'

function read(text: string, eventName = 'PreToolUse'): AnswerReading {
  const parsed = parseAnswer(text)
  if (parsed.kind !== 'json') throw new Error(`${text} is ${parsed.kind}`)
  return readAnswer(parsed.value, eventName)
}

const NOTHING = { verdict: none() }

describe('answers that mean something', () => {
  it.each([
    // S
    ['"Continue"', NOTHING],
    ['{"Continue":null}', NOTHING],
    ['{"Reject":{"reason":"Dangerous command blocked"}}', { verdict: deny('Dangerous command blocked') }],
    ['{"Reject":{}}', { verdict: deny('Blocked by hook') }],
    ['{"ModifyInput":{"new_input":{"command":"ls"}}}', { verdict: none(), rewrite: { input: { command: 'ls' } } }],
    ['{"continue":false,"stop_reason":"enough"}', { verdict: none(), stop: { reason: 'enough' } }],
    [
      '{"updated_input":{"a":1},"additional_context":"c","suppress_output":true}',
      { verdict: none(), rewrite: { input: { a: 1 } }, context: 'c', suppressOutput: true },
    ],
    ['{"classifier_context":"the user asked for it"}', { verdict: none(), forAgent: { classifierContext: 'the user asked for it' } }],
    [
      '{"hookSpecificOutput":{"hookEventName":"PostToolUse","classifierContext":"f"}}',
      { verdict: none(), forAgent: { classifierContext: 'f' } },
    ],
    ['{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}', { verdict: none(), forAgent: { retry: true } }],
    ['{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":false}}', NOTHING],
    // G
    ['{"decision":"allow"}', { verdict: allow() }],
    ['{"decision":"deny","reason":"no"}', { verdict: deny('no') }],
    ['{"decision":"ask","reason":"sure?"}', { verdict: ask('sure?') }],
    ['{"decision":"modify","modified_input":{"command":"ls"}}', { verdict: none(), rewrite: { input: { command: 'ls' } } }],
    ['{"decision":"allow","evidence":{"kind":"lint","data":{"n":1}}}', { verdict: allow(), evidence: { kind: 'lint', data: { n: 1 } } }],
    // L
    ['{"decision":null,"reason":null}', NOTHING],
    ['{"decision":"none"}', NOTHING],
    // Claude
    [
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"r"}}',
      { verdict: allow('r') },
    ],
    [
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}',
      { verdict: deny('r') },
    ],
    ['{"hookSpecificOutput":{"permissionDecision":"ask"}}', { verdict: ask() }],
    ['{"hookSpecificOutput":{"permissionDecision":"defer"}}', { verdict: ask() }],
    ['{"hookSpecificOutput":{"permissionDecision":"deny"}}', { verdict: deny('Blocked by hook') }],
    [
      '{"hookSpecificOutput":{"updatedInput":{"command":"ls"},"additionalContext":"c"},"systemMessage":"m"}',
      { verdict: none(), rewrite: { input: { command: 'ls' } }, context: 'c', message: 'm' },
    ],
    ['{"decision":"block","reason":"r"}', { verdict: deny('r') }],
    ['{"decision":"approve"}', { verdict: allow() }],
    ['{"continue":false,"stopReason":"s"}', { verdict: none(), stop: { reason: 's' } }],
    ['{"continue":false,"reason":"r"}', { verdict: none(), stop: { reason: 'r' } }],
    ['{"continue":false}', { verdict: none(), stop: { reason: 'No reason provided' } }],
    ['{"suppressOutput":true}', { verdict: none(), suppressOutput: true }],
    // Gemini
    ['{"decision":"deny","reason":"r","hookSpecificOutput":{"tool_input":{"a":1}}}', { verdict: deny('r'), rewrite: { input: { a: 1 } } }],
    // Copilot
    ['{"permissionDecision":"deny","permissionDecisionReason":"r"}', { verdict: deny('r') }],
    ['{"permissionDecision":"allow","modifiedArgs":{"command":"ls"}}', { verdict: allow(), rewrite: { input: { command: 'ls' } } }],
    // Cursor
    ['{"permission":"deny","user_message":"u","agent_message":"a"}', { verdict: deny('a'), message: 'u' }],
    ['{"permission":"ask","userMessage":"u"}', { verdict: ask('u'), message: 'u' }],
    // Cline
    ['{"cancel":true,"errorMessage":"no"}', { verdict: deny('no') }],
    ['{"cancel":false,"contextModification":"c"}', { verdict: none(), context: 'c' }],
    // Two places speak: the stricter counts.
    ['{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}', { verdict: deny('r') }],
    ['{"decision":"block","reason":"r","hookSpecificOutput":{"permissionDecision":"allow"}}', { verdict: deny('r') }],
    // Real scripts that decide nothing.
    ['{}', NOTHING],
    ['{"continue":true,"stdout":"formatted"}', NOTHING],
    [
      '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"permission_mode":"default"}',
      NOTHING,
    ],
    ['{"session_id":"s","hook_event_name":"SessionEnd","reason":"clear","message":"m","prompt":"p"}', NOTHING],
    ['"{\\"decision\\":\\"deny\\",\\"reason\\":\\"twice encoded\\"}"', { verdict: deny('twice encoded') }],
    ['\uFEFF {"decision":"allow"} \n', { verdict: allow() }],
  ])('%s', (text, result) => {
    expect(read(text)).toEqual({ ok: true, result, notes: [] })
  })

  it.each([
    [
      'PermissionRequest',
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":1}}}}',
      { verdict: allow(), rewrite: { input: { a: 1 } } },
    ],
    [
      'PermissionRequest',
      '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m","interrupt":true}}}',
      { verdict: deny('m'), stop: { reason: 'm' } },
    ],
    ['PermissionRequest', '{"decision":{"behavior":"allow"}}', { verdict: allow() }],
    [
      'PostToolUse',
      '{"hookSpecificOutput":{"updatedToolOutput":{"stdout":"x"}}}',
      { verdict: none(), rewrite: { output: { stdout: 'x' } } },
    ],
    ['PostToolUse', '{"hookSpecificOutput":{"updatedMCPToolOutput":"x"}}', { verdict: none(), rewrite: { output: 'x' } }],
    ['PostToolUse', '{"modifiedResult":{"textResultForLlm":"x"}}', { verdict: none(), rewrite: { output: { textResultForLlm: 'x' } } }],
    ['UserPromptSubmit', '{"ModifyInput":{"new_input":"new prompt"}}', { verdict: none(), rewrite: { prompt: 'new prompt' } }],
    ['UserPromptSubmit', '{"modified_input":{"prompt":"new prompt"}}', { verdict: none(), rewrite: { prompt: 'new prompt' } }],
    ['PreModel', '{"hookSpecificOutput":{"llm_request":{"model":"m"}}}', { verdict: none(), rewrite: { input: { model: 'm' } } }],
    ['PostModel', '{"hookSpecificOutput":{"llm_response":{"text":"x"}}}', { verdict: none(), rewrite: { output: { text: 'x' } } }],
    ['MessageDisplay', '{"hookSpecificOutput":{"displayContent":"x"}}', { verdict: none(), rewrite: { output: 'x' } }],
    ['Elicitation', '{"hookSpecificOutput":{"action":"decline"}}', { verdict: deny('the hook answered decline') }],
    [
      'ElicitationResult',
      '{"hookSpecificOutput":{"action":"accept","content":{"a":1}}}',
      { verdict: none(), rewrite: { output: { a: 1 } } },
    ],
    ['ElicitationResult', '{"session_id":"s","action":"decline","content":{"a":1}}', { verdict: none() }],
    ['SessionStart', '{"additionalContext":"c"}', { verdict: none(), context: 'c' }],
  ])('%s %s', (eventName, text, result) => {
    expect(read(text, eventName)).toEqual({ ok: true, result, notes: [] })
  })
})

describe('answers that mean nothing', () => {
  it.each([
    ['{"decision":"maybe"}', 'decision is "maybe", not one of allow, deny, ask, block, approve'],
    ['{"decision":"Deny"}', 'decision is "Deny"'],
    ['{"decision":7}', 'decision is 7'],
    ['{"decision":["deny"]}', 'decision is a list'],
    ['{"hookSpecificOutput":{"permissionDecision":"yes"}}', 'hookSpecificOutput.permissionDecision'],
    ['{"permission":"yes"}', 'permission is "yes"'],
    ['{"decision":{"message":"no behavior"}}', 'decision.behavior is "missing"'],
    ['{"Reject":"just a text"}', 'Reject is "just a text"'],
    ['{"updatedInput":"rm"}', 'updatedInput must be an object'],
    ['{"ModifyInput":{}}', 'ModifyInput.new_input must be an object'],
    ['{"additionalContext":["a"]}', 'additionalContext must be a text'],
    ['{"evidence":"log"}', 'evidence must be an object'],
    ['{"continue":"no"}', 'continue is "no", not true or false'],
    ['{"continue":0}', 'continue is 0'],
    ['{"cancel":"yes"}', 'cancel is "yes"'],
    ['{"suppressOutput":"yes"}', 'suppressOutput is "yes"'],
    ['{"ModifyInput":"ls"}', 'ModifyInput must be an object'],
    ['{"hookSpecificOutput":"deny"}', 'hookSpecificOutput must be an object'],
    [
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permisionDecision":"deny"}}',
      'hookSpecificOutput holds nothing that a hook can say, only permisionDecision',
    ],
    ['{"ok":false}', 'its answer holds nothing that a hook can say, only ok'],
    ['{"ok":false,"reason":"r"}', 'only ok, reason'],
    ['{"Decision":"deny"}', 'only Decision'],
    ['{"reject":{"reason":"r"}}', 'only reject'],
    ['{"result":"deny","reason":"a file is missing"}', 'only result, reason'],
    ['{"type":"tool_result","content":"x"}', 'only type, content'],
    ['{"reason":"no decision beside it"}', 'only reason'],
  ])('%s', (text, words) => {
    expect(read(text)).toEqual({ ok: false, why: expect.stringContaining(words) })
  })

  it('the end of the turn is never lost either', () => {
    expect(read('{"continue":false,"stopReason":"s","decision":"maybe"}')).toMatchObject({ ok: true, result: { stop: { reason: 's' } } })
  })

  it('a deny is never lost: what is wrong beside it becomes a note', () => {
    expect(read('{"decision":"deny","reason":"r","additionalContext":1}')).toEqual({
      ok: true,
      result: { verdict: deny('r') },
      notes: ['additionalContext must be a text'],
    })
  })
})

describe('what kind of thing was printed', () => {
  it.each([
    ['', 'empty'],
    [' \n\t', 'empty'],
    ['formatted 3 files', 'text'],
    ['42', 'text'],
    ['[{"decision":"deny"}]', 'value'],
    ['[1,2]', 'value'],
    ['"Reject"', 'value'],
    ['"just words"', 'value'],
    ['true', 'value'],
    ['false', 'value'],
    ['null', 'value'],
    ['loaded {x}', 'text'],
    ['log {"level":"info"}', 'text'],
    ['{"level":"info"}\n{"level":"warn","reason":"slow"}', 'text'],
    ['{"level":"info"}\n{"decision":"deny"}', 'garbled'],
    ['{"level":"info"}\ndone', 'garbled'],
    ['{"decision":"deny"', 'garbled'],
    ['{"decision":"deny"}{"decision":"allow"}', 'garbled'],
    ['{"decision":"deny"} trailing', 'garbled'],
    [`{"decision":"allow","evidence":${'['.repeat(70)}${']'.repeat(70)}}`, 'garbled'],
    ['loading config\n{"decision":"deny"}', 'garbled'],
    ['debug: {"hookSpecificOutput":{}}', 'garbled'],
  ])('%j is %s', (text, kind) => {
    expect(parseAnswer(text).kind).toBe(kind)
  })
})
