// Conditions of hooks and guards: CEL over event, actor, session, effort, task, commitment.
// Invariants: a declared field that is unset reads as empty, so a condition never fails for want of it; no condition can run long.

import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { errorText } from '../../value/error-text.ts'
import { createEnvironment, findsPattern } from './cel-environment.ts'
import {
  CONDITION_ROOTS,
  type ConditionFields,
  type ConditionRoot,
  fieldsOfRoot,
  fillFields,
  OPTIONAL_ROOTS,
  orNull,
  type Reach,
} from './condition-fields.ts'

export interface Condition {
  readonly text: string
  /** `reach.reads` names its roots, so that a gate about a commitment can stay silent where there is none. */
  readonly reach: Reach
  /** Fields it reads that their root never has: `effort.phas`. */
  readonly unknownFields: readonly UnknownField[]
  readonly evaluate: (fields: Record<string, unknown>) => unknown
}

export interface UnknownField {
  readonly root: ConditionRoot
  readonly field: string
}

export interface ConditionError {
  readonly message: string
  /** In the condition's text, counted from 1. */
  readonly column: number
}

export type CompiledCondition =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly error: ConditionError }

export type ConditionResult = { readonly ok: true; readonly value: boolean } | { readonly ok: false; readonly why: string }

const MAX_TEXT = 4096
const MAX_LOOP_DEPTH = 2
/** Characters that all `matches` of one evaluation may look at. */
const MAX_MATCHED = 1024 * 1024
const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

/** Made at the first use: most runs of the command line have no condition to read. */
let environment: Environment | null = null
/** Evaluation is synchronous, so one counter serves all. */
let matchedCharacters = 0

export function compileCondition(text: string): CompiledCondition {
  if (text.length > MAX_TEXT) return failure(`is longer than ${MAX_TEXT} characters`, 0)
  environment ??= createEnvironment(matchesLinear)
  try {
    const parsed = environment.parse(text)
    const reach = surveyTree(parsed.ast)
    const maxDepth = reach.splitsText ? 1 : MAX_LOOP_DEPTH
    if (reach.loopDepth > maxDepth) return failure(`nests loops more than ${maxDepth} deep`, 0)
    const checked = parsed.check()
    if (!checked.valid) return celFailure(checked.error)
    if (checked.type !== 'bool' && checked.type !== 'dyn') return failure(`gives ${checked.type}, not true or false`, 0)
    return { ok: true, condition: { text, reach, unknownFields: reach.unknownFields, evaluate: fields => parsed(fields) } }
  } catch (error) {
    return celFailure(error)
  }
}

export function evaluateCondition(condition: Condition, fields: ConditionFields): ConditionResult {
  matchedCharacters = 0
  try {
    const filled = fillFields(fields, condition.reach)
    if (!filled.ok) return filled
    const value = condition.evaluate(filled.fields)
    return typeof value === 'boolean' ? { ok: true, value } : { ok: false, why: `gave ${typeof value}, not true or false` }
  } catch (error) {
    return { ok: false, why: summaryOf(error) }
  }
}

/** Whether a gate applies: a condition that cannot be decided closes it. */
export function conditionHolds(condition: Condition, fields: ConditionFields): boolean {
  const result = evaluateCondition(condition, fields)
  return result.ok ? result.value : true
}

/** The library's own `matches` uses a backtracking RegExp: calls are renamed to ours before they are bound. */
function matchesLinear(subject: string, pattern: string): boolean {
  matchedCharacters += subject.length + pattern.length
  if (matchedCharacters > MAX_MATCHED) throw new Error(`matches() was asked to look at more than ${MAX_MATCHED} characters`)
  return findsPattern(subject, pattern)
}

interface Survey {
  readonly reads: Set<ConditionRoot>
  loopDepth: number
  splitsText: boolean
  readonly unknownFields: UnknownField[]
}

function surveyTree(tree: ASTNode): Survey {
  const survey: Survey = { reads: new Set(), loopDepth: 0, splitsText: false, unknownFields: [] }
  visit(tree, 0, survey, new Set())
  return survey
}

/** Loops keep their body both as written and as expanded; every object is visited once, so each call is renamed in both. */
function visit(value: unknown, loops: number, survey: Survey, seen: Set<object>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const inner = loops + enterNode(value, survey)
  survey.loopDepth = Math.max(survey.loopDepth, inner)
  for (const child of Object.values(value)) visit(child, inner, survey, seen)
}

function enterNode(node: object, survey: Survey): number {
  if (!('op' in node) || !('args' in node)) return 0
  if (node.op === 'id') noteRead(node.args, survey)
  if ((node.op === '==' || node.op === '!=') && Array.isArray(node.args)) compareWithNull(node.args[0], node.args[1])
  if (node.op === '.' && Array.isArray(node.args)) noteField(node.args[0], node.args[1], survey)
  if (node.op !== 'rcall' || !Array.isArray(node.args)) return 0
  if (node.args[0] === 'matches') node.args[0] = 'linearMatches'
  if (node.args[0] === 'split') survey.splitsText = true
  return LOOPS.has(node.args[0]) ? 1 : 0
}

/** `commitment == null` asks whether there is one; everywhere else one that is not there reads as one whose fields are empty. */
function compareWithNull(left: unknown, right: unknown): void {
  for (const [name, other] of [
    [left, right],
    [right, left],
  ]) {
    const root = isNode(name) && name.op === 'id' ? OPTIONAL_ROOTS.find(each => each === name.args) : undefined
    if (root !== undefined && isNode(name) && isNode(other) && other.op === 'value' && other.args === null) name.args = orNull(root)
  }
}

function isNode(value: unknown): value is { readonly op: unknown; args: unknown } {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value
}

function noteField(holder: unknown, field: unknown, { unknownFields }: Survey): void {
  const isName = typeof holder === 'object' && holder !== null && 'op' in holder && holder.op === 'id' && 'args' in holder
  const root = isName ? CONDITION_ROOTS.find(each => each === holder.args) : undefined
  if (root === undefined || typeof field !== 'string' || fieldsOfRoot(root)?.includes(field) !== false) return
  unknownFields.push({ root, field })
}

function noteRead(name: unknown, survey: Survey): void {
  const root = CONDITION_ROOTS.find(each => each === name || orNull(each) === name)
  if (root !== undefined) survey.reads.add(root)
}

function celFailure(error: unknown): CompiledCondition {
  const range = typeof error === 'object' && error !== null && 'range' in error ? error.range : null
  const hasStart = typeof range === 'object' && range !== null && 'start' in range && typeof range.start === 'number'
  return failure(summaryOf(error), hasStart ? (range.start as number) : 0)
}

function failure(message: string, offset: number): CompiledCondition {
  return { ok: false, error: { message, column: offset + 1 } }
}

function summaryOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'summary' in error && typeof error.summary === 'string') return error.summary
  return errorText(error)
}
