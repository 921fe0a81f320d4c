// The answer of a handler that has no exit code: an MCP tool, an http server.
import type { HookDefinition } from '../../hook/hook-definition.ts'
import type { HandlerRun, HookResult, RunDetail } from '../../hook/hook-result.ts'
import { none } from '../../verdict/verdict.ts'
import { describeHook } from '../describe-hook.ts'
import { failed } from '../failure.ts'
import { parseAnswer } from './parse-answer.ts'
import { readAnswer } from './read-answer.ts'

export function interpretText(text: string, hook: HookDefinition, eventName: string, detail: RunDetail = {}): HandlerRun {
  const parsed = parseAnswer(text)
  switch (parsed.kind) {
    case 'empty':
    case 'text':
      return answered({ verdict: none() }, detail)
    case 'garbled':
    case 'value':
      return failed('BELAY_HANDLER_BAD_ANSWER', `${describeHook(hook)}: ${parsed.why}`, detail)
    case 'json': {
      const answer = readAnswer(parsed.value, eventName)
      if (!answer.ok) return failed('BELAY_HANDLER_BAD_ANSWER', `${describeHook(hook)}: ${answer.why}`, detail)
      return answered(answer.result, answer.notes.length === 0 ? detail : { ...detail, notes: [...(detail.notes ?? []), ...answer.notes] })
    }
  }
}

function answered(result: HookResult, detail: RunDetail): HandlerRun {
  return { kind: 'answered', result, detail }
}
