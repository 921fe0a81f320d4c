// A test file of a policy -> the cases in it, each with its place, or everything that is wrong with it.
import { dirname, join } from 'node:path'
import { findEvent } from '@belay/core'
import { callFromText, type Diagnostic, type Place, type ToolCall } from '@belay/core/policy'
import { fieldsIn, listIn, textIn } from '../../statistic/read-fields.ts'
import { readProperty } from '../prove/prove-property.ts'
import { type ReadYaml, readYaml } from '../schema/read-yaml.ts'
import { CASE_SCHEMA } from './case-schema.ts'

export interface CaseFile {
  readonly file: string
  /** The policy that is tested. */
  readonly policy: string
  readonly links: Readonly<Record<string, string>>
  readonly cases: readonly PolicyCase[]
  readonly never: readonly NeverLine[]
}

/** What no call may do, whatever its spelling. */
export interface NeverLine {
  /** `never network`, `never Write(.env*)`. */
  readonly property: string
  readonly actor: string
  readonly place: Place
}

export interface PolicyCase {
  readonly name: string
  readonly place: Place
  readonly actor: string
  readonly cwd: string
  readonly commitment: string | null
  readonly steps: readonly CaseStep[]
}

export interface CaseStep {
  readonly call: ToolCall
  readonly title: string
  readonly event: string
  readonly place: Place
  /** null: the step only prepares those after it. */
  readonly expect: string | null
  readonly rule: string | null
  readonly reason: string | null
}

export type ReadCases = { readonly ok: true; readonly file: CaseFile } | { readonly ok: false; readonly errors: readonly Diagnostic[] }

export const DEFAULT_ACTOR = 'agent:claude-code'

export async function readCases(text: string, file: string): Promise<ReadCases> {
  const yaml = await readYaml(text, file, CASE_SCHEMA)
  const root = fieldsIn(yaml.data)
  if (yaml.problems.length > 0 || root === null) return { ok: false, errors: yaml.problems }
  const actor = textIn(root.actor) ?? DEFAULT_ACTOR
  const cases = listIn(root.tests).flatMap((test, index) => readCase(yaml, test, { index, actor }))
  const never = readNever(yaml, root.never, actor)
  const errors = [...cases.flatMap(({ steps }) => steps.flatMap(step => unknownEvent(step) ?? [])), ...never.flatMap(badProperty)]
  if (errors.length > 0) return { ok: false, errors }
  const policy = textIn(root.policy) ?? file.replace(/^.*\//, '').replace(/\.test\.ya?ml$/, '.key')
  const links = Object.fromEntries(Object.entries(fieldsIn(root.links) ?? {}).map(([path, target]) => [path, String(target)]))
  return { ok: true, file: { file, policy: join(dirname(file), policy), links, cases, never } }
}

function readNever(yaml: ReadYaml, lines: unknown, actor: string): readonly NeverLine[] {
  if (!Array.isArray(lines)) return []
  return lines.map((line: unknown, index) => {
    const fields = fieldsIn(line)
    const text = (textIn(line) ?? textIn(fields?.never) ?? '').trim()
    return {
      property: /^never\s/.test(text) ? text : `never ${text}`,
      actor: textIn(fields?.actor) ?? actor,
      place: yaml.placeOf(['never', index]),
    }
  })
}

function badProperty({ property, place }: NeverLine): readonly Diagnostic[] {
  const read = readProperty(property)
  return read.ok ? [] : [{ severity: 'error', message: `\`${property}\`: ${read.why}`, place, remedy: read.remedy }]
}

type Item = Readonly<Record<string, unknown>>

function readCase(yaml: ReadYaml, test: Item, { index, actor }: { readonly index: number; readonly actor: string }): readonly PolicyCase[] {
  const at = ['tests', index]
  const make = (steps: readonly CaseStep[]): PolicyCase => ({
    name: textIn(test.name) ?? steps.map(({ title }) => title).join(', then '),
    place: steps[0]?.place ?? yaml.placeOf(at),
    actor: textIn(test.actor) ?? actor,
    cwd: textIn(test.cwd) ?? '.',
    commitment: textIn(test.commitment),
    steps,
  })
  if (Array.isArray(test.session))
    return [make(listIn(test.session).map((step, each) => readStep(step, yaml.placeOf([...at, 'session', each]))))]
  if (!Array.isArray(test.calls)) return [make([readStep(test, yaml.placeOf(at))])]
  return test.calls.map((call: unknown, each) => {
    const step = readStep({ ...test, call }, yaml.placeOf([...at, 'calls', each]))
    return { ...make([step]), name: test.name === undefined ? step.title : `${String(test.name)}: ${step.title}` }
  })
}

function readStep(step: Item, place: Place): CaseStep {
  const given = textIn(step.call)
  const fields = fieldsIn(step.call)
  const call = given === null ? { tool: String(fields?.tool), input: fieldsIn(fields?.input) ?? {} } : callOf(given)
  return {
    call,
    title: given ?? `${call.tool} ${JSON.stringify(call.input)}`,
    event: textIn(step.event) ?? 'PreToolUse',
    place,
    expect: textIn(step.expect),
    rule: textIn(step.rule),
    reason: textIn(step.reason),
  }
}

/** `Bash(git push)`, `Grep`. */
export function callOf(text: string): ToolCall {
  const [, tool = text, argument] = /^([^(\s]+)\((.*)\)$/s.exec(text.trim()) ?? []
  return argument === undefined ? { tool: tool.trim(), input: {} } : callFromText(tool, argument)
}

function unknownEvent({ event, place }: CaseStep): Diagnostic | null {
  if (findEvent(event) !== null) return null
  return { severity: 'error', message: `there is no event \`${event}\``, place, remedy: 'use PreToolUse, PostToolUse, ...' }
}
