// The result inside an answer. Unknown keys beside known ones are ignored; an object of unknown keys alone, or a known key with a value that
// means nothing, voids the answer, except that a deny or the end of the turn is never lost: it counts, and what was wrong beside it is a note.

import type { Evidence, ForAgent, HookResult } from '../../hook/hook-result.ts'
import { isObject } from '../../value/is-object.ts'
import { none } from '../../verdict/verdict.ts'
import { shapeProblems } from './answer-shape.ts'
import type { JsonObject } from './parse-answer.ts'
import { readRewrite } from './read-rewrite.ts'
import { readVerdict } from './read-verdict.ts'

export type AnswerReading =
  | { readonly ok: true; readonly result: HookResult; readonly notes: readonly string[] }
  | { readonly ok: false; readonly why: string }

export function readAnswer(answer: JsonObject | 'Continue', eventName: string): AnswerReading {
  if (answer === 'Continue') return { ok: true, result: { verdict: none() }, notes: [] }
  const { verdict, problems: verdictProblems } = readVerdict(answer)
  const { rewrite, problems: rewriteProblems } = readRewrite(answer, eventName)
  const { texts, problems: textProblems } = readTexts(answer)
  const { evidence, problems: evidenceProblems } = readEvidence(answer)
  const stop = readStop(answer)
  const { forAgent, problems: agentProblems } = readForAgent(answer)
  const problems = [
    ...shapeProblems(answer),
    ...verdictProblems,
    ...rewriteProblems,
    ...textProblems,
    ...evidenceProblems,
    ...agentProblems,
  ]
  if (problems.length > 0 && verdict.decision !== 'deny' && stop.stop === undefined) return { ok: false, why: problems.join('; ') }
  const result: HookResult = {
    verdict,
    ...(rewrite === undefined ? {} : { rewrite }),
    ...texts,
    ...stop,
    ...(answer.suppressOutput === true || answer.suppress_output === true ? { suppressOutput: true } : {}),
    ...(forAgent === undefined ? {} : { forAgent }),
    ...(evidence === undefined ? {} : { evidence }),
  }
  return { ok: true, result, notes: problems }
}

/** Whether the result is more than "no opinion". */
export function saysSomething(result: HookResult): boolean {
  return result.verdict.decision !== 'none' || Object.keys(result).length > 1
}

const CONTEXT_KEYS = ['additionalContext', 'additional_context', 'contextModification']
const MESSAGE_KEYS = ['systemMessage', 'system_message', 'user_message', 'userMessage']

function readTexts(answer: JsonObject): { texts: Pick<HookResult, 'context' | 'message'>; problems: string[] } {
  const nested = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const problems: string[] = []
  const read = (keys: readonly string[]): string | undefined => {
    for (const holder of [nested, answer]) {
      for (const key of keys) {
        const value = holder[key]
        if (value === undefined || value === null || value === '') continue
        if (typeof value === 'string') return value
        problems.push(`${key} must be a text`)
      }
    }
    return undefined
  }
  const context = read(CONTEXT_KEYS)
  const message = read(MESSAGE_KEYS)
  const texts = { ...(context === undefined ? {} : { context }), ...(message === undefined ? {} : { message }) }
  return { texts, problems }
}

/** `continue: false`, and a PermissionRequest deny that says `interrupt`. */
function readStop(answer: JsonObject): Pick<HookResult, 'stop'> {
  const nested = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const interrupting = [nested.decision, answer.decision].filter(isObject).find(decision => decision.interrupt === true)
  if (answer.continue !== false && interrupting === undefined) return {}
  const reasons = [answer.stopReason, answer.stop_reason, answer.reason, interrupting?.message]
  const reason = reasons.find(text => typeof text === 'string' && text.trim() !== '')
  return { stop: { reason: typeof reason === 'string' ? reason : 'No reason provided' } }
}

function readForAgent(answer: JsonObject): { forAgent?: ForAgent; problems: readonly string[] } {
  const nested = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const facts = nested.classifierContext ?? answer.classifierContext ?? answer.classifier_context ?? ''
  const retry = nested.retry ?? answer.retry ?? false
  const problems = [
    ...(typeof facts === 'string' ? [] : ['classifierContext must be a text']),
    ...(typeof retry === 'boolean' ? [] : ['retry must be true or false']),
  ]
  if (problems.length > 0 || (facts === '' && retry !== true)) return { problems }
  return {
    forAgent: { ...(typeof facts === 'string' && facts !== '' ? { classifierContext: facts } : {}), ...(retry === true ? { retry } : {}) },
    problems,
  }
}

function readEvidence(answer: JsonObject): { evidence?: Evidence; problems: readonly string[] } {
  const { evidence } = answer
  if (evidence === undefined || evidence === null) return { problems: [] }
  if (!isObject(evidence) || typeof evidence.kind !== 'string') return { problems: ['evidence must be an object with a "kind" and "data"'] }
  return { evidence: { kind: evidence.kind, data: isObject(evidence.data) ? evidence.data : {} }, problems: [] }
}
